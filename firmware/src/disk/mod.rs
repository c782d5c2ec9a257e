//! USB mass storage: power-fail-safe [`sectors`] on flash, and the SCSI commands that access them.

pub mod bulk_only;
mod cbw;
mod crc32;
mod journal;
pub(crate) mod last_good;
pub mod layout;
pub(crate) mod page_cache;
pub(crate) mod scsi;
pub(crate) mod sectors;

/// Failed flash operation. The device can only report it to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlashError;
