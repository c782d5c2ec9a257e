//! Account operations for the command line and for background tasks.

use sqlx::{Any, AnyConnection, Executor};
use wasm_core::validation::Email;

use super::keys::Keys;
use super::password::Passwords;
use super::store::{self, NewUser, Role};
use super::totp::{self, Setup};
use super::{code_login, codes, sessions, signups};
use crate::accounts::Accounts;
use crate::accounts::bot_check;
use crate::config::Config;
use crate::db::Db;
use crate::error::Error;
use crate::infra::random;
use crate::limits;

/// Grants the administrator role from the next request on. Outside demo mode the account gets a new TOTP secret, and
/// its sessions end because they began without a second factor.
///
/// # Errors
/// 404 when no account has the address.
pub async fn grant_admin(
    config: &Config,
    shop_name: &str,
    keys: &Keys,
    db: &Db,
    email: &str,
    now_ms: i64,
) -> Result<Option<Setup>, Error> {
    let email = parse_email(email)?;
    if config.demo {
        set_role(db, email.key(), Role::Admin).await?;
        return Ok(None);
    }
    let user = store::find_user_by_email(db.read(), &email.key()).await?.ok_or_else(account_not_found)?;
    let secret = totp::Secret::new();
    let grant = AdminGrant { email_key: email.key(), encrypted_secret: secret.encrypt(keys, &user.id)?, now_ms };
    db.write(grant, |tx, grant| Box::pin(grant.apply(tx))).await?;
    secret.setup(shop_name, email.as_str()).map(Some)
}

struct AdminGrant {
    email_key: String,
    encrypted_secret: String,
    now_ms: i64,
}

impl AdminGrant {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let id = store::set_role(tx, &self.email_key, Role::Admin).await?.ok_or_else(account_not_found)?;
        totp::store::set(tx, &id, Some(&self.encrypted_secret)).await?;
        Ok(sessions::store::end_all(tx, &id, self.now_ms).await?)
    }
}

/// Revokes the administrator role from the next request on, and deletes the TOTP secret.
///
/// # Errors
/// 404 when no account has the address.
pub async fn revoke_admin(db: &Db, email: &str) -> Result<(), Error> {
    set_role(db, parse_email(email)?.key(), Role::Customer).await
}

async fn set_role(db: &Db, email_key: String, role: Role) -> Result<(), Error> {
    db.write((email_key, role), |tx, (email_key, role)| Box::pin(apply_role(tx, email_key, *role))).await
}

async fn apply_role(tx: &mut AnyConnection, email_key: &str, role: Role) -> Result<(), Error> {
    let id = store::set_role(tx, email_key, role).await?.ok_or_else(account_not_found)?;
    Ok(totp::store::set(tx, &id, None).await?)
}

fn account_not_found() -> Error {
    Error::not_found("Account")
}

/// A confirmed account to insert, with its password already hashed.
#[derive(Clone)]
pub struct SeedAccount {
    id: String,
    email: Email,
    password_hash: String,
    role: Role,
}

impl SeedAccount {
    /// Hashes the password, which is too slow for a transaction.
    ///
    /// # Errors
    /// When the email address is invalid.
    pub async fn new(email: &str, password: &str, role: Role) -> Result<Self, Error> {
        let email = parse_email(email)?;
        let password_hash = Passwords::default().hash(password).await?;
        Ok(Self { id: random::new_id(), email, password_hash, role })
    }

    /// Inserts the account, unless the address already has one.
    ///
    /// # Errors
    /// A database error.
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

/// The number of accounts.
pub async fn count_users<'e>(db: impl Executor<'e, Database = Any>) -> Result<i64, Error> {
    Ok(store::count_users(db).await?)
}

/// Deletes expired codes, sessions and their tokens, rate limit counts and used bot check challenges.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write(now_ms, |tx, now_ms| Box::pin(delete_expired(tx, *now_ms))).await?;
    limits::sweep(db, now_ms).await?;
    bot_check::sweep(db, now_ms).await
}

async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), Error> {
    codes::sweep(tx, now_ms).await?;
    code_login::store::delete_expired(tx, now_ms - codes::RETENTION_MS).await?;
    Ok(sessions::sweep(tx, now_ms).await?)
}

/// Deletes at most `limit` sign-ups from before `since_ms` that were never confirmed. Returns how many it deleted.
///
/// # Errors
/// A database error.
pub async fn delete_unconfirmed(tx: &mut AnyConnection, since_ms: i64, now_ms: i64, limit: i64) -> Result<u64, Error> {
    Ok(signups::store::delete_old(tx, since_ms, now_ms, limit).await?)
}

/// Loads signing keys that another process or the operator has added, and re-encrypts TOTP secrets with the current key.
///
/// # Errors
/// A message for the log.
pub async fn refresh_keys(state: &Accounts) -> Result<(), String> {
    state.keys.reload(&state.db).await?;
    totp::reencrypt(&state.keys, &state.db).await.map_err(|error| error.to_string())
}

fn parse_email(email: &str) -> Result<Email, Error> {
    Email::parse(email).map_err(|message| Error::invalid_field("email", message))
}
