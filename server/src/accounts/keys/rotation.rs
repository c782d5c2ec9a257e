//! Signing key rotation.

use std::io::ErrorKind;
use std::path::Path;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;

use super::key_set::{GRACE_MS, KeySet, PublicKey};
use super::{Keys, file, unreadable};
use crate::config::{Config, SigningKeySource};
use crate::db::Db;
use crate::infra::clock::{Clock, rfc3339};

/// The schedule of a key that was just published.
#[derive(Clone, Debug)]
pub struct Rotated {
    pub kid: String,
    pub signs_from: i64,
    /// When the predecessor expires.
    pub done_at: i64,
}

impl std::fmt::Display for Rotated {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "Published key {}.\n\
             It starts signing at {}. The previous key expires at {}.\n\
             Processes that read the same file load it automatically. Copy the file to all other processes now.",
            self.kid,
            rfc3339(self.signs_from),
            rfc3339(self.done_at)
        )
    }
}

/// Appends a successor to the key file and publishes it. Every process loads it automatically.
///
/// # Errors
/// A message: the key is not in a file, a rotation is in progress, or the file cannot be written.
pub async fn rotate(config: &Config, db: &Db, clock: &Clock) -> Result<Rotated, String> {
    let SigningKeySource::File(path) = &config.signing_key else {
        return Err(
            "SHOP_SIGNING_KEY contains the key itself, so this command cannot rotate it. Generate a new key with \
            `openssl genpkey -algorithm ed25519`, append it to the current one, and restart every process with both. \
            After half an hour restart them with the new key alone"
                .to_owned(),
        );
    };
    // Creates the file if the shop was never started.
    Keys::load(config, db, clock).await?;
    let draft = begin_draft(path)?;
    // Loads again: the draft now excludes concurrent changes.
    let key_set = Keys::load(config, db, clock).await?.key_set();
    let now_ms = clock.now_ms();
    if let Some(end) = key_set.rotation_ends_at(now_ms) {
        return Err(format!("a rotation is in progress until {}. Try again then", rfc3339(end)));
    }
    let text = next_file(path, &key_set, now_ms).map_err(|error| unreadable(path, &error))?;
    draft.replace(path, &text).map_err(|error| unreadable(path, &error))?;

    let key_set = Keys::load(config, db, clock).await?.key_set();
    let (kid, signs_from) = key_set.newest().ok_or("no key is registered")?;
    Ok(Rotated { kid: kid.to_owned(), signs_from, done_at: signs_from + GRACE_MS })
}

fn begin_draft(path: &Path) -> Result<file::Draft, String> {
    file::Draft::create(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            format!("{} exists: another rotation is in progress", path.with_extension("next").display())
        }
        _ => unreadable(path, &error),
    })
}

/// The valid keys of the file and a new one.
fn next_file(path: &Path, key_set: &KeySet, now_ms: i64) -> std::io::Result<String> {
    let text = std::fs::read_to_string(path)?;
    let is_valid = |block: &&str| {
        SigningKey::from_pkcs8_pem(block.trim()).is_ok_and(|key| key_set.is_valid(&PublicKey::of(&key).kid, now_ms))
    };
    let mut next: String = file::blocks(&text).filter(is_valid).map(|block| format!("{}\n", block.trim())).collect();
    next.push_str(&file::generate_key()?);
    Ok(next)
}
