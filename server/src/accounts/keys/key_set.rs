//! The signing key and the verifying keys at a given instant.
//!
//! Key rotation: a successor is published seven minutes before it signs. By then every process has published it for
//! longer than a JWK set may be cached. Its predecessor stays valid for another twenty minutes: the lifetime of a token
//! plus the time for which an old JWK set may be cached.

use ed25519_dalek::SigningKey as Ed25519Key;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use jsonwebtoken::{DecodingKey, EncodingKey};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::eddsa;
use crate::infra::clock::MINUTE;
use crate::infra::encoding::base64url;

/// The lifetime of an access token, which outlives the rotation of its key.
pub const TOKEN_LIFETIME_MS: i64 = 15 * MINUTE;
/// How long clients may cache the published set.
pub const CACHE_MS: i64 = 5 * MINUTE;
/// The time from registering a key to signing with it: processes look for new keys once a minute.
pub const LEAD_MS: i64 = CACHE_MS + 2 * MINUTE;
/// The time for which a key stays valid after its successor has started to sign.
pub const GRACE_MS: i64 = TOKEN_LIFETIME_MS + CACHE_MS;

/// A JSON Web Key Set (RFC 7517).
#[derive(Serialize, ToSchema)]
pub struct Jwks {
    keys: Vec<Jwk>,
}

/// An Ed25519 public key as a JSON Web Key (RFC 8037).
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "kty": "OKP",
    "crv": "Ed25519",
    "alg": "EdDSA",
    "use": "sig",
    "kid": "p0Yk3a9bZ2c",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
})))]
struct Jwk {
    kty: &'static str,
    crv: &'static str,
    alg: &'static str,
    #[serde(rename = "use")]
    purpose: &'static str,
    kid: String,
    x: String,
}

/// The public half of a key, as stored in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The JWK thumbprint (RFC 7638).
    pub kid: String,
    /// The key in base64url, as in a JWK.
    pub x: String,
}

impl PublicKey {
    pub fn of(key: &Ed25519Key) -> Self {
        let x = base64url(key.verifying_key().as_bytes());
        let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        Self { kid: base64url(Sha256::digest(canonical)), x }
    }
}

/// A registered key.
struct VerifyingKey {
    public: PublicKey,
    decoding: DecodingKey,
    signs_from: i64,
    /// `None` while it has no successor.
    expires_at: Option<i64>,
}

impl VerifyingKey {
    fn is_valid(&self, now_ms: i64) -> bool {
        self.expires_at.is_none_or(|expires_at| now_ms < expires_at)
    }
}

/// A key whose private half this process has.
pub struct SigningKey {
    pub kid: String,
    pub seed: [u8; 32],
    pub encoding: EncodingKey,
    signs_from: i64,
}

/// All registered keys, and the private halves that this process has.
pub struct KeySet {
    /// Oldest first.
    verifying: Vec<VerifyingKey>,
    /// The oldest signing key; there is always at least one.
    first_signing: SigningKey,
    /// The other signing keys, oldest first.
    later_signing: Vec<SigningKey>,
}

impl KeySet {
    /// Builds the set from the private keys of this process and all registered keys, oldest first, with the time of
    /// their registration.
    pub fn assemble(private: &[Ed25519Key], registered: Vec<(PublicKey, i64)>) -> Result<Self, String> {
        eddsa::install();
        let mut verifying: Vec<VerifyingKey> = Vec::new();
        let mut signing = Vec::new();
        for (public, registered_at) in registered {
            // The first key of a shop has no predecessor to wait for.
            let signs_from = if verifying.is_empty() { registered_at } else { registered_at + LEAD_MS };
            if let Some(predecessor) = verifying.last_mut() {
                predecessor.expires_at = Some(signs_from + GRACE_MS);
            }
            let kid = &public.kid;
            if let Some(key) = private.iter().find(|key| PublicKey::of(key).kid == *kid) {
                signing.push(SigningKey::of(key, kid.clone(), signs_from)?);
            }
            let decoding = DecodingKey::from_ed_components(&public.x)
                .map_err(|error| format!("the public key {kid} in the database is corrupt: {error}"))?;
            verifying.push(VerifyingKey { public, decoding, signs_from, expires_at: None });
        }
        let mut signing = signing.into_iter();
        let first_signing = signing.next().ok_or("SHOP_SIGNING_KEY is not registered in this shop's database")?;
        Ok(Self { verifying, first_signing, later_signing: signing.collect() })
    }

    /// The newest signing key that already signs.
    pub fn current(&self, now_ms: i64) -> &SigningKey {
        self.later_signing.iter().rev().find(|key| key.signs_from <= now_ms).unwrap_or(&self.first_signing)
    }

    pub fn is_valid(&self, kid: &str, now_ms: i64) -> bool {
        self.find_valid(kid, now_ms).is_some()
    }

    pub fn decoding_key(&self, kid: &str, now_ms: i64) -> Option<&DecodingKey> {
        self.find_valid(kid, now_ms).map(|key| &key.decoding)
    }

    fn find_valid(&self, kid: &str, now_ms: i64) -> Option<&VerifyingKey> {
        self.verifying.iter().find(|key| key.public.kid == kid && key.is_valid(now_ms))
    }

    /// The seeds for key derivation: the current key's first, then those of the other valid keys.
    pub fn seeds(&self, now_ms: i64) -> impl Iterator<Item = [u8; 32]> {
        let current = self.current(now_ms);
        let others = self.signing().filter(move |key| key.kid != current.kid && self.is_valid(&key.kid, now_ms));
        std::iter::once(current).chain(others).map(|key| key.seed)
    }

    /// The seed of a key, even of an expired one, which can still decrypt.
    pub fn seed_of(&self, kid: &str) -> Option<[u8; 32]> {
        self.signing().find(|key| key.kid == kid).map(|key| key.seed)
    }

    fn signing(&self) -> impl Iterator<Item = &SigningKey> {
        std::iter::once(&self.first_signing).chain(&self.later_signing)
    }

    /// Whether this process lacks the private half of the newest key.
    pub fn lacks_newest(&self) -> bool {
        self.verifying.last().is_some_and(|newest| self.signing().all(|key| key.kid != newest.public.kid))
    }

    /// When the rotation in progress ends.
    pub fn rotation_ends_at(&self, now_ms: i64) -> Option<i64> {
        let ends = self.verifying.iter().filter_map(|key| key.expires_at);
        ends.max().filter(|end| now_ms < *end)
    }

    /// The newest key's id, and the instant from which it signs.
    pub fn newest(&self) -> Option<(&str, i64)> {
        self.verifying.last().map(|newest| (newest.public.kid.as_str(), newest.signs_from))
    }

    pub fn jwks(&self, now_ms: i64) -> Jwks {
        let jwk = |key: &VerifyingKey| Jwk {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            purpose: "sig",
            kid: key.public.kid.clone(),
            x: key.public.x.clone(),
        };
        Jwks { keys: self.verifying.iter().filter(|key| key.is_valid(now_ms)).map(jwk).collect() }
    }
}

impl SigningKey {
    fn of(key: &Ed25519Key, kid: String, signs_from: i64) -> Result<Self, String> {
        let der = key.to_pkcs8_der().map_err(|error| format!("SHOP_SIGNING_KEY cannot be used: {error}"))?;
        Ok(Self { kid, seed: key.to_bytes(), encoding: EncodingKey::from_ed_der(der.as_bytes()), signs_from })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::encoding::decode_base64url;

    const SOON: i64 = LEAD_MS - 1;
    const GONE: i64 = LEAD_MS + GRACE_MS;

    fn key(byte: u8) -> (Ed25519Key, PublicKey) {
        let key = Ed25519Key::from_bytes(&[byte; 32]);
        let public = PublicKey::of(&key);
        (key, public)
    }

    fn names(key_set: &KeySet, now_ms: i64) -> Vec<String> {
        key_set.jwks(now_ms).keys.into_iter().map(|key| key.kid).collect()
    }

    #[test]
    fn the_kid_is_the_thumbprint_of_the_public_key() {
        // The key and its thumbprint in RFC 8037, appendices A.1 and A.3.
        let seed = decode_base64url("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A").unwrap();
        let key = Ed25519Key::from_bytes(&seed.try_into().unwrap());
        let public = PublicKey::of(&key);
        assert_eq!(public.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        assert_eq!(public.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    // invariant: key-rotation
    #[test]
    fn a_successor_is_published_then_signs_and_then_its_predecessor_is_refused() {
        let ((old, old_public), (new, new_public)) = (key(1), key(2));
        let key_set = KeySet::assemble(&[old, new], vec![(old_public.clone(), -99), (new_public.clone(), 0)]).unwrap();
        let (old, new) = (old_public.kid, new_public.kid);
        for (now_ms, signs, published) in [
            (0, &old, vec![&old, &new]),
            (SOON, &old, vec![&old, &new]),
            (LEAD_MS, &new, vec![&old, &new]),
            (GONE - 1, &new, vec![&old, &new]),
            (GONE, &new, vec![&new]),
        ] {
            assert_eq!(&key_set.current(now_ms).kid, signs, "{now_ms}");
            assert_eq!(names(&key_set, now_ms).iter().collect::<Vec<_>>(), published, "{now_ms}");
            assert_eq!(key_set.decoding_key(&old, now_ms).is_some(), now_ms < GONE);
            assert_eq!(key_set.rotation_ends_at(now_ms), (now_ms < GONE).then_some(GONE));
            assert_eq!(key_set.seeds(now_ms).count(), published.len());
        }
    }

    #[test]
    fn a_process_without_the_successor_believes_it_and_knows_what_it_lacks() {
        let ((old, old_public), (_, new_public)) = (key(1), key(2));
        let key_set = KeySet::assemble(&[old], vec![(old_public.clone(), -99), (new_public.clone(), 0)]).unwrap();
        assert!(key_set.lacks_newest());
        assert!(key_set.decoding_key(&new_public.kid, 0).is_some());
        assert_eq!(key_set.current(GONE).kid, old_public.kid);
        assert!(!key_set.is_valid(&old_public.kid, GONE));
    }
}
