//! What Bulk-Only Transport wraps a command in.

use crate::disk::scsi::Block;

const COMMAND_SIGNATURE: [u8; 4] = *b"USBC";
const COMMAND_LENGTH: usize = 31;

/// Which way the host means data to go.
#[derive(Clone, Copy)]
pub enum Direction {
    In,
    Out,
}

/// A command in its wrapper.
pub struct Command {
    pub tag: [u8; 4],
    /// How many bytes of data the host expects.
    pub length: u32,
    pub direction: Direction,
    pub block: Block,
}

impl Command {
    /// What a packet says, if it is a command.
    pub fn of(packet: &[u8]) -> Option<Self> {
        let packet: &[u8; COMMAND_LENGTH] = packet.try_into().ok()?;
        // The drive has one unit, and a block has from 1 to 16 bytes.
        if packet[..4] != COMMAND_SIGNATURE || packet[13] != 0 || !(1..=16).contains(&packet[14]) {
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
