//! The keys that sign access tokens, and the secrets derived from them.
//!
//! All processes of one shop need the same keys. The database stores their public halves and registration times. A
//! process with an unknown key fails at the start instead of logging users out, and a successor takes effect at the same
//! instant in every process (see [`key_set`]).

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

use self::key_set::KeySet;
pub use self::key_set::{Jwks, PublicKey, TOKEN_LIFETIME_MS};
pub use self::rotation::{Rotated, rotate};
use crate::config::{Config, SigningKeySource};
use crate::db::Db;
use crate::error::Error;
use crate::infra::clock::Clock;

/// The shop's keys. Private keys leave this module only as signatures and derived secrets.
pub struct Keys {
    source: SigningKeySource,
    clock: Clock,
    key_set: watch::Sender<Arc<KeySet>>,
}

impl Keys {
    /// Loads the keys. The first start creates the key file and registers its key; later starts register successors next
    /// to a registered key.
    ///
    /// # Errors
    /// A message that names `SHOP_SIGNING_KEY`: the source is unreadable or has no registered key.
    pub async fn load(config: &Config, db: &Db, clock: &Clock) -> Result<Self, String> {
        let source = config.signing_key.clone();
        let key_set = load_key_set(&source, db, clock.now_ms()).await?;
        Ok(Self { source, clock: clock.clone(), key_set: watch::Sender::new(Arc::new(key_set)) })
    }

    /// A dry run of [`Keys::load`]: returns the id of the newest usable key, or `None` when a start would create it.
    ///
    /// # Errors
    /// The same messages.
    pub async fn examine(config: &Config, database: Option<&mut AnyConnection>) -> Result<Option<String>, String> {
        let private = match &config.signing_key {
            SigningKeySource::Pem(pem) => parse(&pem.replace("\\n", "\n"))?,
            SigningKeySource::File(path) => match std::fs::read_to_string(path) {
                Ok(text) => parse(&text)?,
                Err(error) if error.kind() == ErrorKind::NotFound && database.is_none() => return Ok(None),
                Err(error) => return Err(unreadable(path, &error)),
            },
        };
        let mut registered = Vec::new();
        if let Some(connection) = database {
            registered = store::list(connection).await.map_err(|error| error.to_string())?;
        }
        let own: Vec<PublicKey> = private.iter().map(PublicKey::of).collect();
        if !registered.is_empty() {
            require_registered(&own, &registered)?;
        }
        Ok(own.into_iter().rfind(|key| registered.is_empty() || contains(&registered, key)).map(|key| key.kid))
    }

    /// Loads keys that another process has registered, and successors that were added to the file.
    ///
    /// # Errors
    /// A message for the log. The previous keys stay in use.
    pub async fn reload(&self, db: &Db) -> Result<(), String> {
        let key_set = load_key_set(&self.source, db, self.clock.now_ms()).await?;
        let lacks_newest = key_set.lacks_newest();
        self.key_set.send_replace(Arc::new(key_set));
        if lacks_newest {
            return Err("SHOP_SIGNING_KEY: the shop has a newer key, which this process does not have".to_owned());
        }
        Ok(())
    }

    /// Derives a secret for the purpose, the same in every process: HMAC-SHA256(key, purpose).
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        keyed_hash(&self.key_set().current(self.now_ms()).seed, &[purpose])
    }

    /// The secrets for the purpose under all valid keys, the current one first. They verify values from before a
    /// rotation.
    pub fn derive_all(&self, purpose: &str) -> Vec<[u8; 32]> {
        self.key_set().seeds(self.now_ms()).map(|seed| keyed_hash(&seed, &[purpose])).collect()
    }

    /// The public keys as a JWK set.
    pub fn jwks(&self) -> Jwks {
        self.key_set().jwks(self.now_ms())
    }

    /// The id of the current signing key, and the key. An error when it has expired and this process lacks its
    /// successor.
    pub(super) fn signer(&self) -> Result<(String, EncodingKey), Error> {
        let now_ms = self.now_ms();
        let key_set = self.key_set();
        let key = key_set.current(now_ms);
        if !key_set.is_valid(&key.kid, now_ms) {
            return Err(Error::internal("the signing key was rotated, and this process does not have its successor"));
        }
        Ok((key.kid.clone(), key.encoding.clone()))
    }

    pub(super) fn decoding_key(&self, kid: &str) -> Option<DecodingKey> {
        self.key_set().decoding_key(kid, self.now_ms()).cloned()
    }

    fn key_set(&self) -> Arc<KeySet> {
        self.key_set.borrow().clone()
    }

    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    #[cfg(test)]
    pub(super) fn for_test(seed: [u8; 32]) -> Self {
        let key = SigningKey::from_bytes(&seed);
        let key_set = match KeySet::assemble(std::slice::from_ref(&key), vec![(PublicKey::of(&key), 0)]) {
            Ok(key_set) => key_set,
            Err(message) => panic!("{message}"),
        };
        let source = SigningKeySource::Pem(String::new());
        Self { source, clock: Clock::default(), key_set: watch::Sender::new(Arc::new(key_set)) }
    }
}

async fn load_key_set(source: &SigningKeySource, db: &Db, now_ms: i64) -> Result<KeySet, String> {
    let private = read(source)?;
    let own: Vec<PublicKey> = private.iter().map(PublicKey::of).collect();
    let registered = register(db, own.clone(), now_ms)
        .await
        .map_err(|error| format!("the signing key cannot be registered: {error}"))?;
    require_registered(&own, &registered)?;
    KeySet::assemble(&private, registered)
}

fn read(source: &SigningKeySource) -> Result<Vec<SigningKey>, String> {
    match source {
        SigningKeySource::Pem(pem) => parse(&pem.replace("\\n", "\n")),
        SigningKeySource::File(path) => parse(&file::read_or_create(path).map_err(|error| unreadable(path, &error))?),
    }
}

/// Parses one or more concatenated keys.
fn parse(text: &str) -> Result<Vec<SigningKey>, String> {
    let keys: Result<Vec<SigningKey>, _> =
        file::blocks(text).map(|block| SigningKey::from_pkcs8_pem(block.trim())).collect();
    keys.ok()
        .filter(|keys| !keys.is_empty())
        .ok_or_else(|| "SHOP_SIGNING_KEY is not an Ed25519 private key in PEM format".to_owned())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("SHOP_SIGNING_KEY: {}: {error}", path.display())
}

fn require_registered(own: &[PublicKey], registered: &[(PublicKey, i64)]) -> Result<(), String> {
    if own.iter().any(|key| contains(registered, key)) {
        return Ok(());
    }
    Err("SHOP_SIGNING_KEY is not registered in this shop's database: start every process with the same key".to_owned())
}

/// Registers the shop's first key, and successors next to a registered key. Returns all registered keys with the time of
/// their registration.
async fn register(db: &Db, own: Vec<PublicKey>, now_ms: i64) -> Result<Vec<(PublicKey, i64)>, Error> {
    let registered = store::list(db.read()).await?;
    if own.iter().all(|key| contains(&registered, key)) {
        return Ok(registered);
    }
    db.write((own, now_ms), |tx, (own, now_ms)| Box::pin(insert_new(tx, own, *now_ms))).await
}

async fn insert_new(tx: &mut AnyConnection, own: &[PublicKey], now_ms: i64) -> Result<Vec<(PublicKey, i64)>, Error> {
    if let Some(first) = own.first() {
        store::insert_first(tx, first, now_ms).await?;
    }
    // Another process may have registered a different first key.
    let registered = store::list(&mut *tx).await?;
    if own.iter().any(|key| contains(&registered, key)) {
        for key in own.iter().filter(|key| !contains(&registered, key)) {
            store::insert_next(tx, key, now_ms).await?;
        }
    }
    Ok(store::list(&mut *tx).await?)
}

fn contains(registered: &[(PublicKey, i64)], key: &PublicKey) -> bool {
    registered.iter().any(|(registered, _)| registered == key)
}

/// HMAC-SHA256 of the parts. Each part is prefixed with its length, so that different lists of parts never collide.
pub(super) fn keyed_hash(secret: &[u8; 32], parts: &[&str]) -> [u8; 32] {
    // `new` takes a full block; HMAC pads a shorter key with zeros.
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
mod tests {
    use super::*;
    use crate::infra::encoding::base64url;

    // invariant: key-rotation
    #[test]
    fn the_published_set_holds_nothing_private() {
        let keys = Keys::for_test([7; 32]);
        let set = serde_json::json!(keys.jwks());
        assert_eq!(set["keys"][0]["kid"], keys.signer().unwrap().0);
        assert!(set["keys"][0].get("d").is_none());
        assert!(!set.to_string().contains(&base64url([7; 32])));
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
