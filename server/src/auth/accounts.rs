//! What the command line and the background do with accounts.

use sqlx::{Any, Executor};
use wasm_core::validation::Email;

use super::password::Passwords;
use super::store::{self, NewUser, Role};
use super::{codes, sessions};
use crate::db::Db;
use crate::error::Error;
use crate::{botcheck, chance, limits};

/// Makes the account an administrator, from its next call on.
///
/// # Errors
/// 404 when no account has the address.
pub async fn grant_admin(db: &Db, email: &str) -> Result<(), Error> {
    set_role(db, email, Role::Admin).await
}

/// Takes the right away, from the account's next call on.
///
/// # Errors
/// 404 when no account has the address.
pub async fn revoke_admin(db: &Db, email: &str) -> Result<(), Error> {
    set_role(db, email, Role::Customer).await
}

async fn set_role(db: &Db, email: &str, role: Role) -> Result<(), Error> {
    let email = parse_email(email)?;
    let found = db
        .write(move |tx| {
            let key = email.key();
            Box::pin(async move { Ok(store::set_role(tx, &key, role).await?) })
        })
        .await?;
    if found { Ok(()) } else { Err(Error::not_found("Account")) }
}

/// A confirmed account with this password; one that exists is left as it is.
///
/// # Errors
/// When the address is none, or the database fails.
pub async fn seed_account(db: &Db, email: &str, password: &str, role: Role, now_ms: i64) -> Result<(), Error> {
    let email = parse_email(email)?;
    let password_hash = Passwords::default().hash(password).await?;
    let id = chance::new_id();
    db.write(move |tx| {
        let (id, email, password_hash) = (id.clone(), email.clone(), password_hash.clone());
        Box::pin(async move {
            let user = NewUser {
                id: &id,
                email: email.as_str(),
                email_key: &email.key(),
                password_hash: &password_hash,
                created_at: now_ms,
            };
            Ok(store::insert_confirmed(tx, user, role).await?)
        })
    })
    .await
}

/// How many accounts the shop has.
pub async fn count_users<'e>(db: impl Executor<'e, Database = Any>) -> Result<i64, Error> {
    Ok(store::count_users(db).await?)
}

/// Deletes what has expired: codes, sessions and their tokens, counts of limits, used challenges.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write(move |tx| {
        Box::pin(async move {
            codes::sweep(tx, now_ms).await?;
            Ok(sessions::sweep(tx, now_ms).await?)
        })
    })
    .await?;
    limits::sweep(db, now_ms).await?;
    botcheck::sweep(db, now_ms).await
}

fn parse_email(email: &str) -> Result<Email, Error> {
    Email::parse(email).map_err(|sentence| Error::invalid_field("email", sentence))
}
