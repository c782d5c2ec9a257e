use sqlx::AnyConnection;

pub struct NewCode<'a> {
    pub user_id: &'a str,
    pub purpose: &'a str,
    pub code_hash: &'a str,
    pub tries: i64,
    pub now_ms: i64,
    pub expires_at: i64,
}

pub struct StoredCode {
    pub code_hash: String,
    pub expires_at: i64,
}

/// A code that replaces one which is still alive inherits the tries left of it, though it always gets one: asking
/// for codes gives nobody more guesses than they would have had, and an owner who has used them up is let in.
pub async fn replace(tx: &mut AnyConnection, code: NewCode<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO codes (user_id, purpose, code_hash, tries_left, expires_at)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id, purpose) DO UPDATE
         SET code_hash = excluded.code_hash, expires_at = excluded.expires_at,
             tries_left = CASE WHEN codes.expires_at <= $6 THEN excluded.tries_left
                               WHEN codes.tries_left > 1 THEN codes.tries_left ELSE 1 END",
    )
    .bind(code.user_id)
    .bind(code.purpose)
    .bind(code.code_hash)
    .bind(code.tries)
    .bind(code.expires_at)
    .bind(code.now_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// `None` when there is no code, or no try left for it.
pub async fn take_try(tx: &mut AnyConnection, user_id: &str, purpose: &str) -> Result<Option<StoredCode>, sqlx::Error> {
    let row = sqlx::query_as::<_, (String, i64)>(
        "UPDATE codes SET tries_left = tries_left - 1
         WHERE user_id = $1 AND purpose = $2 AND tries_left > 0
         RETURNING code_hash, expires_at",
    )
    .bind(user_id)
    .bind(purpose)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(code_hash, expires_at)| StoredCode { code_hash, expires_at }))
}

pub async fn delete_of_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM codes WHERE user_id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}

pub async fn delete_expired(tx: &mut AnyConnection, before_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM codes WHERE expires_at <= $1").bind(before_ms).execute(tx).await?;
    Ok(())
}
