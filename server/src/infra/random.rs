//! Randomness: the shop's only source, a CSPRNG seeded by the operating system.
#![expect(clippy::disallowed_methods, reason = "the only source of randomness")]

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use uuid::Uuid;

/// A UUIDv7 as text, which sorts by creation time.
pub fn new_id() -> String {
    Uuid::now_v7().to_string()
}

/// The 16 bytes of an ID.
pub fn id_bytes(id: &str) -> Option<[u8; 16]> {
    Uuid::parse_str(id).ok().map(Uuid::into_bytes)
}

pub fn random_bytes<const N: usize>() -> [u8; N] {
    rand::rng().random()
}

/// Six decimal digits, uniformly distributed.
pub fn six_digit_code() -> String {
    format!("{:06}", rand::rng().random_range(0..1_000_000_u32))
}

/// A number from 0 to `end - 1`; 0 if `end` is 0.
pub fn below(end: u64) -> u64 {
    if end == 0 { 0 } else { rand::rng().random_range(0..end) }
}

/// Seeded generator with reproducible output: for sample data, never for secrets.
pub struct SeededRng(StdRng);

impl SeededRng {
    pub fn new(seed: u64) -> Self {
        Self(StdRng::seed_from_u64(seed))
    }

    /// A number from 0 to `end - 1`; 0 if `end` is less than 1.
    pub fn below(&mut self, end: i64) -> i64 {
        self.0.random_range(0..end.max(1))
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        self.0.random()
    }
}
