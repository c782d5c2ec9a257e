use sqlx::{Any, AnyConnection, Executor};

pub struct NewCode<'a> {
    pub user_id: &'a str,
    pub purpose: &'a str,
    pub code_hash: &'a str,
    pub attempts: i64,
    pub expires_at: i64,
}

pub async fn replace(tx: &mut AnyConnection, code: NewCode<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO codes (user_id, purpose, code_hash, attempts_left, expires_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, purpose) DO UPDATE
         SET code_hash = excluded.code_hash, expires_at = excluded.expires_at, attempts_left = excluded.attempts_left",
    )
    .bind(code.user_id)
    .bind(code.purpose)
    .bind(code.code_hash)
    .bind(code.attempts)
    .bind(code.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn find<'e>(
    db: impl Executor<'e, Database = Any>,
    user_id: &str,
    purpose: &str,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT code_hash FROM codes WHERE user_id = $1 AND purpose = $2")
        .bind(user_id)
        .bind(purpose)
        .fetch_optional(db)
        .await
}

/// Uses up `cost` attempts and returns when the code expires. `None` when the stored code has changed or has too few
/// attempts left.
pub async fn take_attempt(
    tx: &mut AnyConnection,
    user_id: &str,
    purpose: &str,
    code_hash: &str,
    cost: i64,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "UPDATE codes SET attempts_left = attempts_left - $4
         WHERE user_id = $1 AND purpose = $2 AND code_hash = $3 AND attempts_left >= $4
         RETURNING expires_at",
    )
    .bind(user_id)
    .bind(purpose)
    .bind(code_hash)
    .bind(cost)
    .fetch_optional(tx)
    .await
}

pub async fn delete_of_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM codes WHERE user_id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}

pub async fn delete_expired(tx: &mut AnyConnection, before_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM codes WHERE expires_at <= $1").bind(before_ms).execute(tx).await?;
    Ok(())
}
