//! The key that signs access tokens, and the secrets derived from it.
//!
//! All processes of one shop need the same key. The database knows its public half, so a process that was
//! started with another one notices before anybody is logged out.

mod file;
mod store;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::{DecodingKey, EncodingKey};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use utoipa::ToSchema;

use crate::clock::Clock;
use crate::config::{Config, SigningKeySource};
use crate::db::Db;

/// The shop's keys. The private one never leaves this module except as signatures and derived secrets.
pub struct Keys {
    kid: String,
    seed: [u8; 32],
    signing: EncodingKey,
    /// Every registered public key by its `kid`.
    public: BTreeMap<String, PublicKey>,
}

struct PublicKey {
    /// base64url, as in a JWK.
    x: String,
    verifying: DecodingKey,
}

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

impl Keys {
    /// Reads the key, making its file at the first start, and registers it if the shop has none yet.
    ///
    /// # Errors
    /// One sentence that names `SHOP_SIGNING_KEY`: unreadable, or not the key this shop's database knows.
    pub async fn load(config: &Config, db: &Db, clock: &Clock) -> Result<Self, String> {
        let key = match &config.signing_key {
            SigningKeySource::Pem(pem) => parse(&pem.replace("\\n", "\n"))?,
            SigningKeySource::File(path) => {
                parse(&file::read_or_make(path).map_err(|error| unreadable(path, &error))?)?
            }
        };
        let mine = Public::of(&key);
        let registered = register(db, &mine, clock.now_ms())
            .await
            .map_err(|error| format!("the signing key cannot be registered: {error}"))?;
        refuse_stranger(&mine, &registered)?;
        Self::assemble(&key, registered)
    }

    /// Does what [`Keys::load`] does, as far as nothing is made or registered by it. `None`: both would be.
    ///
    /// # Errors
    /// The same sentences.
    pub async fn examine(config: &Config, known_to: Option<&mut AnyConnection>) -> Result<Option<String>, String> {
        let key = match &config.signing_key {
            SigningKeySource::Pem(pem) => parse(&pem.replace("\\n", "\n"))?,
            SigningKeySource::File(path) => match std::fs::read_to_string(path) {
                Ok(pem) => parse(&pem)?,
                Err(error) if error.kind() == ErrorKind::NotFound && known_to.is_none() => return Ok(None),
                Err(error) => return Err(unreadable(path, &error)),
            },
        };
        let mine = Public::of(&key);
        if let Some(connection) = known_to {
            let registered = store::list(connection).await.map_err(|error| error.to_string())?;
            if !registered.is_empty() {
                refuse_stranger(&mine, &registered)?;
            }
        }
        Ok(Some(mine.kid))
    }

    fn assemble(key: &SigningKey, registered: Vec<Public>) -> Result<Self, String> {
        let der = key.to_pkcs8_der().map_err(|error| format!("SHOP_SIGNING_KEY cannot be used: {error}"))?;
        let mut public = BTreeMap::new();
        for Public { kid, x } in registered {
            let verifying = DecodingKey::from_ed_components(&x)
                .map_err(|error| format!("the database's public key {kid} is damaged: {error}"))?;
            public.insert(kid, PublicKey { x, verifying });
        }
        Ok(Self {
            kid: Public::of(key).kid,
            seed: key.to_bytes(),
            signing: EncodingKey::from_ed_der(der.as_bytes()),
            public,
        })
    }

    /// A secret of its own for each purpose, the same in every process: HMAC-SHA256(key, purpose).
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        keyed_hash(&self.seed, &[purpose])
    }

    /// The public keys as a JWK set.
    pub fn jwks(&self) -> Jwks {
        let jwk = |(kid, key): (&String, &PublicKey)| Jwk {
            kty: "OKP",
            crv: "Ed25519",
            alg: "EdDSA",
            purpose: "sig",
            kid: kid.clone(),
            x: key.x.clone(),
        };
        Jwks { keys: self.public.iter().map(jwk).collect() }
    }

    pub(super) fn kid(&self) -> &str {
        &self.kid
    }

    pub(super) fn signing(&self) -> &EncodingKey {
        &self.signing
    }

    pub(super) fn verifying(&self, kid: &str) -> Option<&DecodingKey> {
        self.public.get(kid).map(|key| &key.verifying)
    }

    #[cfg(test)]
    pub(super) fn for_test(seed: [u8; 32]) -> Self {
        let key = SigningKey::from_bytes(&seed);
        match Self::assemble(&key, vec![Public::of(&key)]) {
            Ok(keys) => keys,
            Err(sentence) => panic!("{sentence}"),
        }
    }
}

fn parse(pem: &str) -> Result<SigningKey, String> {
    SigningKey::from_pkcs8_pem(pem.trim())
        .map_err(|_| "SHOP_SIGNING_KEY is not an Ed25519 private key in PEM form".to_owned())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("SHOP_SIGNING_KEY: {}: {error}", path.display())
}

fn refuse_stranger(mine: &Public, registered: &[Public]) -> Result<(), String> {
    if registered.iter().any(|known| known.kid == mine.kid) {
        return Ok(());
    }
    Err("SHOP_SIGNING_KEY is not the key this shop's database knows: \
        start every process of one shop with the same key"
        .to_owned())
}

/// HMAC-SHA256 over the parts, each with its length so that no two lists of parts read alike.
pub(super) fn keyed_hash(secret: &[u8; 32], parts: &[&str]) -> [u8; 32] {
    // `new` takes a whole block; a shorter key is filled up with zeros, as HMAC itself does.
    let mut block = [0; 64];
    block[..32].copy_from_slice(secret);
    let mut mac = Hmac::<Sha256>::new(&block.into());
    for part in parts {
        mac.update(&part.len().to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac.finalize().into_bytes().into()
}

/// A key's public half: what the database keeps of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Public {
    /// The JWK thumbprint of RFC 7638, so that a key always has the same name.
    kid: String,
    x: String,
}

impl Public {
    fn of(key: &SigningKey) -> Self {
        let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
        let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        Self { kid: URL_SAFE_NO_PAD.encode(Sha256::digest(canonical)), x }
    }
}

/// Registers `mine` if it is the shop's first, and lists all that are registered.
async fn register(db: &Db, mine: &Public, now_ms: i64) -> Result<Vec<Public>, crate::error::Error> {
    let mine = mine.clone();
    db.write(move |tx| {
        let mine = mine.clone();
        Box::pin(async move {
            store::insert_first(tx, &mine, now_ms).await?;
            Ok(store::list(tx).await?)
        })
    })
    .await
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_kid_is_the_thumbprint_of_the_public_key() {
        // The key and its thumbprint in RFC 8037, appendices A.1 and A.3.
        let seed = URL_SAFE_NO_PAD.decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A").unwrap();
        let key = SigningKey::from_bytes(&seed.try_into().unwrap());
        let public = Public::of(&key);
        assert_eq!(public.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        assert_eq!(public.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    #[test]
    fn the_published_set_holds_nothing_private() {
        let keys = Keys::for_test([7; 32]);
        let set = serde_json::json!(keys.jwks());
        assert_eq!(set["keys"][0]["kid"], keys.kid());
        assert!(set["keys"][0].get("d").is_none());
        assert!(!set.to_string().contains(&URL_SAFE_NO_PAD.encode([7; 32])));
    }

    #[test]
    fn each_purpose_has_its_own_secret_and_every_process_the_same() {
        let one = Keys::for_test([7; 32]);
        let other = Keys::for_test([7; 32]);
        assert_eq!(one.derive("codes"), other.derive("codes"));
        assert_ne!(one.derive("codes"), one.derive("bot-check"));
        assert_ne!(one.derive("codes"), Keys::for_test([8; 32]).derive("codes"));
    }

    #[test]
    fn parts_that_join_to_the_same_text_hash_differently() {
        assert_ne!(keyed_hash(&[1; 32], &["ab", "c"]), keyed_hash(&[1; 32], &["a", "bc"]));
    }
}
