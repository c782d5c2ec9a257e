use sqlx::{Any, AnyConnection, Executor};

/// A code of one address and browser.
pub struct NewLoginCode<'a> {
    pub token_hash: &'a str,
    pub email_key: &'a str,
    pub email: &'a str,
    pub code_hash: &'a str,
    pub attempts: i64,
    pub expires_at: i64,
}

/// Stores a code. It replaces the previous one of this address and browser.
pub async fn replace(tx: &mut AnyConnection, code: NewLoginCode<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO login_codes (token_hash, email_key, email, code_hash, attempts_left, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (token_hash, email_key) DO UPDATE
         SET email = excluded.email, code_hash = excluded.code_hash, attempts_left = excluded.attempts_left,
             expires_at = excluded.expires_at",
    )
    .bind(code.token_hash)
    .bind(code.email_key)
    .bind(code.email)
    .bind(code.code_hash)
    .bind(code.attempts)
    .bind(code.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// The stored hash of the code.
pub async fn find<'e>(
    db: impl Executor<'e, Database = Any>,
    token_hash: &str,
    email_key: &str,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT code_hash FROM login_codes WHERE token_hash = $1 AND email_key = $2")
        .bind(token_hash)
        .bind(email_key)
        .fetch_optional(db)
        .await
}

/// Uses up one attempt and returns the address as it was typed, and when the code expires. `None` when the stored code has
/// changed or has no attempts left.
pub async fn take_attempt(
    tx: &mut AnyConnection,
    token_hash: &str,
    email_key: &str,
    code_hash: &str,
) -> Result<Option<(String, i64)>, sqlx::Error> {
    sqlx::query_as(
        "UPDATE login_codes SET attempts_left = attempts_left - 1
         WHERE token_hash = $1 AND email_key = $2 AND code_hash = $3 AND attempts_left > 0
         RETURNING email, expires_at",
    )
    .bind(token_hash)
    .bind(email_key)
    .bind(code_hash)
    .fetch_optional(tx)
    .await
}

pub async fn delete_of_address(tx: &mut AnyConnection, email_key: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM login_codes WHERE email_key = $1").bind(email_key).execute(tx).await?;
    Ok(())
}

pub async fn delete_of_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM login_codes WHERE email_key IN (SELECT email_key FROM users WHERE id = $1)")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_expired(tx: &mut AnyConnection, before_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM login_codes WHERE expires_at <= $1").bind(before_ms).execute(tx).await?;
    Ok(())
}
