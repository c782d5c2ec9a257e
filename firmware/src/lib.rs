//! The device's own logic: what it does with its lamp, its drive and its clock, without a word about pins.
//!
//! Nothing here needs a board, so all of it is tested on the host. It compiles for `thumbv6m-none-eabi` without `std`
//! and without an allocator.
#![cfg_attr(not(test), no_std)]

pub mod clock;
pub mod device;
pub mod disk;
pub mod fat;
pub mod lamp;
pub mod report;
mod texts;
