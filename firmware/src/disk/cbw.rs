//! Command Block Wrapper (CBW) of USB Bulk-Only Transport.

use crate::disk::scsi::CommandBlock;

const CBW_SIGNATURE: [u8; 4] = *b"USBC";
const CBW_LENGTH: usize = 31;

/// Data direction that the host expects.
#[derive(Clone, Copy)]
pub enum Direction {
    In,
    Out,
}

/// SCSI command in its wrapper.
pub struct CommandBlockWrapper {
    pub tag: [u8; 4],
    /// Number of data bytes that the host expects.
    pub length: u32,
    pub direction: Direction,
    pub block: CommandBlock,
}

impl CommandBlockWrapper {
    /// Parses a packet. None if it is not a valid wrapper.
    pub fn parse(packet: &[u8]) -> Option<Self> {
        let packet: &[u8; CBW_LENGTH] = packet.try_into().ok()?;
        // The drive has one logical unit, and a command block has 1 to 16 bytes.
        if packet[..4] != CBW_SIGNATURE || packet[13] != 0 || !(1..=16).contains(&packet[14]) {
            return None;
        }
        let mut block = [0; 16];
        block.copy_from_slice(&packet[15..]);
        Some(Self {
            tag: [packet[4], packet[5], packet[6], packet[7]],
            length: u32::from_le_bytes([packet[8], packet[9], packet[10], packet[11]]),
            direction: if packet[12] & 0x80 == 0 { Direction::Out } else { Direction::In },
            block,
        })
    }
}
