//! The keys that sign access tokens, and the secrets derived from them.
//!
//! All processes of one shop need the same keys. The database knows their public halves and since when, so a
//! process that was started with another one notices before anybody is logged out, and a successor takes over
//! at the same instant everywhere (see [`ring`]).

mod eddsa;
mod encrypt;
mod file;
mod key_set;
mod rotation;
mod store;

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jsonwebtoken::{DecodingKey, EncodingKey};
use sha2::Sha256;
use sqlx::AnyConnection;
use tokio::sync::watch;

use self::key_set::Ring;
pub use self::key_set::{Jwks, Public};
pub use self::rotation::{Rotated, rotate};
use crate::config::{Config, SigningKeySource};
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::Clock;

/// The shop's keys. The private ones never leave this module except as signatures and derived secrets.
pub struct Keys {
    source: SigningKeySource,
    clock: Clock,
    /// Replaced as a whole when a successor appears.
    ring: watch::Sender<Arc<Ring>>,
}

impl Keys {
    /// Reads the keys, making their file at the first start. Registers the first one of a shop, and successors
    /// that stand beside a key which the shop knows.
    ///
    /// # Errors
    /// One sentence that names `SHOP_SIGNING_KEY`: unreadable, or no key that this shop's database knows.
    pub async fn load(config: &Config, db: &Db, clock: &Clock) -> Result<Self, String> {
        let source = config.signing_key.clone();
        let ring = read_ring(&source, db, clock.now_ms()).await?;
        Ok(Self { source, clock: clock.clone(), ring: watch::Sender::new(Arc::new(ring)) })
    }

    /// Does what [`Keys::load`] does, as far as nothing is made or registered by it: the name of the newest key that
    /// is known. `None`: both would be.
    ///
    /// # Errors
    /// The same sentences.
    pub async fn examine(config: &Config, known_to: Option<&mut AnyConnection>) -> Result<Option<String>, String> {
        let own = match &config.signing_key {
            SigningKeySource::Pem(pem) => parse(&pem.replace("\\n", "\n"))?,
            SigningKeySource::File(path) => match std::fs::read_to_string(path) {
                Ok(text) => parse(&text)?,
                Err(error) if error.kind() == ErrorKind::NotFound && known_to.is_none() => return Ok(None),
                Err(error) => return Err(unreadable(path, &error)),
            },
        };
        let mut registered = Vec::new();
        if let Some(connection) = known_to {
            registered = store::list(connection).await.map_err(|error| error.to_string())?;
        }
        let own: Vec<Public> = own.iter().map(Public::of).collect();
        if !registered.is_empty() {
            refuse_strangers(&own, &registered)?;
        }
        Ok(own.into_iter().rfind(|key| registered.is_empty() || knows(&registered, key)).map(|key| key.kid))
    }

    /// Takes over what another process has registered since, and successors that were put into the file.
    ///
    /// # Errors
    /// One sentence for the log. What was known before goes on being used.
    pub async fn look_again(&self, db: &Db) -> Result<(), String> {
        let now_ms = self.clock.now_ms();
        let ring = read_ring(&self.source, db, now_ms).await?;
        let lacking = ring.lacks_newest();
        self.ring.send_replace(Arc::new(ring));
        if lacking {
            return Err("SHOP_SIGNING_KEY: this shop has a newer key, which this process was not given".to_owned());
        }
        Ok(())
    }

    /// A secret of its own for each purpose, the same in every process: HMAC-SHA256(key, purpose).
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        keyed_hash(&self.ring().current(self.now_ms()).seed, &[purpose])
    }

    /// The same for every key there is, the current one first: what was made before a rotation still counts.
    pub fn derive_all(&self, purpose: &str) -> Vec<[u8; 32]> {
        self.ring().seeds(self.now_ms()).map(|seed| keyed_hash(&seed, &[purpose])).collect()
    }

    /// The public keys as a JWK set.
    pub fn jwks(&self) -> Jwks {
        self.ring().jwks(self.now_ms())
    }

    /// The key that signs now and its name; an error when it was replaced and the successor is not here.
    pub(super) fn signer(&self) -> Result<(String, EncodingKey), Error> {
        let now_ms = self.now_ms();
        let ring = self.ring();
        let own = ring.current(now_ms);
        if !ring.is_good(&own.kid, now_ms) {
            return Err(Error::internal("the signing key was replaced, and this process was not given its successor"));
        }
        Ok((own.kid.clone(), own.signing.clone()))
    }

    pub(super) fn verifying(&self, kid: &str) -> Option<DecodingKey> {
        self.ring().verifying(kid, self.now_ms()).cloned()
    }

    fn ring(&self) -> Arc<Ring> {
        self.ring.borrow().clone()
    }

    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    #[cfg(test)]
    pub(super) fn for_test(seed: [u8; 32]) -> Self {
        let key = SigningKey::from_bytes(&seed);
        let ring = match Ring::assemble(std::slice::from_ref(&key), vec![(Public::of(&key), 0)]) {
            Ok(ring) => ring,
            Err(sentence) => panic!("{sentence}"),
        };
        let source = SigningKeySource::Pem(String::new());
        Self { source, clock: Clock::default(), ring: watch::Sender::new(Arc::new(ring)) }
    }
}

async fn read_ring(source: &SigningKeySource, db: &Db, now_ms: i64) -> Result<Ring, String> {
    let own = read(source)?;
    let publics: Vec<Public> = own.iter().map(Public::of).collect();
    let registered = register(db, publics.clone(), now_ms)
        .await
        .map_err(|error| format!("the signing key cannot be registered: {error}"))?;
    refuse_strangers(&publics, &registered)?;
    Ring::assemble(&own, registered)
}

fn read(source: &SigningKeySource) -> Result<Vec<SigningKey>, String> {
    match source {
        SigningKeySource::Pem(pem) => parse(&pem.replace("\\n", "\n")),
        SigningKeySource::File(path) => parse(&file::read_or_make(path).map_err(|error| unreadable(path, &error))?),
    }
}

/// One key or several, one after the other.
fn parse(text: &str) -> Result<Vec<SigningKey>, String> {
    let keys: Result<Vec<SigningKey>, _> =
        file::blocks(text).map(|block| SigningKey::from_pkcs8_pem(block.trim())).collect();
    keys.ok()
        .filter(|keys| !keys.is_empty())
        .ok_or_else(|| "SHOP_SIGNING_KEY is not an Ed25519 private key in PEM form".to_owned())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("SHOP_SIGNING_KEY: {}: {error}", path.display())
}

fn refuse_strangers(own: &[Public], registered: &[(Public, i64)]) -> Result<(), String> {
    if own.iter().any(|key| knows(registered, key)) {
        return Ok(());
    }
    Err("SHOP_SIGNING_KEY is not the key this shop's database knows: \
        start every process of one shop with the same key"
        .to_owned())
}

/// Registers the shop's first key, and successors that stand beside a key which the shop knows. Lists all that
/// are registered and since when.
async fn register(db: &Db, own: Vec<Public>, now_ms: i64) -> Result<Vec<(Public, i64)>, Error> {
    let known = store::list(db.read()).await?;
    if own.iter().all(|key| knows(&known, key)) {
        return Ok(known);
    }
    db.write_closure(move |tx| {
        let own = own.clone();
        Box::pin(async move {
            if let Some(first) = own.first() {
                store::insert_first(tx, first, now_ms).await?;
            }
            // Another process may have been first, with a key of its own.
            let known = store::list(&mut *tx).await?;
            if own.iter().any(|key| knows(&known, key)) {
                for key in own.iter().filter(|key| !knows(&known, key)) {
                    store::insert_next(tx, key, now_ms).await?;
                }
            }
            Ok(store::list(&mut *tx).await?)
        })
    })
    .await
}

fn knows(known: &[(Public, i64)], key: &Public) -> bool {
    known.iter().any(|(known, _)| known == key)
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::*;

    // rule 27
    #[test]
    fn the_published_set_holds_nothing_private() {
        let keys = Keys::for_test([7; 32]);
        let set = serde_json::json!(keys.jwks());
        assert_eq!(set["keys"][0]["kid"], keys.signer().unwrap().0);
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
        assert_eq!(one.derive_all("codes"), [one.derive("codes")]);
    }

    #[test]
    fn parts_that_join_to_the_same_text_hash_differently() {
        assert_ne!(keyed_hash(&[1; 32], &["ab", "c"]), keyed_hash(&[1; 32], &["a", "bc"]));
    }
}
