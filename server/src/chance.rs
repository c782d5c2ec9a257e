//! The shop's only source of randomness: the operating system's, through a CSPRNG.
#![allow(clippy::disallowed_methods)] // its one home

use rand::RngExt as _;
use uuid::Uuid;

/// A UUIDv7 as text: sorts by time of making.
pub fn new_id() -> String {
    Uuid::now_v7().to_string()
}

pub fn random_bytes<const N: usize>() -> [u8; N] {
    rand::rng().random()
}

/// Six decimal digits, each value equally likely.
pub fn six_digit_code() -> String {
    format!("{:06}", rand::rng().random_range(0..1_000_000_u32))
}

/// A number from 0 up to, but not including, `end`; 0 when `end` is 0.
pub fn below(end: u64) -> u64 {
    if end == 0 { 0 } else { rand::rng().random_range(0..end) }
}
