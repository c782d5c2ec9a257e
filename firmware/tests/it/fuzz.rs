//! Property tests with random packets and random drive content.

use firmware::disk::bulk_only::{Action, PACKET_SIZE};
use proptest::prelude::*;

use crate::support::{Bench, Flash, fsck};

/// Packets of a faulty or hostile host: noise, and commands with invalid fields.
fn packet() -> impl Strategy<Value = Vec<u8>> {
    let noise = proptest::collection::vec(any::<u8>(), 0..=PACKET_SIZE);
    let operation =
        prop::sample::select(vec![0x00, 0x03, 0x12, 0x1A, 0x1B, 0x1E, 0x23, 0x25, 0x28, 0x2A, 0x2F, 0x35, 0x5A, 0xFF]);
    let length = prop_oneof![0_u32..2048, any::<u32>()];
    let command = (operation, length, any::<u8>(), any::<[u8; 15]>(), any::<bool>()).prop_map(
        |(operation, length, direction, rest, near)| {
            let mut packet = Vec::from(*b"USBCtag!");
            packet.extend(length.to_le_bytes());
            packet.extend([direction & 0x80, 0, 10, operation]);
            packet.extend(rest);
            if near {
                // A few sectors within the drive.
                packet[17..24].copy_from_slice(&[0, 0, rest[0] & 7, rest[1], 0, 0, rest[2] & 3]);
            }
            packet
        },
    );
    prop_oneof![1 => noise, 3 => command]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_packets_leave_a_device_that_answers(packets in proptest::collection::vec(packet(), 1..60)) {
        let flash = Flash::new();
        let mut host = Bench::start(&flash).unwrap();
        host.device.connected();
        for packet in &packets {
            host.device.receive(packet, host.uptime);
            let mut sent = 0;
            loop {
                match host.device.next_action() {
                    Action::Receive => break,
                    Action::Flush => drop(host.device.flush_step().unwrap()),
                    Action::Send => {
                        let length = host.device.send(&mut [0; PACKET_SIZE]);
                        prop_assert!(length <= PACKET_SIZE);
                        sent += 1;
                        prop_assert!(sent <= 65_536 * 8 + 2, "a response ends");
                    }
                }
            }
        }
        host.device.reset_transport();
        host.pass(5000);
        host.sense();
        prop_assert_eq!(host.get(&[0x12, 0, 0, 0, 36, 0], 36).data.len(), 36);
    }

    #[test]
    fn a_drive_full_of_anything_starts_and_answers(
        noise in proptest::collection::vec((0_usize..32 * 512, any::<u8>()), 0..400),
    ) {
        let flash = Flash::new();
        Bench::start(&flash).unwrap();
        let mut volume = flash.volume();
        for (at, byte) in noise {
            // The geometry stays valid: formatting has a test of its own.
            if at >= 64 {
                volume[at] = byte;
            }
        }
        volume[510..512].copy_from_slice(&[0x55, 0xAA]);
        flash.put_volume(&volume);
        let mut host = Bench::start(&flash).unwrap();
        host.device.connected();
        host.pass(5000);
        host.sense();
        prop_assert_eq!(host.read(0, 1).len(), 512);
    }

    #[test]
    fn after_any_loss_in_table_or_directory_the_drive_is_sound(
        cluster in 2_u16..40, value in 0_u16..0x1000, entry in 0_usize..8, at in 0_usize..32, byte in any::<u8>(),
    ) {
        let flash = Flash::new();
        Bench::start(&flash).unwrap();
        let mut volume = flash.volume();
        let table = 6 * 512 + usize::from(cluster) * 3 / 2;
        let shift = if cluster % 2 == 1 { 4 } else { 0 };
        let pair = u16::from_le_bytes([volume[table], volume[table + 1]]) & !(0xFFF << shift) | value << shift;
        volume[table..table + 2].copy_from_slice(&pair.to_le_bytes());
        // Names, attributes, clusters and lengths: the fields that a check reads.
        let field = [0, 11, 26, 27, 28, 29][at % 6];
        if entry > 0 {
            volume[8 * 512 + entry * 32 + field] = byte;
        }
        flash.put_volume(&volume);
        Bench::start(&flash).unwrap();
        prop_assert_eq!(fsck(&flash.volume()), None);
    }
}
