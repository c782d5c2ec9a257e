//! Device logic: lamp, USB drive and clock, independent of pins and peripherals.
//!
//! The library runs its tests on the host. It also compiles for `thumbv6m-none-eabi` without `std` or an allocator.
#![cfg_attr(not(test), no_std)]

pub mod clock;
mod default_files;
pub mod device;
pub mod disk;
mod fat;
pub mod lamp;
pub mod report;
pub mod version;
