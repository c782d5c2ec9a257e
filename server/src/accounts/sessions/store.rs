use sqlx::{Any, AnyConnection, AnyPool, Executor};

use crate::accounts::store::Role;

pub struct NewSessionRow<'a> {
    pub id: &'a str,
    pub user_id: &'a str,
    pub device: &'a str,
    pub created_at: i64,
    pub expires_at: i64,
}

/// A session in the owner's list of sessions.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: String,
    pub device: String,
    pub created_at: i64,
    pub last_used_at: i64,
    pub expires_at: i64,
}

/// An active session and its user, with the role that the database has now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveSession {
    pub id: String,
    pub user_id: String,
    pub email: String,
    pub role: Role,
}

type LiveRow = (String, String, String, i64);

impl From<LiveRow> for LiveSession {
    fn from((id, user_id, email, is_admin): LiveRow) -> Self {
        Self { id, user_id, email, role: Role::from_flag(is_admin) }
    }
}

/// A use of a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenUse {
    First,
    Reuse { spent_at: i64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndResult {
    /// The session has ended, now or before.
    Ended,
    NotFound,
}

pub async fn insert_session(tx: &mut AnyConnection, session: NewSessionRow<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO sessions (id, user_id, device, created_at, last_used_at, expires_at)
         VALUES ($1, $2, $3, $4, $4, $5)",
    )
    .bind(session.id)
    .bind(session.user_id)
    .bind(session.device)
    .bind(session.created_at)
    .bind(session.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn insert_token(tx: &mut AnyConnection, token_hash: &str, session_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO refresh_tokens (token_hash, session_id) VALUES ($1, $2)")
        .bind(token_hash)
        .bind(session_id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn exists_token(tx: &mut AnyConnection, token_hash: &str) -> Result<bool, sqlx::Error> {
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM refresh_tokens WHERE token_hash = $1")
        .bind(token_hash)
        .fetch_one(tx)
        .await?;
    Ok(found == 1)
}

pub async fn find_live_by_token<'e>(
    db: impl Executor<'e, Database = Any>,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<LiveSession>, sqlx::Error> {
    let row = sqlx::query_as::<_, LiveRow>(
        "SELECT sessions.id, users.id, users.email, users.is_admin FROM refresh_tokens
         JOIN sessions ON sessions.id = refresh_tokens.session_id
         JOIN users ON users.id = sessions.user_id
         WHERE refresh_tokens.token_hash = $1 AND sessions.ended_at IS NULL AND sessions.expires_at > $2",
    )
    .bind(token_hash)
    .bind(now_ms)
    .fetch_optional(db)
    .await?;
    Ok(row.map(LiveSession::from))
}

pub async fn find_live<'e>(
    db: impl Executor<'e, Database = Any>,
    session_id: &str,
    now_ms: i64,
) -> Result<Option<LiveSession>, sqlx::Error> {
    let row = sqlx::query_as::<_, LiveRow>(
        "SELECT sessions.id, users.id, users.email, users.is_admin FROM sessions
         JOIN users ON users.id = sessions.user_id
         WHERE sessions.id = $1 AND sessions.ended_at IS NULL AND sessions.expires_at > $2",
    )
    .bind(session_id)
    .bind(now_ms)
    .fetch_optional(db)
    .await?;
    Ok(row.map(LiveSession::from))
}

/// Marks the token as spent. Exactly one of several concurrent uses is the first.
pub async fn spend(tx: &mut AnyConnection, token_hash: &str, now_ms: i64) -> Result<TokenUse, sqlx::Error> {
    let first = sqlx::query("UPDATE refresh_tokens SET spent_at = $2 WHERE token_hash = $1 AND spent_at IS NULL")
        .bind(token_hash)
        .bind(now_ms)
        .execute(&mut *tx)
        .await?;
    if first.rows_affected() == 1 {
        return Ok(TokenUse::First);
    }
    let spent_at = sqlx::query_scalar("SELECT spent_at FROM refresh_tokens WHERE token_hash = $1")
        .bind(token_hash)
        .fetch_one(tx)
        .await?;
    Ok(TokenUse::Reuse { spent_at })
}

/// Records a use. It extends the session by the idle time, but never past the lifetime.
pub async fn touch(
    tx: &mut AnyConnection,
    session_id: &str,
    now_ms: i64,
    lifetime_ms: i64,
    idle_ms: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE sessions SET last_used_at = $2,
             expires_at = CASE WHEN created_at + $3 < $4 THEN created_at + $3 ELSE $4 END
         WHERE id = $1",
    )
    .bind(session_id)
    .bind(now_ms)
    .bind(lifetime_ms)
    .bind(now_ms + idle_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// The account's active sessions, most recently used first.
pub async fn list_of_user<'e>(
    db: impl Executor<'e, Database = Any>,
    user_id: &str,
    now_ms: i64,
) -> Result<Vec<Session>, sqlx::Error> {
    let rows = sqlx::query_as::<_, (String, String, i64, i64, i64)>(
        "SELECT id, device, created_at, last_used_at, expires_at FROM sessions
         WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2
         ORDER BY last_used_at DESC, id DESC LIMIT 100",
    )
    .bind(user_id)
    .bind(now_ms)
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(id, device, created_at, last_used_at, expires_at)| Session {
            id,
            device,
            created_at,
            last_used_at,
            expires_at,
        })
        .collect())
}

pub async fn end(tx: &mut AnyConnection, session_id: &str, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE sessions SET ended_at = COALESCE(ended_at, $2) WHERE id = $1")
        .bind(session_id)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(())
}

/// Whether the account's session has ended. `None` when the account has no such session.
pub async fn find_has_ended(pool: &AnyPool, user_id: &str, session_id: &str) -> Result<Option<bool>, sqlx::Error> {
    let sql = "SELECT CASE WHEN ended_at IS NULL THEN 0 ELSE 1 END FROM sessions WHERE id = $2 AND user_id = $1";
    let ended: Option<i32> = sqlx::query_scalar(sql).bind(user_id).bind(session_id).fetch_optional(pool).await?;
    Ok(ended.map(|ended| ended == 1))
}

/// Ends a session, if it belongs to the account.
pub async fn end_own(
    tx: &mut AnyConnection,
    user_id: &str,
    session_id: &str,
    now_ms: i64,
) -> Result<EndResult, sqlx::Error> {
    let ended = sqlx::query("UPDATE sessions SET ended_at = COALESCE(ended_at, $3) WHERE id = $2 AND user_id = $1")
        .bind(user_id)
        .bind(session_id)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(match ended.rows_affected() {
        0 => EndResult::NotFound,
        _ => EndResult::Ended,
    })
}

pub async fn end_by_token(tx: &mut AnyConnection, token_hash: &str, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE sessions SET ended_at = COALESCE(ended_at, $2)
         WHERE id IN (SELECT session_id FROM refresh_tokens WHERE token_hash = $1)",
    )
    .bind(token_hash)
    .bind(now_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends every session of the account.
pub async fn end_all(tx: &mut AnyConnection, user_id: &str, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE sessions SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL")
        .bind(user_id)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(())
}

/// Ends every session of the account but one.
pub async fn end_others(tx: &mut AnyConnection, user_id: &str, kept: &str, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE sessions SET ended_at = $3 WHERE user_id = $1 AND id <> $2 AND ended_at IS NULL")
        .bind(user_id)
        .bind(kept)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes sessions that had ended or expired at `before_ms`. Their tokens are deleted with them.
pub async fn delete_ended(tx: &mut AnyConnection, before_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM sessions WHERE expires_at <= $1 OR ended_at <= $1").bind(before_ms).execute(tx).await?;
    Ok(())
}
