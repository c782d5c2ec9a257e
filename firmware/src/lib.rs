//! The device's own logic: what it does with its lamp and its drive, without a word about pins.
//!
//! Nothing here needs a board, so all of it is tested on the host. It compiles for `thumbv6m-none-eabi` without `std`
//! and without an allocator.
#![no_std]

pub mod drive;
pub mod lamp;
