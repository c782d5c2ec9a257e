use sqlx::{Any, AnyConnection, Executor};

pub struct NewChange<'a> {
    pub user_id: &'a str,
    pub email: &'a str,
    pub email_key: &'a str,
    pub current_code_hash: &'a str,
    pub new_code_hash: &'a str,
    pub attempts: i64,
    pub expires_at: i64,
}

/// A change that waits for its codes.
pub struct PendingChange {
    pub email: String,
    pub email_key: String,
    pub new_code_hash: String,
    pub expires_at: i64,
}

/// Stores a change. It replaces the account's previous one.
pub async fn replace(tx: &mut AnyConnection, change: NewChange<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO email_changes
             (user_id, email, email_key, current_code_hash, new_code_hash, attempts_left, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (user_id) DO UPDATE
         SET email = excluded.email, email_key = excluded.email_key, current_code_hash = excluded.current_code_hash,
             new_code_hash = excluded.new_code_hash, attempts_left = excluded.attempts_left,
             expires_at = excluded.expires_at",
    )
    .bind(change.user_id)
    .bind(change.email)
    .bind(change.email_key)
    .bind(change.current_code_hash)
    .bind(change.new_code_hash)
    .bind(change.attempts)
    .bind(change.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// The stored hash of the code that was sent to the current address, and the new address.
pub async fn find_codes<'e>(
    db: impl Executor<'e, Database = Any>,
    user_id: &str,
) -> Result<Option<(String, String)>, sqlx::Error> {
    sqlx::query_as("SELECT current_code_hash, email_key FROM email_changes WHERE user_id = $1")
        .bind(user_id)
        .fetch_optional(db)
        .await
}

/// Uses up one attempt. `None` when the change was replaced or has no attempts left.
pub async fn take_attempt(
    tx: &mut AnyConnection,
    user_id: &str,
    current_code_hash: &str,
) -> Result<Option<PendingChange>, sqlx::Error> {
    let row = sqlx::query_as::<_, (String, String, String, i64)>(
        "UPDATE email_changes SET attempts_left = attempts_left - 1
         WHERE user_id = $1 AND current_code_hash = $2 AND attempts_left > 0
         RETURNING email, email_key, new_code_hash, expires_at",
    )
    .bind(user_id)
    .bind(current_code_hash)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(email, email_key, new_code_hash, expires_at)| PendingChange {
        email,
        email_key,
        new_code_hash,
        expires_at,
    }))
}

pub async fn delete_of_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM email_changes WHERE user_id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}

/// An address that an account had.
pub struct PreviousEmail {
    pub user_id: String,
    pub email: String,
    pub email_key: String,
    pub changed_at: i64,
}

pub async fn insert_previous(
    tx: &mut AnyConnection,
    token_hash: &str,
    previous: &PreviousEmail,
    expires_at: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO previous_emails (token_hash, user_id, email, email_key, changed_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(token_hash)
    .bind(&previous.user_id)
    .bind(&previous.email)
    .bind(&previous.email_key)
    .bind(previous.changed_at)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes the address of a link that has not expired: of two uses at once, one gets it.
pub async fn take_previous(
    tx: &mut AnyConnection,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<PreviousEmail>, sqlx::Error> {
    let row = sqlx::query_as::<_, (String, String, String, i64)>(
        "DELETE FROM previous_emails WHERE token_hash = $1 AND expires_at > $2
         RETURNING user_id, email, email_key, changed_at",
    )
    .bind(token_hash)
    .bind(now_ms)
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|(user_id, email, email_key, changed_at)| PreviousEmail { user_id, email, email_key, changed_at }))
}

/// Whether an account may get this address back.
pub async fn is_previous<'e>(
    db: impl Executor<'e, Database = Any>,
    email_key: &str,
    now_ms: i64,
) -> Result<bool, sqlx::Error> {
    Ok(find_previous_owner(db, email_key, now_ms).await?.is_some())
}

/// The account that may get this address back.
pub async fn find_previous_owner<'e>(
    db: impl Executor<'e, Database = Any>,
    email_key: &str,
    now_ms: i64,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT user_id FROM previous_emails WHERE email_key = $1 AND expires_at > $2 ORDER BY changed_at LIMIT 1",
    )
    .bind(email_key)
    .bind(now_ms)
    .fetch_optional(db)
    .await
}

/// Deletes the links of this change and of all that came after it.
pub async fn delete_previous_since(tx: &mut AnyConnection, user_id: &str, changed_at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM previous_emails WHERE user_id = $1 AND changed_at >= $2")
        .bind(user_id)
        .bind(changed_at)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_expired(tx: &mut AnyConnection, codes_before_ms: i64, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM email_changes WHERE expires_at <= $1").bind(codes_before_ms).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM previous_emails WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}
