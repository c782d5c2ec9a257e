//! Account operations for the command line and for background tasks.

use sqlx::{Any, AnyConnection, Executor};
use wasm_core::validation::Email;

use super::keys::Keys;
use super::password::Passwords;
use super::second_factor::setup::Link;
use super::second_factor::store as second_factor;
use super::second_factor::totp::{self, Secret};
use super::store::{self, NewUser, Role};
use super::{code_login, codes, email_change, passkeys, sessions, signups};
use crate::accounts::Accounts;
use crate::accounts::bot_check;
use crate::config::Config;
use crate::db::Db;
use crate::error::Error;
use crate::infra::random;
use crate::limits;

/// How a new administrator sets up the second factor, on the command line or in the browser.
pub struct AdminSetup {
    app: totp::Setup,
    link: String,
}

impl std::fmt::Display for AdminSetup {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { app: totp::Setup { url, secret }, link } = self;
        write!(
            formatter,
            "Each login now requires a code from an authenticator app. Set up the app in a browser, with this link, which\n\
             works once and for 15 minutes, and also gives you recovery codes:\n\
             {link}\n\
             Or set up the app with this URL:\n\
             {url}\n\
             or enter this secret:\n\
             {secret}\n\
             They won't be shown again. To replace them, grant the right again.\n\
             An administrator's password needs at least 15 characters. Change it if it is shorter. An account without a\n\
             password gets one with *Forgot Password*."
        )
    }
}

/// Grants the administrator role from the next request on. Outside demo mode the account gets a new TOTP secret, and
/// its sessions end because they began without a second factor. Its passkeys are removed: they are older than the secret.
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
) -> Result<Option<AdminSetup>, Error> {
    let email = parse_email(email)?;
    if config.demo {
        set_role(db, email.key(), Role::Admin).await?;
        return Ok(None);
    }
    let user = store::find_user_by_email(db.read(), &email.key()).await?.ok_or_else(account_not_found)?;
    let secret = Secret::new();
    let own_url = format!("http://{}", config.addr);
    let link = Link::new(config.public_url.as_deref().unwrap_or(&own_url), now_ms);
    let url = link.url.clone();
    let encrypted_secret = secret.encrypt(keys, &user.id)?;
    let grant = AdminGrant { email_key: email.key(), encrypted_secret, link, now_ms };
    db.write(grant, |tx, grant| Box::pin(grant.apply(tx))).await?;
    Ok(Some(AdminSetup { app: secret.setup(shop_name, email.as_str())?, link: url }))
}

struct AdminGrant {
    email_key: String,
    encrypted_secret: String,
    link: Link,
    now_ms: i64,
}

impl AdminGrant {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<(), Error> {
        let id = store::set_role(tx, &self.email_key, Role::Admin).await?.ok_or_else(account_not_found)?;
        second_factor::set_secret(tx, &id, Some(&self.encrypted_secret)).await?;
        passkeys::store::delete_of_user(tx, &id).await?;
        second_factor::insert_setup(tx, &self.link.token_hash, &id, self.link.expires_at).await?;
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
    Ok(second_factor::set_secret(tx, &id, None).await?)
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
    pub async fn new(email: &str, password: &str, role: Role, passwords: &Passwords) -> Result<Self, Error> {
        let email = parse_email(email)?;
        let password_hash = passwords.hash(password).await?;
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

/// Deletes expired codes, links, passkey ceremonies, sessions and their tokens, rate limit counts and used bot check challenges.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write(now_ms, |tx, now_ms| Box::pin(delete_expired(tx, *now_ms))).await?;
    limits::sweep(db, now_ms).await?;
    bot_check::sweep(db, now_ms).await
}

async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), Error> {
    codes::sweep(tx, now_ms).await?;
    code_login::store::delete_expired(tx, now_ms - codes::RETENTION_MS).await?;
    second_factor::delete_expired_setups(tx, now_ms).await?;
    passkeys::store::delete_expired_ceremonies(tx, now_ms).await?;
    email_change::sweep(tx, now_ms).await?;
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
