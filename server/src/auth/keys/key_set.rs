//! Which key signs and which are believed, at any instant.
//!
//! A successor is published first and signs five minutes later: by then every process has it, and whoever keeps
//! the published set for as long as it allows has read it again. Its predecessor is believed for another twenty
//! minutes: the life of a token and those five minutes.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey as _;
use jsonwebtoken::{DecodingKey, EncodingKey};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::eddsa;
use crate::auth::token;
use crate::infra::clock::MINUTE;

/// From being published to signing; also how long the published set may be kept.
pub const LEAD_MS: i64 = 5 * MINUTE;
/// From no longer signing to being refused.
pub const FAREWELL_MS: i64 = token::LIFETIME_MS + LEAD_MS;

/// A set of public keys in the form of RFC 7517.
#[derive(Serialize, ToSchema)]
pub struct Jwks {
    keys: Vec<Jwk>,
}

/// An Ed25519 public key in the form of RFC 8037.
#[derive(Serialize, ToSchema)]
struct Jwk {
    kty: &'static str,
    crv: &'static str,
    alg: &'static str,
    #[serde(rename = "use")]
    purpose: &'static str,
    kid: String,
    x: String,
}

/// A key's public half: what the database keeps of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    /// The JWK thumbprint of RFC 7638, so that a key always has the same name.
    pub kid: String,
    /// base64url, as in a JWK.
    pub x: String,
}

impl Public {
    pub fn of(key: &SigningKey) -> Self {
        let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
        let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        Self { kid: URL_SAFE_NO_PAD.encode(Sha256::digest(canonical)), x }
    }
}

/// A registered key.
struct Known {
    public: Public,
    verifying: DecodingKey,
    signs_from: i64,
    /// `None` while it has no successor.
    refused_from: Option<i64>,
}

impl Known {
    fn is_good(&self, now_ms: i64) -> bool {
        self.refused_from.is_none_or(|from| now_ms < from)
    }
}

/// A key whose private half this process has.
pub struct Own {
    pub kid: String,
    pub seed: [u8; 32],
    pub signing: EncodingKey,
    signs_from: i64,
}

/// The registered keys, and those of them that this process has.
pub struct Ring {
    /// Oldest first.
    known: Vec<Known>,
    /// The oldest one that is here; there is always one.
    first_own: Own,
    /// Oldest first.
    later_own: Vec<Own>,
}

impl Ring {
    /// `registered`: every key the database knows, oldest first, with the instant it was registered.
    pub fn assemble(own: &[SigningKey], registered: Vec<(Public, i64)>) -> Result<Self, String> {
        eddsa::install();
        let mut known: Vec<Known> = Vec::new();
        let mut owned = Vec::new();
        for (public, registered_at) in registered {
            // The first key of a shop has nobody to wait for.
            let signs_from = if known.is_empty() { registered_at } else { registered_at + LEAD_MS };
            if let Some(predecessor) = known.last_mut() {
                predecessor.refused_from = Some(signs_from + FAREWELL_MS);
            }
            let kid = &public.kid;
            if let Some(key) = own.iter().find(|key| Public::of(key).kid == *kid) {
                owned.push(Own::of(key, kid.clone(), signs_from)?);
            }
            let verifying = DecodingKey::from_ed_components(&public.x)
                .map_err(|error| format!("the database's public key {kid} is damaged: {error}"))?;
            known.push(Known { public, verifying, signs_from, refused_from: None });
        }
        let mut owned = owned.into_iter();
        let first_own = owned.next().ok_or("SHOP_SIGNING_KEY is not a key of this shop")?;
        Ok(Self { known, first_own, later_own: owned.collect() })
    }

    /// The newest key here that may sign already.
    pub fn current(&self, now_ms: i64) -> &Own {
        self.later_own.iter().rev().find(|own| own.signs_from <= now_ms).unwrap_or(&self.first_own)
    }

    pub fn is_good(&self, kid: &str, now_ms: i64) -> bool {
        self.find_good(kid, now_ms).is_some()
    }

    pub fn verifying(&self, kid: &str, now_ms: i64) -> Option<&DecodingKey> {
        self.find_good(kid, now_ms).map(|known| &known.verifying)
    }

    fn find_good(&self, kid: &str, now_ms: i64) -> Option<&Known> {
        self.known.iter().find(|known| known.public.kid == kid && known.is_good(now_ms))
    }

    /// What secrets are derived from: the current key's seed, then those of the others that are good.
    pub fn seeds(&self, now_ms: i64) -> impl Iterator<Item = [u8; 32]> {
        let current = self.current(now_ms);
        let others = self.own().filter(move |own| own.kid != current.kid && self.is_good(&own.kid, now_ms));
        std::iter::once(current).chain(others).map(|own| own.seed)
    }

    /// Also of a key that is refused by now: what it sealed can still be opened.
    pub fn seed_of(&self, kid: &str) -> Option<[u8; 32]> {
        self.own().find(|own| own.kid == kid).map(|own| own.seed)
    }

    fn own(&self) -> impl Iterator<Item = &Own> {
        std::iter::once(&self.first_own).chain(&self.later_own)
    }

    /// True when the newest key is in somebody else's hands alone.
    pub fn lacks_newest(&self) -> bool {
        self.known.last().is_some_and(|newest| self.own().all(|own| own.kid != newest.public.kid))
    }

    /// Until when an earlier rotation is under way.
    pub fn rotating_until(&self, now_ms: i64) -> Option<i64> {
        let ends = self.known.iter().filter_map(|known| known.refused_from);
        ends.max().filter(|end| now_ms < *end)
    }

    /// The newest key's name and the instant from which it signs.
    pub fn newest(&self) -> Option<(&str, i64)> {
        self.known.last().map(|newest| (newest.public.kid.as_str(), newest.signs_from))
    }

    pub fn jwks(&self, now_ms: i64) -> Jwks {
        let jwk = |known: &Known| Jwk {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            purpose: "sig",
            kid: known.public.kid.clone(),
            x: known.public.x.clone(),
        };
        Jwks { keys: self.known.iter().filter(|known| known.is_good(now_ms)).map(jwk).collect() }
    }
}

impl Own {
    fn of(key: &SigningKey, kid: String, signs_from: i64) -> Result<Self, String> {
        let der = key.to_pkcs8_der().map_err(|error| format!("SHOP_SIGNING_KEY cannot be used: {error}"))?;
        Ok(Self { kid, seed: key.to_bytes(), signing: EncodingKey::from_ed_der(der.as_bytes()), signs_from })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SOON: i64 = LEAD_MS - 1;
    const GONE: i64 = LEAD_MS + FAREWELL_MS;

    fn key(byte: u8) -> (SigningKey, Public) {
        let key = SigningKey::from_bytes(&[byte; 32]);
        let public = Public::of(&key);
        (key, public)
    }

    fn names(ring: &Ring, now_ms: i64) -> Vec<String> {
        ring.jwks(now_ms).keys.into_iter().map(|key| key.kid).collect()
    }

    #[test]
    fn the_kid_is_the_thumbprint_of_the_public_key() {
        // The key and its thumbprint in RFC 8037, appendices A.1 and A.3.
        let seed = URL_SAFE_NO_PAD.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A").unwrap();
        let key = SigningKey::from_bytes(&seed.try_into().unwrap());
        let public = Public::of(&key);
        assert_eq!(public.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        assert_eq!(public.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    // rule 27
    #[test]
    fn a_successor_is_published_then_signs_and_then_its_predecessor_is_refused() {
        let ((old, old_public), (new, new_public)) = (key(1), key(2));
        let ring = Ring::assemble(&[old, new], vec![(old_public.clone(), -99), (new_public.clone(), 0)]).unwrap();
        let (old, new) = (old_public.kid, new_public.kid);
        for (now_ms, signs, published) in [
            (0, &old, vec![&old, &new]),
            (SOON, &old, vec![&old, &new]),
            (LEAD_MS, &new, vec![&old, &new]),
            (GONE - 1, &new, vec![&old, &new]),
            (GONE, &new, vec![&new]),
        ] {
            assert_eq!(&ring.current(now_ms).kid, signs, "{now_ms}");
            assert_eq!(names(&ring, now_ms).iter().collect::<Vec<_>>(), published, "{now_ms}");
            assert_eq!(ring.verifying(&old, now_ms).is_some(), now_ms < GONE);
            assert_eq!(ring.rotating_until(now_ms), (now_ms < GONE).then_some(GONE));
            assert_eq!(ring.seeds(now_ms).count(), published.len());
        }
    }

    #[test]
    fn a_process_without_the_successor_believes_it_and_knows_what_it_lacks() {
        let ((old, old_public), (_, new_public)) = (key(1), key(2));
        let ring = Ring::assemble(&[old], vec![(old_public.clone(), -99), (new_public.clone(), 0)]).unwrap();
        assert!(ring.lacks_newest());
        assert!(ring.verifying(&new_public.kid, 0).is_some());
        assert_eq!(ring.current(GONE).kid, old_public.kid);
        assert!(!ring.is_good(&old_public.kid, GONE));
    }
}
