//! The second factor of administrators, required after the password outside demo mode: a code of an authenticator app
//! ([`totp`]), or one of ten [`recovery`] codes.
//!
//! `nudgelight admin grant` prints a link that sets it up in the browser ([`setup`]).

pub mod recovery;
pub mod replace_codes;
pub mod setup;
pub mod store;
pub mod totp;

use app::mail::{Mail, ShopInfo};
use serde::Serialize;
use sqlx::AnyConnection;
use utoipa::ToSchema;

use super::store::{Role, User};
use crate::accounts::Accounts;
use crate::error::{Code, Error};
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};

/// A second factor that is verified, and that the login has not marked as used yet.
#[derive(Clone, Debug)]
pub enum Verified {
    Totp(store::VerifiedCode),
    /// A well-formed recovery code, by its hash. Marking it as used tells whether it is one.
    Recovery {
        code_hash: String,
    },
}

/// Recovery codes. The shop stores only their hashes, so they are not shown again.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({ "recovery_codes": ["7Q2M-K9XA-PD4T-3HVW"] })))]
pub struct RecoveryCodes {
    recovery_codes: Vec<String>,
}

impl RecoveryCodes {
    fn display(codes: &[String]) -> Self {
        Self { recovery_codes: codes.iter().map(|code| recovery::display(code)).collect() }
    }
}

/// Whether the text has the form of a code of the app or of a recovery code.
pub fn is_code(typed: &str) -> bool {
    let characters: String = typed.chars().filter(|character| !character.is_whitespace()).collect();
    let is_totp = characters.len() == 6 && characters.bytes().all(|digit| digit.is_ascii_digit());
    is_totp || recovery::normalize(typed).is_some()
}

/// Whether the account needs a second factor.
pub fn is_needed(state: &Accounts, user: &User) -> bool {
    user.role == Role::Admin && !state.config.demo
}

/// Verifies the second factor of a user who needs one, after the password.
///
/// # Errors
/// 401 `TotpRequired` with a message for the user.
pub fn verify(state: &Accounts, user: &User, code: Option<&str>) -> Result<Option<Verified>, Error> {
    if !is_needed(state, user) {
        return Ok(None);
    }
    let Some(encrypted_secret) = user.totp_secret.clone() else {
        tracing::warn!(user = user.id, "login rejected: administrator without a second factor");
        return Err(required("This administrator hasn’t set up an authenticator app. Grant the right again to do so."));
    };
    let Some(code) = code.filter(|code| !code.trim().is_empty()) else {
        return Err(required("Enter the code from your authenticator app."));
    };
    if let Some(code) = recovery::normalize(code) {
        let secret = totp::Secret::decrypt(&state.keys, &user.id, &encrypted_secret)?;
        return Ok(Some(Verified::Recovery { code_hash: recovery::hash(&secret, &code) }));
    }
    match totp::verify(state, &user.id, encrypted_secret, code)? {
        Some(verified) => Ok(Some(Verified::Totp(verified))),
        None => Err(invalid_code(user)),
    }
}

/// Marks the second factor as used. Returns false when it is used already, or when the secret has changed.
pub async fn mark_used(
    tx: &mut AnyConnection,
    user: &User,
    verified: &Verified,
    shop: &ShopInfo,
    now_ms: i64,
) -> Result<bool, Error> {
    let code_hash = match verified {
        Verified::Totp(code) => return Ok(store::mark_totp_used(tx, &user.id, code).await?),
        Verified::Recovery { code_hash } => code_hash,
    };
    if !store::mark_recovery_code_used(tx, &user.id, code_hash, now_ms).await? {
        return Ok(false);
    }
    let left = store::count_recovery_codes(&mut *tx, &user.id).await?;
    tracing::warn!(user = user.id, left, "a recovery code was used");
    notify(tx, user, code_hash, app::mail::recovery_code_used(shop, left), now_ms).await?;
    Ok(true)
}

/// Emails the administrator about a change of the second factor. `occasion` makes the email unique.
async fn notify(tx: &mut AnyConnection, user: &User, occasion: &str, mail: Mail, now_ms: i64) -> Result<(), Error> {
    let (kind, dedupe_key) = (EmailKind::SecondFactor, format!("second-factor:{occasion}"));
    outbox::enqueue(tx, now_ms, OutgoingMail { kind, order_id: None, dedupe_key, to: user.email.clone(), mail }).await
}

pub fn invalid_code(user: &User) -> Error {
    tracing::info!(user = user.id, "login rejected: wrong or used second factor");
    required("That code isn’t right or was already used. Enter a new code from your app, or another recovery code.")
}

fn required(message: &str) -> Error {
    Error::new(Code::TotpRequired, message)
}
