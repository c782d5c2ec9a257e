use sqlx::{Any, AnyConnection, Executor};

use super::token::ADMIN_GROUP;
use crate::error::database::is_unique_violation;
use crate::infra::words::email_words;

/// An account. Its email address is confirmed.
#[derive(Clone, Debug)]
pub struct User {
    pub id: String,
    pub email: String,
    pub password_hash: String,
    pub role: Role,
    /// Encrypted. Only administrators have one.
    pub totp_secret: Option<String>,
}

/// The authorization role of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Customer,
    Admin,
}

impl Role {
    /// The groups claim of access tokens.
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

type Row = (String, String, String, i64, Option<String>);

impl From<Row> for User {
    fn from((id, email, password_hash, is_admin, totp_secret): Row) -> Self {
        let role = Role::from_flag(is_admin);
        Self { id, email, password_hash, role, totp_secret }
    }
}

pub async fn find_user_by_email<'e>(
    db: impl Executor<'e, Database = Any>,
    email_key: &str,
) -> Result<Option<User>, sqlx::Error> {
    let row = sqlx::query_as::<_, Row>(
        "SELECT id, email, password_hash, is_admin, totp_secret FROM users
         WHERE email_key = $1 AND confirmed_at IS NOT NULL",
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
    let row =
        sqlx::query_as::<_, Row>("SELECT id, email, password_hash, is_admin, totp_secret FROM users WHERE id = $1")
            .bind(user_id)
            .fetch_one(db)
            .await?;
    Ok(row.into())
}

/// Inserts a confirmed account. Returns false when the address already has one, or is the previous one of an account that may
/// get it back. A row that was never confirmed does not count and is overwritten.
pub async fn insert_or_confirm(tx: &mut AnyConnection, user: NewUser<'_>) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO users (id, email, email_key, password_hash, created_at, confirmed_at)
         SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), CAST($5 AS BIGINT)
         WHERE NOT EXISTS (SELECT 1 FROM previous_emails WHERE email_key = $3 AND expires_at > CAST($5 AS BIGINT))
         ON CONFLICT (email_key) DO UPDATE
         SET email = excluded.email, password_hash = excluded.password_hash, confirmed_at = excluded.confirmed_at
         WHERE users.confirmed_at IS NULL",
    )
    .bind(user.id)
    .bind(user.email)
    .bind(user.email_key)
    .bind(user.password_hash)
    .bind(user.created_at)
    .execute(&mut *tx)
    .await?;
    insert_words(tx, user.email, user.email_key).await?;
    Ok(inserted.rows_affected() == 1)
}

/// Inserts the words by which an account is found, unless it has them.
async fn insert_words(tx: &mut AnyConnection, email: &str, email_key: &str) -> Result<(), sqlx::Error> {
    for word in email_words(email) {
        sqlx::query(
            "INSERT INTO user_words (word, user_id) SELECT $1, id FROM users WHERE email_key = $2 \
             ON CONFLICT (word, user_id) DO NOTHING",
        )
        .bind(word)
        .bind(email_key)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Gives the account another email address, and the words by which it is found. Returns false when another account has the
/// address; then the transaction must be rolled back.
pub async fn change_email(
    tx: &mut AnyConnection,
    user: &User,
    email: &str,
    email_key: &str,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query("UPDATE users SET email = $2, email_key = $3 WHERE id = $1")
        .bind(&user.id)
        .bind(email)
        .bind(email_key)
        .execute(&mut *tx)
        .await;
    match changed {
        Err(error) if is_unique_violation(&error) => return Ok(false),
        changed => changed?,
    };
    for word in email_words(&user.email) {
        sqlx::query("DELETE FROM user_words WHERE word = $1 AND user_id = $2")
            .bind(word)
            .bind(&user.id)
            .execute(&mut *tx)
            .await?;
    }
    insert_words(tx, email, email_key).await?;
    Ok(true)
}

pub async fn set_password(tx: &mut AnyConnection, user_id: &str, password_hash: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET password_hash = $2 WHERE id = $1")
        .bind(user_id)
        .bind(password_hash)
        .execute(tx)
        .await?;
    Ok(())
}

/// Changes the password with optimistic concurrency. Returns false when the stored hash is no longer the checked one.
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

/// Records a login. Returns false when the stored hash or the role, which decides about the second factor, is no longer
/// the checked one. The row stays locked until the transaction ends, so a concurrent password change also ends the
/// session that is about to begin.
pub async fn record_login(tx: &mut AnyConnection, checked: &User, now_ms: i64) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE users SET last_login_at = $4 WHERE id = $1 AND password_hash = $2 AND is_admin = $3";
    let recorded = sqlx::query(sql)
        .bind(&checked.id)
        .bind(&checked.password_hash)
        .bind(i64::from(checked.role == Role::Admin))
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(recorded.rows_affected() == 1)
}

/// Records a login without a password. The row stays locked until the transaction ends, so a concurrent password change
/// also ends the session that is about to begin.
pub async fn touch_login(tx: &mut AnyConnection, user_id: &str, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET last_login_at = $2 WHERE id = $1").bind(user_id).bind(now_ms).execute(tx).await?;
    Ok(())
}

/// Returns the account's id, or `None` when no account has the address.
pub async fn set_role(tx: &mut AnyConnection, email_key: &str, role: Role) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("UPDATE users SET is_admin = $2 WHERE email_key = $1 RETURNING id")
        .bind(email_key)
        .bind(role.flag())
        .fetch_optional(tx)
        .await
}

/// Inserts a confirmed account, unless the address already has one.
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
    .execute(&mut *tx)
    .await?;
    insert_words(tx, user.email, user.email_key).await
}

/// Locks the user until the transaction ends, so that the transactions of one account run one at a time.
pub async fn lock_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET is_admin = is_admin WHERE id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}
