//! Ids and secrets in Stripe's format, and every other random choice.
#![expect(clippy::disallowed_methods, reason = "the crate's only source of randomness")]

use rand::RngExt as _;
use rand::distr::{Alphanumeric, SampleString as _};
use uuid::Uuid;

/// `pi_` and 24 letters and digits.
pub fn new_id(prefix: &str) -> String {
    format!("{prefix}_{}", letters(24))
}

/// The part after an intent's id and `_secret_`: 25 letters and digits, about 148 random bits.
pub fn client_secret(intent_id: &str) -> String {
    format!("{intent_id}_secret_{}", letters(25))
}

/// `count` letters and digits, uniformly distributed.
pub fn letters(count: usize) -> String {
    Alphanumeric.sample_string(&mut rand::rng(), count)
}

/// An id that sorts by creation time.
pub fn sortable_id() -> String {
    Uuid::now_v7().to_string()
}

/// A number from 0 to `end - 1`; 0 if `end` is 0.
pub fn below(end: u32) -> u32 {
    if end == 0 { 0 } else { rand::rng().random_range(0..end) }
}

/// Whether the text can be an id; others are not looked up.
pub fn is_plausible(id: &str) -> bool {
    !id.is_empty() && id.len() <= 255 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_its_prefix_and_is_new_every_time() {
        let id = new_id("pi");
        assert!(id.starts_with("pi_") && id.len() == 27 && is_plausible(&id), "{id}");
        assert_ne!(id, new_id("pi"));
        assert!(client_secret(&id).starts_with(&format!("{id}_secret_")));
    }

    #[test]
    fn what_cannot_be_an_id_is_told_at_once() {
        for wrong in ["", "pi_\0", "pi 1", "pi_é", "../x"] {
            assert!(!is_plausible(wrong), "{wrong:?}");
        }
    }
}
