use sqlx::{Any, AnyConnection, Executor};

use super::token::ADMIN_GROUP;

/// An account.
#[derive(Clone, Debug)]
pub struct User {
    pub id: String,
    pub email: String,
    pub password_hash: String,
    pub role: Role,
    pub confirmed: bool,
    /// Sealed; an administrator's alone.
    pub totp_secret: Option<String>,
}

/// What an account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Customer,
    Admin,
}

impl Role {
    /// As access tokens name it.
    pub fn groups(self) -> Vec<String> {
        match self {
            Self::Customer => Vec::new(),
            Self::Admin => vec![ADMIN_GROUP.to_owned()],
        }
    }

    pub(super) fn from_flag(is_admin: i64) -> Self {
        if is_admin == 1 { Self::Admin } else { Self::Customer }
    }

    fn flag(self) -> i64 {
        match self {
            Self::Customer => 0,
            Self::Admin => 1,
        }
    }
}

pub struct NewUser<'a> {
    pub id: &'a str,
    pub email: &'a str,
    pub email_key: &'a str,
    pub password_hash: &'a str,
    pub created_at: i64,
}

type Row = (String, String, String, i64, Option<i64>, Option<String>);

impl From<Row> for User {
    fn from((id, email, password_hash, is_admin, confirmed_at, totp_secret): Row) -> Self {
        let role = Role::from_flag(is_admin);
        Self { id, email, password_hash, role, confirmed: confirmed_at.is_some(), totp_secret }
    }
}

pub async fn find_user_by_email<'e>(
    db: impl Executor<'e, Database = Any>,
    email_key: &str,
) -> Result<Option<User>, sqlx::Error> {
    let row = sqlx::query_as::<_, Row>(
        "SELECT id, email, password_hash, is_admin, confirmed_at, totp_secret FROM users WHERE email_key = $1",
    )
    .bind(email_key)
    .fetch_optional(db)
    .await?;
    Ok(row.map(User::from))
}

pub async fn count_users<'e>(db: impl Executor<'e, Database = Any>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM users").fetch_one(db).await
}

pub async fn load_user<'e>(db: impl Executor<'e, Database = Any>, user_id: &str) -> Result<User, sqlx::Error> {
    let row = sqlx::query_as::<_, Row>(
        "SELECT id, email, password_hash, is_admin, confirmed_at, totp_secret FROM users WHERE id = $1",
    )
    .bind(user_id)
    .fetch_one(db)
    .await?;
    Ok(row.into())
}

/// The id of the account that waits for confirmation with this password: a new one, or the unconfirmed one
/// that had the address. `None` when the address belongs to a confirmed account, which stays as it is.
pub async fn upsert_unconfirmed(tx: &mut AnyConnection, user: NewUser<'_>) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO users (id, email, email_key, password_hash, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (email_key) DO UPDATE
         SET email = excluded.email, password_hash = excluded.password_hash
         WHERE users.confirmed_at IS NULL
         RETURNING id",
    )
    .bind(user.id)
    .bind(user.email)
    .bind(user.email_key)
    .bind(user.password_hash)
    .bind(user.created_at)
    .fetch_optional(tx)
    .await
}

/// Deletes accounts that signed up before `since_ms`, were never confirmed and have no code that could still confirm
/// them; gives how many there were, at most so many.
pub async fn delete_unconfirmed(
    tx: &mut AnyConnection,
    since_ms: i64,
    now_ms: i64,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let done = sqlx::query(
        "DELETE FROM users WHERE id IN (SELECT id FROM users WHERE confirmed_at IS NULL AND created_at < $1
             AND is_admin = 0
             AND NOT EXISTS (SELECT 1 FROM codes WHERE codes.user_id = users.id AND codes.expires_at > $2)
             AND NOT EXISTS (SELECT 1 FROM checkouts WHERE checkouts.user_id = users.id)
             AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.user_id = users.id)
             ORDER BY created_at LIMIT $3)
         AND confirmed_at IS NULL",
    )
    .bind(since_ms)
    .bind(now_ms)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(done.rows_affected())
}

pub async fn confirm(tx: &mut AnyConnection, user_id: &str, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET confirmed_at = COALESCE(confirmed_at, $2) WHERE id = $1")
        .bind(user_id)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn set_password(tx: &mut AnyConnection, user_id: &str, password_hash: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET password_hash = $2 WHERE id = $1")
        .bind(user_id)
        .bind(password_hash)
        .execute(tx)
        .await?;
    Ok(())
}

/// Changes the password only while it still is the one that was checked; false when it no longer is.
pub async fn change_password(
    tx: &mut AnyConnection,
    user_id: &str,
    checked_hash: &str,
    new_hash: &str,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query("UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2")
        .bind(user_id)
        .bind(checked_hash)
        .bind(new_hash)
        .execute(tx)
        .await?;
    Ok(changed.rows_affected() == 1)
}

/// Notes a log-in with the password that was checked; false when it was changed in the meantime. The row
/// stays locked until the transaction ends, so a change cannot miss the session that is about to begin.
pub async fn note_login(
    tx: &mut AnyConnection,
    user_id: &str,
    checked_hash: &str,
    now_ms: i64,
) -> Result<bool, sqlx::Error> {
    let noted = sqlx::query("UPDATE users SET last_login_at = $3 WHERE id = $1 AND password_hash = $2")
        .bind(user_id)
        .bind(checked_hash)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(noted.rows_affected() == 1)
}

/// The account's id; `None` when no account has the address.
pub async fn set_role(tx: &mut AnyConnection, email_key: &str, role: Role) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("UPDATE users SET is_admin = $2 WHERE email_key = $1 RETURNING id")
        .bind(email_key)
        .bind(role.flag())
        .fetch_optional(tx)
        .await
}

/// A confirmed account, unless the address already has one.
pub async fn insert_confirmed(tx: &mut AnyConnection, user: NewUser<'_>, role: Role) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO users (id, email, email_key, password_hash, is_admin, created_at, confirmed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6)
         ON CONFLICT (email_key) DO NOTHING",
    )
    .bind(user.id)
    .bind(user.email)
    .bind(user.email_key)
    .bind(user.password_hash)
    .bind(role.flag())
    .bind(user.created_at)
    .execute(tx)
    .await?;
    Ok(())
}
