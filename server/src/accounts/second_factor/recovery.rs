//! Recovery codes: ten codes that each take the place of the authenticator app once, for a lost phone.

use sha2::{Digest as _, Sha256};

use super::totp::Secret;
use crate::infra::encoding::base64url;
use crate::infra::random;

const COUNT: usize = 10;
/// Characters of a code, of 5 bits each.
const LENGTH: usize = 16;
/// Without digits and letters that look alike.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Ten new codes, normalized.
pub fn generate() -> Vec<String> {
    (0..COUNT).map(|_| random::random_bytes::<LENGTH>().into_iter().map(character).collect()).collect()
}

fn character(byte: u8) -> char {
    let index = usize::from(byte) % ALPHABET.len();
    ALPHABET.get(index).copied().map_or('2', char::from)
}

/// The code as it is shown, in groups of four.
pub fn display(code: &str) -> String {
    let characters: Vec<char> = code.chars().collect();
    characters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
}

/// Normalizes a typed recovery code. `None` if it isn't one.
pub fn normalize(typed: &str) -> Option<String> {
    let code: String =
        typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_uppercase()).collect();
    let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
    is_code.then_some(code)
}

/// What is stored. A plain hash will do: 80 random bits can't be guessed. It includes the secret of the app, so that a new
/// secret voids the code, even if a program of the previous schema sets it.
pub fn hash(secret: &Secret, code: &str) -> String {
    base64url(Sha256::new().chain_update(secret.as_bytes()).chain_update(code).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_is_shown_and_as_people_type_it() {
        let codes = generate();
        assert_eq!(codes.len(), 10);
        for code in &codes {
            let shown = display(code);
            assert_eq!(shown.len(), 19, "{shown}");
            for typed in [shown.clone(), shown.to_lowercase(), shown.replace('-', " "), format!(" {code} ")] {
                assert_eq!(normalize(&typed).as_ref(), Some(code), "{typed}");
            }
        }
        assert_ne!(codes[0], codes[1]);
        let (secret, other) = (Secret::new(), Secret::new());
        assert_eq!(hash(&secret, &codes[0]), hash(&secret, &codes[0]));
        assert_ne!(hash(&secret, &codes[0]), hash(&other, &codes[0]));
        for other in ["", "123456", "287 082", "0000-0000-0000-0000", "AAAA-AAAA-AAAA-AAA", "ÄAAA-AAAA-AAAA-AAA"] {
            assert_eq!(normalize(other), None, "{other}");
        }
    }
}
