//! The drive's file system: FAT12, as a host sees it.
//!
//! The device reads its schedule from it and writes a few files to it while no host has it. What it finds may have
//! been left by any computer in any state, so nothing read from it is believed without a look.

pub mod check;
pub mod directory;
pub mod file;
mod format;
pub mod geometry;
pub mod name;
mod table;

pub use file::{read, write};
pub use format::format;

use crate::disk::FlashFault;

/// Why a file system could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Flash,
    /// It is not one, or not one that the device can read.
    Unreadable,
    /// The file is longer than what there is room for.
    TooLong,
    /// The drive or its directory is full.
    Full,
}

impl From<FlashFault> for Fault {
    fn from(_: FlashFault) -> Self {
        Self::Flash
    }
}
