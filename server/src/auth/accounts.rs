//! What the command line and the background do with accounts.

use sqlx::{Any, AnyConnection, Executor};
use wasm_core::validation::Email;

use super::keys::Keys;
use super::password::Passwords;
use super::store::{self, NewUser, Role};
use super::totp::{self, Setup};
use super::{codes, sessions, signups};
use crate::botcheck;
use crate::config::Config;
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::random;
use crate::limits;
use crate::shop::Shop;

/// Makes the account an administrator, from its next call on. Outside demo mode the account gets a new second
/// factor, and its sessions end: they began without it.
///
/// # Errors
/// 404 when no account has the address.
pub async fn grant_admin(
    config: &Config,
    keys: &Keys,
    db: &Db,
    email: &str,
    now_ms: i64,
) -> Result<Option<Setup>, Error> {
    let email = parse_email(email)?;
    let key = email.key();
    if config.demo {
        set_role(db, key, Role::Admin).await?;
        return Ok(None);
    }
    let user = store::find_user_by_email(db.read(), &key).await?.ok_or_else(|| Error::not_found("Account"))?;
    let secret = totp::Secret::new();
    let sealed = secret.seal(keys, &user.id)?;
    db.write_closure(move |tx| {
        let (key, sealed) = (key.clone(), sealed.clone());
        Box::pin(async move {
            let id = store::set_role(tx, &key, Role::Admin).await?.ok_or_else(|| Error::not_found("Account"))?;
            totp::store::set(tx, &id, Some(&sealed)).await?;
            Ok(sessions::store::end_all(tx, &id, now_ms).await?)
        })
    })
    .await?;
    secret.setup(&config.shop_name, email.as_str()).map(Some)
}

/// Takes the right away, from the account's next call on, and the second factor with it.
///
/// # Errors
/// 404 when no account has the address.
pub async fn revoke_admin(db: &Db, email: &str) -> Result<(), Error> {
    set_role(db, parse_email(email)?.key(), Role::Customer).await
}

async fn set_role(db: &Db, key: String, role: Role) -> Result<(), Error> {
    db.write_closure(move |tx| {
        let key = key.clone();
        Box::pin(async move {
            let id = store::set_role(tx, &key, role).await?.ok_or_else(|| Error::not_found("Account"))?;
            Ok(totp::store::set(tx, &id, None).await?)
        })
    })
    .await
}

/// A confirmed account, of which the database is still to hear.
#[derive(Clone)]
pub struct SeedAccount {
    id: String,
    email: Email,
    password_hash: String,
    role: Role,
}

impl SeedAccount {
    /// Hashes the password, which takes too long to be done inside a transaction.
    ///
    /// # Errors
    /// When the address is none.
    pub async fn new(email: &str, password: &str, role: Role) -> Result<Self, Error> {
        let email = parse_email(email)?;
        let password_hash = Passwords::default().hash(password).await?;
        Ok(Self { id: random::new_id(), email, password_hash, role })
    }

    /// Leaves an account as it is that has this address already.
    ///
    /// # Errors
    /// The database's failure.
    pub async fn insert(&self, tx: &mut AnyConnection, now_ms: i64) -> Result<(), Error> {
        let user = NewUser {
            id: &self.id,
            email: self.email.as_str(),
            email_key: &self.email.key(),
            password_hash: &self.password_hash,
            created_at: now_ms,
        };
        Ok(store::insert_confirmed(tx, user, self.role).await?)
    }
}

/// How many accounts the shop has.
pub async fn count_users<'e>(db: impl Executor<'e, Database = Any>) -> Result<i64, Error> {
    Ok(store::count_users(db).await?)
}

/// Deletes what has expired: codes, sessions and their tokens, counts of limits, used challenges.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write_closure(move |tx| {
        Box::pin(async move {
            codes::sweep(tx, now_ms).await?;
            Ok(sessions::sweep(tx, now_ms).await?)
        })
    })
    .await?;
    limits::sweep(db, now_ms).await?;
    botcheck::sweep(db, now_ms).await
}

/// Deletes sign-ups of before `since_ms` that were never confirmed; gives how many there were, at most so many.
///
/// # Errors
/// The database's failure.
pub async fn delete_unconfirmed(tx: &mut AnyConnection, since_ms: i64, now_ms: i64, limit: i64) -> Result<u64, Error> {
    Ok(signups::store::delete_old(tx, since_ms, now_ms, limit).await?)
}

/// Takes over a successor of the signing key that another process or the operator has added, and seals second
/// factors under it.
///
/// # Errors
/// One sentence for the log.
pub async fn keep_keys(shop: &Shop) -> Result<(), String> {
    shop.keys.look_again(&shop.db).await?;
    totp::reseal(&shop.keys, &shop.db).await.map_err(|error| error.to_string())
}

fn parse_email(email: &str) -> Result<Email, Error> {
    Email::parse(email).map_err(|sentence| Error::invalid_field("email", sentence))
}
