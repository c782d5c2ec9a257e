//! Six-digit codes that prove access to a mailbox. A code is valid for ten minutes and fifteen attempts of all clients
//! together. Pending sign-ups, `code_login` and `email_change` store their own codes; this module stores those that reset
//! a password.

mod store;

use sqlx::{Any, AnyConnection, Executor};
use subtle::ConstantTimeEq as _;

use super::keys::{Keys, keyed_hash};
use crate::error::{Code, Error};
use crate::infra::clock::{DAY, MINUTE};
use crate::infra::encoding::base64url;

pub const LIFETIME_MS: i64 = 10 * MINUTE;
/// Of all clients together. [`super::brute_force`] limits a single client to five, and an address to fifty a day.
pub const MAX_ATTEMPTS: i64 = 15;
/// How long an expired code stays stored, so that the response can be `CodeExpired`.
pub const RETENTION_MS: i64 = DAY;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    ConfirmEmail,
    LogIn,
    ResetPassword,
    /// Of the current address, to give the account another one.
    LeaveAddress,
    /// Of the new address.
    TakeAddress,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "confirm-email",
            Self::LogIn => "log-in",
            Self::ResetPassword => "reset-password",
            Self::LeaveAddress => "leave-address",
            Self::TakeAddress => "take-address",
        }
    }
}

/// The keys of the stored code hashes, the one for new codes first. A plain hash of six digits could be reversed in a
/// moment; without these keys a stolen database reveals no code.
pub struct CodeKeys(Vec<[u8; 32]>);

impl CodeKeys {
    pub fn of(keys: &Keys) -> Self {
        Self(keys.derive_all("codes"))
    }

    /// The keyed hash of a code. `owner` is the id of the sign-up or the account.
    pub fn hash(&self, owner: &str, purpose: Purpose, code: &str) -> String {
        self.hashes(owner, purpose, code).next().unwrap_or_default()
    }

    fn hashes(&self, owner: &str, purpose: Purpose, code: &str) -> impl Iterator<Item = String> {
        self.0.iter().map(move |key| base64url(keyed_hash(key, &[purpose.as_str(), owner, code])))
    }

    /// Compares a code with the stored hash, in constant time.
    pub fn verify(&self, owner: &str, purpose: Purpose, code: &str, stored: &str, is_live: bool) -> Verification {
        let code: String = code.chars().filter(|character| !character.is_whitespace()).collect();
        let matches = self.hashes(owner, purpose, &code).any(|hash| stored.as_bytes().ct_eq(hash.as_bytes()).into());
        match (matches, is_live) {
            (false, _) => Verification::Invalid,
            (true, false) => Verification::Expired,
            (true, true) => Verification::Valid,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    Valid,
    Invalid,
    /// The correct code, after it expired. A wrong code never counts as expired: that would reveal that the shop sent one.
    Expired,
}

impl Verification {
    /// # Errors
    /// 400 `CodeInvalid` or `CodeExpired`.
    pub fn into_result(self) -> Result<(), Error> {
        let (code, message) = match self {
            Self::Valid => return Ok(()),
            Self::Invalid => {
                (Code::CodeInvalid, "That code isn’t right. Check your latest email or request a new code.")
            }
            Self::Expired => (Code::CodeExpired, "This code has expired. Please request a new one."),
        };
        Err(Error::new(code, message))
    }
}

/// Stores a new password reset code. It replaces the account's previous one.
pub async fn replace(
    tx: &mut AnyConnection,
    keys: &CodeKeys,
    user_id: &str,
    code: &str,
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    let row = store::NewCode {
        user_id,
        purpose: Purpose::ResetPassword.as_str(),
        code_hash: &keys.hash(user_id, Purpose::ResetPassword, code),
        attempts: MAX_ATTEMPTS,
        expires_at: now_ms + LIFETIME_MS,
    };
    store::replace(tx, row).await
}

/// The stored hash of the account's password reset code, or an empty string.
pub async fn find<'e>(db: impl Executor<'e, Database = Any>, user_id: &str) -> Result<String, sqlx::Error> {
    Ok(store::find(db, user_id, Purpose::ResetPassword.as_str()).await?.unwrap_or_default())
}

/// An attempt to enter a password reset code.
pub struct Attempt<'a> {
    pub user_id: Option<&'a str>,
    /// The stored hash that [`find`] returned.
    pub code_hash: &'a str,
    /// How many of the code's attempts this one uses up.
    pub cost: i64,
    pub code: &'a str,
}

/// Uses up the attempt, then compares the code. An unknown account costs the same statements.
///
/// The transaction must commit whatever the result is, or the rollback would restore the attempt.
pub async fn verify(
    tx: &mut AnyConnection,
    keys: &CodeKeys,
    attempt: Attempt<'_>,
    now_ms: i64,
) -> Result<Verification, sqlx::Error> {
    let Attempt { user_id, code_hash, cost, code } = attempt;
    let (user_id, purpose) = (user_id.unwrap_or_default(), Purpose::ResetPassword);
    let Some(expires_at) = store::take_attempt(tx, user_id, purpose.as_str(), code_hash, cost).await? else {
        return Ok(Verification::Invalid);
    };
    Ok(keys.verify(user_id, purpose, code, code_hash, now_ms < expires_at))
}

/// Deletes all codes of the account.
pub async fn delete(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    store::delete_of_user(tx, user_id).await
}

pub async fn sweep(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    store::delete_expired(tx, now_ms - RETENTION_MS).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_bound_to_its_account_and_purpose() {
        let secret = CodeKeys(vec![[7; 32]]);
        let hash = secret.hash("ada", Purpose::ConfirmEmail, "123456");
        assert_eq!(hash, secret.hash("ada", Purpose::ConfirmEmail, "123456"));
        assert_ne!(hash, secret.hash("bob", Purpose::ConfirmEmail, "123456"));
        assert_ne!(hash, secret.hash("ada", Purpose::ResetPassword, "123456"));
        assert_ne!(hash, CodeKeys(vec![[8; 32]]).hash("ada", Purpose::ConfirmEmail, "123456"));
        assert!(!hash.contains("123456"));
    }
}
