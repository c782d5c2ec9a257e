//! SCSI command sequences of real operating systems.

use crate::support::{Bench, Flash, block10};

fn bench() -> Bench<'static> {
    let mut bench = Bench::start(&Flash::new()).unwrap();
    bench.device.connected();
    bench
}

#[test]
fn linux_finds_a_removable_drive_of_one_megabyte() {
    let mut host = bench();
    let inquiry = host.get(&[0x12, 0, 0, 0, 36, 0], 36);
    assert_eq!((inquiry.status, inquiry.residue, inquiry.data.len()), (0, 0, 36));
    assert_eq!(inquiry.data[..5], [0x00, 0x80, 0x04, 0x02, 31]);
    assert_eq!(&inquiry.data[8..], b"Nudge   Nudgelight      1.00");
    assert_eq!(host.get(&[0x00, 0, 0, 0, 0, 0], 0).status, 0);
    assert_eq!(host.get(&[0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0], 8).data, [0, 0, 7, 0xFF, 0, 0, 2, 0]);
    // MODE SENSE(6) for all pages: the header, then everything.
    let header = host.get(&[0x1A, 0, 0x3F, 0, 4, 0], 4);
    assert_eq!((header.status, header.data), (0, vec![3, 0, 0, 0]));
    let all = host.get(&[0x1A, 0, 0x3F, 0, 192, 0], 192);
    assert_eq!((all.status, all.data, all.residue), (0, vec![3, 0, 0, 0], 188));
    // The caching page is missing, so Linux assumes a write-through cache.
    assert_eq!(host.get(&[0x1A, 0, 0x08, 0, 4, 0], 4).data, [3, 0, 0, 0]);
    assert_eq!(host.get(&[0x1E, 0, 0, 0, 1, 0], 0).status, 0);
    assert_eq!(host.read(0, 8)[510..512], [0x55, 0xAA]);
}

#[test]
fn windows_gets_its_format_capacities_and_its_serial_number() {
    let mut host = bench();
    assert_eq!(host.get(&[0x12, 0, 0, 0, 36, 0], 36).status, 0);
    let capacities = host.get(&[0x23, 0, 0, 0, 0, 0, 0, 0, 0xFC, 0], 252);
    assert_eq!(capacities.data, [0, 0, 0, 8, 0, 0, 8, 0, 2, 0, 2, 0]);
    assert_eq!((capacities.status, capacities.residue), (0, 240));
    let pages = host.get(&[0x12, 1, 0x00, 0, 0xFF, 0], 255);
    assert_eq!(pages.data, [0, 0, 0, 2, 0x00, 0x80]);
    let serial = host.get(&[0x12, 1, 0x80, 0, 0xFF, 0], 255);
    assert_eq!(&serial.data[4..], b"E6614103E7452D2F");
    assert_eq!(host.get(&[0x1A, 0, 0x1C, 0, 0xC0, 0], 192).data, [3, 0, 0, 0]);
    assert_eq!(host.get(&[0x2F, 0, 0, 0, 0, 0, 0, 0, 1, 0], 0).status, 0);
}

#[test]
fn macos_asks_in_ten_bytes_and_is_refused_what_there_is_not() {
    let mut host = bench();
    assert_eq!(host.get(&[0x12, 0, 0, 0, 36, 0], 36).status, 0);
    assert_eq!(host.get(&[0x5A, 0, 0x3F, 0, 0, 0, 0, 0, 8, 0], 8).data, [0, 6, 0, 0, 0, 0, 0, 0]);
    // READ CAPACITY(16), for larger drives.
    let refused = host.get(&[0x9E, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0], 32);
    assert_eq!((refused.status, refused.data.len(), refused.residue), (1, 0, 32));
    assert_eq!(host.sense(), [5, 0x20, 0]);
    assert_eq!(host.sense(), [0, 0, 0], "sense data is reported once");
    assert_eq!(host.get(&[0x35, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0).status, 0);
}

#[test]
fn what_is_written_is_read_again_before_and_after_it_is_stored() {
    let mut host = bench();
    let sectors: Vec<u8> = (0..30 * 512_u32).map(|at| (at / 7) as u8).collect();
    host.write(1000, &sectors);
    assert_eq!(host.read(1000, 30), sectors);
    host.pass(1000);
    assert_eq!(host.read(1000, 30), sectors);
    host.write(1001, &[7; 512]);
    assert_eq!(host.read(1000, 2), [&sectors[..512], &[7; 512]].concat());
}

#[test]
fn a_whole_drive_can_be_written_in_one_command() {
    let mut host = bench();
    let sectors: Vec<u8> = (0..2048 * 512_u32).map(|at| (at / 509) as u8).collect();
    host.write(0, &sectors);
    assert!(host.read(0, 2048) == sectors);
}

#[test]
fn sectors_behind_the_end_are_refused() {
    let mut host = bench();
    for (sector, count) in [(2048, 1), (2047, 2), (u32::MAX, 1), (0, 2049)] {
        let read = host.get(&block10(0x28, sector, count), u32::from(count) * 512);
        assert_eq!((read.status, read.data.len(), host.sense()), (1, 0, [5, 0x21, 0]));
        let write = host.put(&block10(0x2A, sector, count), &vec![0; usize::from(count) * 512]);
        assert_eq!((write.status, host.sense()), (1, [5, 0x21, 0]));
    }
}

#[test]
fn a_host_that_expects_more_or_less_than_it_asks_for_is_told_so() {
    let mut host = bench();
    // More than the drive sends: a short packet, and the difference in the residue.
    let more = host.get(&block10(0x28, 0, 1), 1024);
    assert_eq!((more.status, more.data.len(), more.residue), (0, 512, 512));
    // Less: the expected amount, and a phase error.
    let less = host.get(&block10(0x28, 0, 2), 512);
    assert_eq!((less.status, less.data.len()), (2, 512));
    // The wrong direction.
    assert_eq!(host.put(&block10(0x28, 0, 1), &[0; 512]).status, 2);
    assert_eq!(host.get(&block10(0x2A, 0, 1), 512).status, 2);
    // More data than the command needs: it is received and not written.
    let before = host.read(11, 1);
    let more = host.put(&block10(0x2A, 10, 1), &[9; 1024]);
    assert_eq!((more.status, more.residue), (0, 512));
    assert_eq!(host.read(10, 2), [vec![9; 512], before].concat());
    // The drive still responds.
    assert_eq!(host.get(&[0x00, 0, 0, 0, 0, 0], 0).status, 0);
}

#[test]
fn an_ejected_drive_is_gone_until_it_is_plugged_in_again() {
    let mut host = bench();
    host.eject();
    let ready = host.get(&[0x00, 0, 0, 0, 0, 0], 0);
    assert_eq!((ready.status, host.sense()), (1, [2, 0x3A, 0]));
    assert_eq!(host.get(&block10(0x28, 0, 1), 512).status, 1);
    assert_eq!(host.get(&[0x12, 0, 0, 0, 36, 0], 36).status, 0, "INQUIRY still works");
    host.pass(5000);
    host.device.connected();
    let changed = host.get(&[0x00, 0, 0, 0, 0, 0], 0);
    assert_eq!((changed.status, host.sense()), (1, [6, 0x28, 0]), "the host must discard its cache");
    assert_eq!(host.get(&[0x00, 0, 0, 0, 0, 0], 0).status, 0);
}

#[test]
fn a_host_may_take_back_what_it_ejected() {
    let mut host = bench();
    host.eject();
    assert_eq!(host.get(&[0x1B, 0, 0, 0, 3, 0], 0).status, 0);
    assert_eq!(host.sense(), [6, 0x28, 0]);
    assert_eq!(host.read(0, 1)[510..], [0x55, 0xAA]);
}

#[test]
fn synchronizing_means_that_the_flash_has_it() {
    for block in [vec![0x35, 0, 0, 0, 0, 0, 0, 0, 0, 0], vec![0x1E, 0, 0, 0, 0, 0], vec![0x1B, 0, 0, 0, 0, 0]] {
        let flash = Flash::new();
        let mut host = Bench::start(&flash).unwrap();
        host.device.connected();
        host.write(2000, &[0x5A; 512]);
        assert_ne!(flash.volume()[2000 * 512], 0x5A);
        assert_eq!(host.get(&block, 0).status, 0);
        assert_eq!(flash.volume()[2000 * 512..2001 * 512], [0x5A; 512]);
    }
}

#[test]
fn writing_what_is_there_wears_nothing() {
    let flash = Flash::new();
    let mut host = Bench::start(&flash).unwrap();
    host.device.connected();
    let before = flash.erases();
    let same = host.read(0, 64);
    host.write(0, &same);
    host.pass(10_000);
    assert_eq!(flash.erases(), before);
}

#[test]
fn a_reset_in_the_middle_of_a_transfer_leaves_a_drive_that_answers() {
    let mut host = bench();
    let mut cbw = Vec::from(*b"USBC\x01\0\0\0\0\x04\0\0\0\0\x0a");
    cbw.extend(block10(0x2A, 5, 2));
    cbw.resize(31, 0);
    host.device.receive(&cbw, 0);
    host.device.receive(&[1; 64], 0);
    host.device.reset_transport();
    assert_eq!(host.get(&[0x00, 0, 0, 0, 0, 0], 0).status, 0);
}
