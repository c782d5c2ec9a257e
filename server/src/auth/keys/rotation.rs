//! A successor for the signing key.

use std::io::ErrorKind;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;

use super::key_set::{FAREWELL_MS, Public};
use super::{Keys, file};
use crate::config::{Config, SigningKeySource};
use crate::db::Db;
use crate::infra::clock::{Clock, rfc3339};

/// A key that was published, and what happens when.
#[derive(Clone, Debug)]
pub struct Rotated {
    pub kid: String,
    pub signs_from: i64,
    /// From then on the predecessor is refused.
    pub done_at: i64,
}

impl std::fmt::Display for Rotated {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "The key {} is published.\n\
             It signs from {} on; its predecessor is refused from {} on.\n\
             Processes that read the same file take it over by themselves. Copy the file to any other now.",
            self.kid,
            rfc3339(self.signs_from),
            rfc3339(self.done_at)
        )
    }
}

/// Adds a successor to the key's file and publishes it. Every process takes it over by itself.
///
/// # Errors
/// One sentence: the key is not in a file, a rotation is under way, or the file cannot be written.
pub async fn rotate(config: &Config, db: &Db, clock: &Clock) -> Result<Rotated, String> {
    let SigningKeySource::File(path) = &config.signing_key else {
        return Err("SHOP_SIGNING_KEY holds the key itself, which no command can rewrite. Make a successor with \
            `openssl genpkey -algorithm ed25519`, put it behind the key that is there, and start every process with \
            both; half an hour later start them with the successor alone"
            .to_owned());
    };
    let cannot = |error: std::io::Error| format!("SHOP_SIGNING_KEY: {}: {error}", path.display());
    // Makes the file, if this is a shop that was never started.
    Keys::load(config, db, clock).await?;
    let draft = match file::Draft::of(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(format!(
                "{} is there: somebody else is rotating the key",
                path.with_extension("next").display()
            ));
        }
        begun => begun.map_err(cannot)?,
    };
    // Read again, now that nobody else can change it.
    let ring = Keys::load(config, db, clock).await?.ring();
    let now_ms = clock.now_ms();
    if let Some(until) = ring.rotating_until(now_ms) {
        return Err(format!("the last rotation is under way until {}; try again then", rfc3339(until)));
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    let is_good = |block: &&str| {
        SigningKey::from_pkcs8_pem(block.trim()).is_ok_and(|key| ring.is_good(&Public::of(&key).kid, now_ms))
    };
    let mut next: String = file::blocks(&text).filter(is_good).map(|block| format!("{}\n", block.trim())).collect();
    next.push_str(&file::make_key().map_err(cannot)?);
    draft.replace(path, &next).map_err(cannot)?;

    let ring = Keys::load(config, db, clock).await?.ring();
    let (kid, signs_from) = ring.newest().ok_or("no key is registered")?;
    Ok(Rotated { kid: kid.to_owned(), signs_from, done_at: signs_from + FAREWELL_MS })
}
