//! FAT12 file system of the drive.
//!
//! The device reads the schedule from it, and writes a few files while no host has the drive mounted. Any host may
//! have left the file system in any state, so all data read from it is untrusted.

mod directory;
pub mod file;
mod format;
pub mod fsck;
mod geometry;
pub mod name;
mod table;

pub use file::{read, write};
pub use format::format;

use crate::disk::FlashError;

/// File system error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FatError {
    Flash,
    /// The file system is damaged or has an unsupported format.
    Unreadable,
    /// The file exceeds the maximum length.
    TooLong,
    /// The drive or its root directory is full.
    Full,
}

impl From<FlashError> for FatError {
    fn from(_: FlashError) -> Self {
        Self::Flash
    }
}
