//! Ids and secrets in Stripe's format.

use crate::infra::random;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

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
    (0..count)
        .map(|_| {
            let at = usize::try_from(random::below(62)).unwrap_or_default();
            char::from(ALPHABET.get(at).copied().unwrap_or(b'0'))
        })
        .collect()
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
