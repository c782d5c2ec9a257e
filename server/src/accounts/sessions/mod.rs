//! Sessions and their refresh tokens.
//!
//! A session is one login on one device. It expires after 30 days, or 14 days without use.
//!
//! Refresh token rotation: a token is spent by its first use, which returns a successor. The successor is a keyed hash
//! of the spent token, so a client that lost the response gets the same successor when it retries, and the database
//! stores token hashes only. Reuse after the grace period means that the token was stolen, and ends the session.

mod handlers;
pub mod store;

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use utoipa::ToSchema;

pub use self::handlers::router;
use self::store::LiveSession;
use super::keys::{Keys, keyed_hash};
use super::store::User;
use super::token;
use crate::accounts::Accounts;
use crate::error::Error;
use crate::infra::clock::{DAY, SECOND};
use crate::infra::encoding::base64url;
use crate::infra::random;

/// The maximum age of a session.
const LIFETIME_MS: i64 = 30 * DAY;
/// The maximum time between two refreshes.
const IDLE_MS: i64 = 14 * DAY;
/// How long a spent token still returns its successor.
const GRACE_MS: i64 = 20 * SECOND;

/// The tokens of a session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({
    "accessToken": "eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMTkzIn0.c2lnbmF0dXJl",
    "refreshToken": "k3Zb0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyXM",
})))]
pub struct Tokens {
    /// A JWT that is valid for 15 minutes.
    pub access_token: String,
    /// A token that gets the next pair of tokens, once.
    pub refresh_token: String,
}

impl Tokens {
    /// Issues an access token to go with the refresh token.
    pub fn issue(state: &Accounts, session: &LiveSession, refresh_token: String) -> Result<Self, Error> {
        let subject = token::Subject {
            user_id: &session.user_id,
            session_id: &session.id,
            email: &session.email,
            groups: &session.role.groups(),
        };
        let now_ms = state.clock.now_ms();
        let access_token = token::issue(&state.keys, state.config.issuer(), subject, now_ms)?;
        Ok(Self { access_token, refresh_token })
    }
}

/// The id and the first refresh token of a new session.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub session_id: String,
    pub refresh_token: String,
}

impl NewSession {
    pub fn new() -> Self {
        Self { session_id: random::new_id(), refresh_token: base64url(random::random_bytes::<32>()) }
    }
}

/// Inserts a session and its first refresh token.
pub async fn begin(
    tx: &mut AnyConnection,
    new: &NewSession,
    user: &User,
    device: &str,
    now_ms: i64,
) -> Result<LiveSession, sqlx::Error> {
    let expires_at = now_ms + IDLE_MS;
    let row = store::NewSessionRow { id: &new.session_id, user_id: &user.id, device, created_at: now_ms, expires_at };
    store::insert_session(tx, row).await?;
    store::insert_token(tx, &token_hash(&new.refresh_token), &new.session_id).await?;
    let User { id: user_id, email, role, .. } = user.clone();
    Ok(LiveSession { id: new.session_id.clone(), user_id, email, role })
}

/// The result of using a refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotation {
    Renewed {
        session: LiveSession,
        refresh_token: String,
    },
    /// The token is unknown or its session has ended.
    Rejected,
    /// The token was spent before, and this reuse has ended its session.
    Reused {
        session: LiveSession,
    },
}

/// Spends the token and returns its successor, or detects reuse.
///
/// The transaction must commit whatever the result is, or a stolen token would leave its session active.
pub async fn rotate(
    tx: &mut AnyConnection,
    successors: &Successors,
    refresh_token: &str,
    now_ms: i64,
) -> Result<Rotation, sqlx::Error> {
    let hash = token_hash(refresh_token);
    let Some(session) = store::find_live_by_token(&mut *tx, &hash, now_ms).await? else {
        return Ok(Rotation::Rejected);
    };
    match store::spend(tx, &hash, now_ms).await? {
        store::TokenUse::First => {
            let successor = successors.first_of(refresh_token);
            store::insert_token(tx, &token_hash(&successor), &session.id).await?;
            store::touch(tx, &session.id, now_ms, LIFETIME_MS, IDLE_MS).await?;
            Ok(Rotation::Renewed { session, refresh_token: successor })
        }
        store::TokenUse::Reuse { spent_at } if now_ms - spent_at > GRACE_MS => {
            store::end(tx, &session.id, now_ms).await?;
            Ok(Rotation::Reused { session })
        }
        store::TokenUse::Reuse { .. } => {
            // The signing key may have been rotated since the first use.
            for successor in successors.all_of(refresh_token) {
                if store::exists_token(tx, &token_hash(&successor)).await? {
                    return Ok(Rotation::Renewed { session, refresh_token: successor });
                }
            }
            Ok(Rotation::Rejected)
        }
    }
}

/// Derives the successor of a refresh token, the same in every process of the shop.
pub struct Successors(Vec<[u8; 32]>);

impl Successors {
    pub fn of_shop(keys: &Keys) -> Self {
        Self(keys.derive_all("refresh-successor"))
    }

    /// The successor under the current key.
    fn first_of(&self, spent: &str) -> String {
        self.all_of(spent).next().unwrap_or_default()
    }

    /// The successors under all keys, the current one first.
    fn all_of(&self, spent: &str) -> impl Iterator<Item = String> {
        self.0.iter().map(move |key| base64url(keyed_hash(key, &[spent])))
    }
}

/// Deletes sessions one day after they ended or expired.
pub async fn sweep(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    store::delete_ended(tx, now_ms - DAY).await
}

/// Whether the text has the form of a token: 256 bits in URL-safe base64.
pub fn is_well_formed(token: &str) -> bool {
    token.len() == 43
        && token.bytes().all(|character| character.is_ascii_alphanumeric() || matches!(character, b'-' | b'_'))
}

/// The stored hash of a token. A token has 256 random bits, so an unkeyed hash is safe.
pub fn token_hash(token: &str) -> String {
    base64url(Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::encoding::decode_base64url;

    // invariant: refresh-token-rotation
    #[test]
    fn a_token_has_one_successor_in_every_process_and_none_without_the_key() {
        let token = NewSession::new().refresh_token;
        let here = Successors::of_shop(&Keys::for_test([7; 32]));
        let there = Successors::of_shop(&Keys::for_test([7; 32]));
        let stranger = Successors::of_shop(&Keys::for_test([8; 32]));
        assert_eq!(here.first_of(&token), there.first_of(&token));
        assert_ne!(here.first_of(&token), stranger.first_of(&token));
        assert_ne!(here.first_of(&token), here.first_of(&here.first_of(&token)));
    }

    // invariant: session-expiry
    #[test]
    fn tokens_are_256_bits_and_stored_only_as_their_hash() {
        let token = NewSession::new().refresh_token;
        assert_eq!(decode_base64url(&token).map(|bytes| bytes.len()), Ok(32));
        assert_ne!(token, NewSession::new().refresh_token);
        assert_ne!(token_hash(&token), token);
        assert!(is_well_formed(&token));
        assert!(!is_well_formed("junk") && !is_well_formed(&"+".repeat(43)));
    }
}
