//! Sessions and their refresh tokens.
//!
//! A session is one log-in on one device: 30 days at most, 14 without being used, over at once when it is ended. Its refresh token
//! is spent by its first use and brings a successor. The successor is computed from the spent token under
//! the shop's key, so that the same token gives the same successor again to a client whose answer was lost,
//! and no token is ever stored. A token that comes back later than that was copied: the session ends.

mod handlers;
pub mod store;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::store::LiveSession;
use super::keys::{Keys, keyed_hash};
use super::token;
use crate::http::error::Error;
use crate::infra::clock::{DAY, SECOND};
use crate::infra::random;
use crate::shop::Shop;

/// From the log-in on, however often it is renewed.
const LIFETIME_MS: i64 = 30 * DAY;
/// From the last renewal on.
const IDLE_MS: i64 = 14 * DAY;
/// How long a spent token still gives its successor.
const GRACE_MS: i64 = 20 * SECOND;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(handlers::refresh))
        .routes(routes!(handlers::logout))
        .routes(routes!(handlers::list_sessions))
        .routes(routes!(handlers::end_session))
}

/// What a log-in and a refresh give.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    pub access_token: String,
    pub refresh_token: String,
}

impl Tokens {
    /// The refresh token with a fresh access token for the session.
    pub fn issue(shop: &Shop, session: &LiveSession, refresh_token: String) -> Result<Self, Error> {
        let subject = token::Subject {
            user_id: &session.user_id,
            session_id: &session.id,
            email: &session.email,
            groups: &session.role.groups(),
        };
        let now_ms = shop.clock.now_ms();
        let access_token = token::issue(&shop.keys, shop.config.issuer(), subject, now_ms)?;
        Ok(Self { access_token, refresh_token })
    }
}

/// A session that is about to begin.
#[derive(Clone, Debug)]
pub struct Begun {
    pub session_id: String,
    pub refresh_token: String,
}

impl Begun {
    pub fn new() -> Self {
        Self { session_id: random::new_id(), refresh_token: URL_SAFE_NO_PAD.encode(random::random_bytes::<32>()) }
    }
}

/// Stores a session that begins now.
pub async fn begin(
    tx: &mut AnyConnection,
    begun: &Begun,
    user_id: &str,
    device: &str,
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    let session =
        store::NewSession { id: &begun.session_id, user_id, device, created_at: now_ms, expires_at: now_ms + IDLE_MS };
    store::insert_session(tx, session).await?;
    store::insert_token(tx, &token_hash(&begun.refresh_token), &begun.session_id).await
}

/// What became of a refresh token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rotation {
    Renewed {
        session: LiveSession,
        refresh_token: String,
    },
    /// Unknown, or of a session that is over.
    Refused,
    /// A spent token came back: its session was ended by this.
    Copied {
        session: LiveSession,
    },
}

/// Spends the token, or notices that it was spent before.
///
/// The transaction must commit whatever comes out, or a copied token would leave its session alive.
pub async fn rotate(
    tx: &mut AnyConnection,
    successors: &Successors,
    refresh_token: &str,
    now_ms: i64,
) -> Result<Rotation, sqlx::Error> {
    let hash = token_hash(refresh_token);
    let Some(session) = store::find_live_by_token(&mut *tx, &hash, now_ms).await? else {
        return Ok(Rotation::Refused);
    };
    match store::spend(tx, &hash, now_ms).await? {
        store::Spending::First => {
            let successor = successors.first_of(refresh_token);
            store::insert_token(tx, &token_hash(&successor), &session.id).await?;
            store::touch(tx, &session.id, now_ms, LIFETIME_MS, IDLE_MS).await?;
            Ok(Rotation::Renewed { session, refresh_token: successor })
        }
        store::Spending::Again { spent_at } if now_ms - spent_at > GRACE_MS => {
            store::end(tx, &session.id, now_ms).await?;
            Ok(Rotation::Copied { session })
        }
        store::Spending::Again { .. } => {
            // The first use may have been under a key that has a successor by now.
            for successor in successors.all_of(refresh_token) {
                if store::exists_token(tx, &token_hash(&successor)).await? {
                    return Ok(Rotation::Renewed { session, refresh_token: successor });
                }
            }
            Ok(Rotation::Refused)
        }
    }
}

/// Makes successors; the same in every process of the shop.
#[derive(Clone)]
pub struct Successors(Vec<[u8; 32]>);

impl Successors {
    pub fn of_shop(keys: &Keys) -> Self {
        Self(keys.derive_all("refresh-successor"))
    }

    /// Under the current key.
    fn first_of(&self, spent: &str) -> String {
        self.all_of(spent).next().unwrap_or_default()
    }

    /// Under every key there is, the current one first.
    fn all_of(&self, spent: &str) -> impl Iterator<Item = String> {
        self.0.iter().map(move |key| URL_SAFE_NO_PAD.encode(keyed_hash(key, &[spent])))
    }
}

/// Forgets sessions a day after they were over.
pub async fn sweep(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    store::delete_over(tx, now_ms - DAY).await
}

/// Whether it can be a token at all: 256 bits in the alphabet for addresses.
fn is_well_formed(token: &str) -> bool {
    token.len() == 43 && token.bytes().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'_'))
}

/// A token has 256 random bits, so a plain hash of it tells nothing.
fn token_hash(token: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    // rule 29
    #[test]
    fn a_token_has_one_successor_in_every_process_and_none_without_the_key() {
        let token = Begun::new().refresh_token;
        let here = Successors::of_shop(&Keys::for_test([7; 32]));
        let there = Successors::of_shop(&Keys::for_test([7; 32]));
        let stranger = Successors::of_shop(&Keys::for_test([8; 32]));
        assert_eq!(here.first_of(&token), there.first_of(&token));
        assert_ne!(here.first_of(&token), stranger.first_of(&token));
        assert_ne!(here.first_of(&token), here.first_of(&here.first_of(&token)));
    }

    // rule 30
    #[test]
    fn tokens_are_256_bits_and_stored_only_as_their_hash() {
        let begun = Begun::new();
        assert_eq!(URL_SAFE_NO_PAD.decode(&begun.refresh_token).map(|bytes| bytes.len()), Ok(32));
        assert_ne!(begun.refresh_token, Begun::new().refresh_token);
        assert_ne!(token_hash(&begun.refresh_token), begun.refresh_token);
        assert!(is_well_formed(&begun.refresh_token));
        assert!(!is_well_formed("junk") && !is_well_formed(&"+".repeat(43)));
    }
}
