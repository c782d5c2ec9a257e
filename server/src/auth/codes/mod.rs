//! Six-digit codes that prove a mailbox: ten minutes, and fifteen tries of all clients together. A sign-up has one, and
//! so has an account whose password is to be reset; the one is kept with the sign-up, the other here.

mod store;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sqlx::{Any, AnyConnection, Executor};
use subtle::ConstantTimeEq as _;

use super::keys::{Keys, keyed_hash};
use crate::http::error::{Code, Error};
use crate::infra::clock::{DAY, MINUTE};

pub const LIFETIME_MS: i64 = 10 * MINUTE;
/// Of everybody; a client has five of them, and an address fifty a day ([`super::brute_force`]).
pub const TRIES: i64 = 15;
/// How long an expired code is remembered, so that its owner can be told that it was right but late.
const MEMORY_MS: i64 = DAY;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    ConfirmEmail,
    ResetPassword,
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "confirm-email",
            Self::ResetPassword => "reset-password",
        }
    }
}

/// The keys of the stored hashes, the one for new codes first. Six digits would be guessed from a plain hash in a
/// moment; without these keys a stolen database says nothing.
#[derive(Clone)]
pub struct Secrets(Vec<[u8; 32]>);

impl Secrets {
    pub fn of(keys: &Keys) -> Self {
        Self(keys.derive_all("codes"))
    }

    /// Of a code for this sign-up or this account.
    pub fn hash(&self, owner: &str, purpose: Purpose, code: &str) -> String {
        self.hashes(owner, purpose, code).next().unwrap_or_default()
    }

    fn hashes(&self, owner: &str, purpose: Purpose, code: &str) -> impl Iterator<Item = String> {
        self.0.iter().map(move |secret| URL_SAFE_NO_PAD.encode(keyed_hash(secret, &[purpose.word(), owner, code])))
    }

    /// Compares what was typed with the hash that is kept.
    pub fn judge(&self, owner: &str, purpose: Purpose, typed: &str, kept: &str, is_live: bool) -> Judgement {
        let typed: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
        let same = self.hashes(owner, purpose, &typed).any(|hash| kept.as_bytes().ct_eq(hash.as_bytes()).into());
        match (same, is_live) {
            (false, _) => Judgement::Wrong,
            (true, false) => Judgement::Expired,
            (true, true) => Judgement::Right,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    Right,
    Wrong,
    /// Right, but too late. A wrong code is never called expired: that would tell that one was sent.
    Expired,
}

impl Judgement {
    /// # Errors
    /// 400 `CodeInvalid` or `CodeExpired`.
    pub fn accept(self) -> Result<(), Error> {
        match self {
            Self::Right => Ok(()),
            Self::Wrong => Err(Error::new(
                Code::CodeInvalid,
                "This code is not right. Check the mail that you asked for, or ask for a new code.",
            )),
            Self::Expired => Err(Error::new(Code::CodeExpired, "This code has expired. Please ask for a new one.")),
        }
    }
}

/// Makes `code` the only one that resets this account's password.
pub async fn replace(
    tx: &mut AnyConnection,
    secrets: &Secrets,
    user_id: &str,
    code: &str,
    now_ms: i64,
) -> Result<(), sqlx::Error> {
    let row = store::NewCode {
        user_id,
        purpose: Purpose::ResetPassword.word(),
        code_hash: &secrets.hash(user_id, Purpose::ResetPassword, code),
        tries: TRIES,
        expires_at: now_ms + LIFETIME_MS,
    };
    store::replace(tx, row).await
}

/// What is kept of the code that resets this account's password; empty where there is none.
pub async fn find<'e>(db: impl Executor<'e, Database = Any>, user_id: &str) -> Result<String, sqlx::Error> {
    Ok(store::find(db, user_id, Purpose::ResetPassword.word()).await?.unwrap_or_default())
}

/// Uses up a try of the code that `find` gave, and then compares. Without an account the same is done for nobody.
///
/// The transaction must commit whatever the judgement is, or the try would be given back.
pub async fn judge(
    tx: &mut AnyConnection,
    secrets: &Secrets,
    user_id: Option<&str>,
    code_hash: &str,
    cost: i64,
    typed: &str,
    now_ms: i64,
) -> Result<Judgement, sqlx::Error> {
    let user_id = user_id.unwrap_or_default();
    let purpose = Purpose::ResetPassword;
    let Some(expires_at) = store::take_try(tx, user_id, purpose.word(), code_hash, cost).await? else {
        return Ok(Judgement::Wrong);
    };
    Ok(secrets.judge(user_id, purpose, typed, code_hash, now_ms < expires_at))
}

/// Forgets the account's codes: the one that was just right, and any other that was asked for.
pub async fn forget(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    store::delete_of_user(tx, user_id).await
}

pub async fn sweep(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    store::delete_expired(tx, now_ms - MEMORY_MS).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_bound_to_its_account_and_purpose() {
        let secret = Secrets(vec![[7; 32]]);
        let hash = secret.hash("ada", Purpose::ConfirmEmail, "123456");
        assert_eq!(hash, secret.hash("ada", Purpose::ConfirmEmail, "123456"));
        assert_ne!(hash, secret.hash("bob", Purpose::ConfirmEmail, "123456"));
        assert_ne!(hash, secret.hash("ada", Purpose::ResetPassword, "123456"));
        assert_ne!(hash, Secrets(vec![[8; 32]]).hash("ada", Purpose::ConfirmEmail, "123456"));
        assert!(!hash.contains("123456"));
    }
}
