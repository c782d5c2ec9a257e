//! Sealing what the shop must read again and nobody else who reads the database.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use super::{Keys, keyed_hash};
use crate::http::error::Error;
use crate::infra::random;

impl Keys {
    /// `kid.ciphertext`. It can be opened for the same purpose and owner alone.
    pub fn seal(&self, purpose: &str, owner: &str, plain: &[u8]) -> Result<String, Error> {
        let ring = self.ring();
        let own = ring.current(self.now_ms());
        let nonce = random::random_bytes::<NONCE_LEN>();
        let mut sealed = plain.to_vec();
        cipher(&own.seed, purpose)?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(owner), &mut sealed)
            .map_err(Error::internal)?;
        Ok(format!("{}.{}", own.kid, URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat())))
    }

    /// # Errors
    /// 500 when it is damaged, somebody else's, or sealed by a key that is not here.
    pub fn open(&self, purpose: &str, owner: &str, sealed: &str) -> Result<Vec<u8>, Error> {
        let damaged = || Error::internal("what the database keeps sealed cannot be opened");
        let (kid, text) = sealed.split_once('.').ok_or_else(damaged)?;
        let seed = self.ring().seed_of(kid).ok_or_else(damaged)?;
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| damaged())?;
        let (nonce, ciphertext) = bytes.split_first_chunk::<NONCE_LEN>().ok_or_else(damaged)?;
        let mut opened = ciphertext.to_vec();
        let plain = cipher(&seed, purpose)?
            .open_in_place(Nonce::assume_unique_for_key(*nonce), Aad::from(owner), &mut opened)
            .map_err(|_| damaged())?;
        Ok(plain.to_vec())
    }

    /// False for what a predecessor of the current key has sealed.
    pub fn sealed_now(&self, sealed: &str) -> bool {
        sealed.split_once('.').is_some_and(|(kid, _)| kid == self.ring().current(self.now_ms()).kid)
    }
}

fn cipher(seed: &[u8; 32], purpose: &str) -> Result<LessSafeKey, Error> {
    let key = keyed_hash(seed, &["seal", purpose]);
    UnboundKey::new(&CHACHA20_POLY1305, &key).map(LessSafeKey::new).map_err(Error::internal)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sealed_opens_for_its_owner_and_purpose_alone_and_not_when_touched() {
        let keys = Keys::for_test([7; 32]);
        let sealed = keys.seal("totp", "ada", b"secret").unwrap();
        assert_eq!(keys.open("totp", "ada", &sealed).unwrap(), b"secret");
        assert!(keys.sealed_now(&sealed));
        assert_ne!(sealed, keys.seal("totp", "ada", b"secret").unwrap());

        assert!(keys.open("totp", "bob", &sealed).is_err());
        assert!(keys.open("other", "ada", &sealed).is_err());
        assert!(Keys::for_test([8; 32]).open("totp", "ada", &sealed).is_err());
        let (kid, text) = sealed.split_once('.').unwrap();
        let mut bytes = URL_SAFE_NO_PAD.decode(text).unwrap();
        for touched in 0..bytes.len() {
            bytes[touched] ^= 1;
            assert!(keys.open("totp", "ada", &format!("{kid}.{}", URL_SAFE_NO_PAD.encode(&bytes))).is_err());
            bytes[touched] ^= 1;
        }
        for nonsense in ["", ".", kid, &format!("{kid}.AA")] {
            assert!(keys.open("totp", "ada", nonsense).is_err(), "{nonsense}");
        }
    }
}
