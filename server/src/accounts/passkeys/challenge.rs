//! Ceremonies that have begun: rows that one response takes.

use serde::Serialize;
use serde_json::Value;
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::relying_party::RelyingParty;
use super::store::{self, Ceremony, Purpose};
use crate::accounts::Accounts;
use crate::accounts::sessions::{is_well_formed, token_hash};
use crate::error::{Code, Error};
use crate::infra::clock::MINUTE;
use crate::infra::encoding::base64url;
use crate::infra::random;

/// How long a browser has for a response.
const LIFETIME_MS: i64 = 5 * MINUTE;

/// A ceremony that has begun.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "ceremony_token": "Yb3kz0n8uYtq5vJx2mWc7RrL1dGhT4sPfAeQ9oViNyX",
    "options": { "challenge": "PMgdWg8whTSCrMV50jSwQg" },
})))]
pub struct PasskeyCeremony {
    /// Send it with the response, within five minutes. It works once.
    pub ceremony_token: String,
    /// For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON`.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// The relying party of the shop.
///
/// # Errors
/// 404 at an address that can't have passkeys.
pub fn relying_party(state: &Accounts) -> Result<&RelyingParty, Error> {
    let missing = || Error::new(Code::NotFound, "Passkeys aren’t available at this address.");
    state.relying_party.as_ref().ok_or_else(missing)
}

/// A new ceremony, before it is stored.
#[derive(Clone)]
pub struct NewCeremony {
    pub token: String,
    purpose: Purpose,
    user_id: Option<String>,
    state: String,
    expires_at: i64,
}

impl NewCeremony {
    pub fn new(purpose: Purpose, user_id: Option<String>, state: String, now_ms: i64) -> Self {
        let token = base64url(random::random_bytes::<32>());
        Self { token, purpose, user_id, state, expires_at: now_ms + LIFETIME_MS }
    }

    pub async fn insert(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let row = store::NewCeremony {
            token_hash: &token_hash(&self.token),
            purpose: self.purpose,
            user_id: self.user_id.as_deref(),
            state: &self.state,
            expires_at: self.expires_at,
        };
        Ok(store::insert_ceremony(tx, row).await?)
    }
}

/// Takes the ceremony of the token, in a transaction of its own: an invalid response uses it up, too.
///
/// # Errors
/// `PasskeyExpired` for a token that is unknown, old, used, or of another purpose.
pub async fn take_ceremony(state: &Accounts, token: &str, purpose: Purpose) -> Result<Ceremony, Error> {
    if !is_well_formed(token) {
        return Err(expired());
    }
    let token_hash = token_hash(token);
    // A request without a ceremony costs no write.
    if !store::exists_ceremony(state.db.read(), &token_hash, purpose).await? {
        return Err(expired());
    }
    let taken = state.db.write((token_hash, purpose), |tx, (hash, purpose)| Box::pin(take(tx, hash, *purpose))).await?;
    taken.filter(|ceremony| state.clock.now_ms() < ceremony.expires_at).ok_or_else(expired)
}

async fn take(tx: &mut AnyConnection, token_hash: &str, purpose: Purpose) -> Result<Option<Ceremony>, Error> {
    Ok(store::take_ceremony(tx, token_hash, purpose).await?)
}

pub fn expired() -> Error {
    Error::new(Code::PasskeyExpired, "This request has expired or was already used. Please try again.")
}
