//! The shop's only source of randomness: the operating system's, through a CSPRNG.
#![allow(clippy::disallowed_methods)] // its one home

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
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

/// Chance that comes out alike each time: for what is invented, and for nothing that has to be guessed by nobody.
pub struct Repeatable(StdRng);

impl Repeatable {
    pub fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// From 0 up to, but not including, `end`; 0 when `end` is less than 1.
    pub fn below(&mut self, end: i64) -> i64 {
        self.0.random_range(0..end.max(1))
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        self.0.random()
    }
}
