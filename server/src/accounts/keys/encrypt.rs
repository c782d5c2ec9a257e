//! Authenticated encryption (ChaCha20-Poly1305) of secrets in the database.

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use super::{Keys, keyed_hash};
use crate::error::Error;
use crate::infra::encoding::{base64url, decode_base64url};
use crate::infra::random;

impl Keys {
    /// Encrypts to `kid.ciphertext`. Only the same purpose and owner can decrypt it.
    pub fn encrypt(&self, purpose: &str, owner: &str, plaintext: &[u8]) -> Result<String, Error> {
        let key_set = self.key_set();
        let key = key_set.current(self.now_ms());
        let nonce = random::random_bytes::<NONCE_LEN>();
        let mut ciphertext = plaintext.to_vec();
        cipher(&key.seed, purpose)?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(owner), &mut ciphertext)
            .map_err(Error::internal)?;
        Ok(format!("{}.{}", key.kid, base64url([&nonce[..], &ciphertext].concat())))
    }

    /// # Errors
    /// 500 when the value is corrupt, belongs to another owner, or was encrypted with an unknown key.
    pub fn decrypt(&self, purpose: &str, owner: &str, encrypted: &str) -> Result<Vec<u8>, Error> {
        let failed = || Error::internal("an encrypted value in the database cannot be decrypted");
        let (kid, text) = encrypted.split_once('.').ok_or_else(failed)?;
        let seed = self.key_set().seed_of(kid).ok_or_else(failed)?;
        let bytes = decode_base64url(text).map_err(|_| failed())?;
        let (nonce, ciphertext) = bytes.split_first_chunk::<NONCE_LEN>().ok_or_else(failed)?;
        let mut buffer = ciphertext.to_vec();
        let plaintext = cipher(&seed, purpose)?
            .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(owner), &mut buffer)
            .map_err(|_| failed())?;
        Ok(plaintext.to_vec())
    }

    pub fn is_encrypted_with_current_key(&self, encrypted: &str) -> bool {
        let current = |kid: &str| kid == self.key_set().current(self.now_ms()).kid;
        encrypted.split_once('.').is_some_and(|(kid, _)| current(kid))
    }
}

fn cipher(seed: &[u8; 32], purpose: &str) -> Result<LessSafeKey, Error> {
    // The label is part of the derived key: changing it makes stored values unreadable.
    let key = keyed_hash(seed, &["seal", purpose]);
    UnboundKey::new(&CHACHA20_POLY1305, &key).map(LessSafeKey::new).map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_for_its_owner_and_purpose_alone_and_not_when_touched() {
        let keys = Keys::for_test([7; 32]);
        let encrypted = keys.encrypt("totp", "ada", b"secret").unwrap();
        assert_eq!(keys.decrypt("totp", "ada", &encrypted).unwrap(), b"secret");
        assert!(keys.is_encrypted_with_current_key(&encrypted));
        assert_ne!(encrypted, keys.encrypt("totp", "ada", b"secret").unwrap());

        assert!(keys.decrypt("totp", "bob", &encrypted).is_err());
        assert!(keys.decrypt("other", "ada", &encrypted).is_err());
        assert!(Keys::for_test([8; 32]).decrypt("totp", "ada", &encrypted).is_err());
        let (kid, text) = encrypted.split_once('.').unwrap();
        let mut bytes = decode_base64url(text).unwrap();
        for touched in 0..bytes.len() {
            bytes[touched] ^= 1;
            assert!(keys.decrypt("totp", "ada", &format!("{kid}.{}", base64url(&bytes))).is_err());
            bytes[touched] ^= 1;
        }
        for nonsense in ["", ".", kid, &format!("{kid}.AA")] {
            assert!(keys.decrypt("totp", "ada", nonsense).is_err(), "{nonsense}");
        }
    }
}
