//! Passkeys (WebAuthn): credentials that log in without an email address and a password.
//!
//! A ceremony begins with a challenge and ends with the browser's signed response. Its state is a row that one response
//! takes, within five minutes and with the token that only the browser has, so any process of the shop can finish it.
//!
//! For administrators, a passkey that verifies the user replaces password and authenticator app. It is bound to the app's
//! secret, so a new grant voids it, even one by a program of the previous schema.

mod ceremony;
mod list;
mod login;
mod registration;
mod relying_party;
pub mod store;

use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::relying_party::RelyingParty;
use self::store::{Ceremony, Purpose};
use super::keys::Keys;
use super::second_factor::totp::Secret;
use super::sessions::{is_well_formed, token_hash};
use super::store::{Role, User};
use crate::accounts::Accounts;
use crate::error::{Code, Error};
use crate::infra::clock::MINUTE;
use crate::infra::encoding::base64url;
use crate::infra::random;
use std::sync::Arc;

/// How long a browser has for a response.
const LIFETIME_MS: i64 = 5 * MINUTE;
/// Passkeys of one account.
const MAX_PASSKEYS: usize = 20;

pub fn router() -> OpenApiRouter<Arc<Accounts>> {
    OpenApiRouter::new()
        .routes(routes!(login::start_passkey_login))
        .routes(routes!(login::log_in_with_passkey))
        .routes(routes!(registration::start_passkey))
        .routes(routes!(list::list_passkeys, registration::add_passkey))
        .routes(routes!(list::rename_passkey, list::remove_passkey))
}

impl Accounts {
    fn party(&self) -> Result<&RelyingParty, Error> {
        let missing = || Error::new(Code::NotFound, "Passkeys aren’t available at this address.");
        self.relying_party.as_ref().ok_or_else(missing)
    }
}

/// A new ceremony, before it is stored.
#[derive(Clone)]
struct NewCeremony {
    token: String,
    purpose: Purpose,
    user_id: Option<String>,
    state: String,
    expires_at: i64,
}

impl NewCeremony {
    fn new(purpose: Purpose, user_id: Option<String>, state: String, now_ms: i64) -> Self {
        let token = base64url(random::random_bytes::<32>());
        Self { token, purpose, user_id, state, expires_at: now_ms + LIFETIME_MS }
    }

    async fn insert(&self, tx: &mut AnyConnection) -> Result<(), Error> {
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
async fn take_ceremony(state: &Accounts, token: &str, purpose: Purpose) -> Result<Ceremony, Error> {
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

fn expired() -> Error {
    Error::new(Code::PasskeyExpired, "This request has expired or was already used. Please try again.")
}

/// Whether the account needs a second factor.
fn needs_second_factor(state: &Accounts, user: &User) -> bool {
    user.role == Role::Admin && !state.config.demo
}

/// Binds a passkey to the secret of the administrator's authenticator app.
fn second_factor_hash(keys: &Keys, user: &User, credential_id: &str) -> Result<Option<String>, Error> {
    let Some(encrypted) = &user.totp_secret else {
        return Ok(None);
    };
    let secret = Secret::decrypt(keys, &user.id, encrypted)?;
    let hash = Sha256::new().chain_update(secret.as_bytes()).chain_update(credential_id).finalize();
    Ok(Some(base64url(hash)))
}
