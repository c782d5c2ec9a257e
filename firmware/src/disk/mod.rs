//! The USB drive, from the flash up: [`sectors`] that survive a loss of power, and the commands a host sends for them.

pub mod bulk_only;
mod checksum;
mod journal;
pub mod kept;
pub mod layout;
pub mod scsi;
pub mod sectors;
mod wrapper;

/// The flash did not do what it was told. There is nothing to be done about it but to tell the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashFault;
