use sqlx::{Any, AnyConnection, Executor};

/// A valid code that the login has not marked as used yet.
#[derive(Clone, Debug)]
pub struct VerifiedCode {
    pub encrypted_secret: String,
    pub step: i64,
}

/// Marks the code's time step as used. Returns false when that step or a later one is used already, or the secret has
/// changed.
pub async fn mark_used(tx: &mut AnyConnection, user_id: &str, code: &VerifiedCode) -> Result<bool, sqlx::Error> {
    let used = sqlx::query(
        "UPDATE users SET totp_step = $3
         WHERE id = $1 AND totp_secret = $2 AND (totp_step IS NULL OR totp_step < $3)",
    )
    .bind(user_id)
    .bind(&code.encrypted_secret)
    .bind(code.step)
    .execute(tx)
    .await?;
    Ok(used.rows_affected() == 1)
}

/// Sets or deletes the encrypted secret.
pub async fn set(tx: &mut AnyConnection, user_id: &str, secret: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET totp_secret = $2, totp_step = NULL WHERE id = $1")
        .bind(user_id)
        .bind(secret)
        .execute(tx)
        .await?;
    Ok(())
}

/// Whether the user has a secret.
pub async fn is_set<'e>(db: impl Executor<'e, Database = Any>, user_id: &str) -> Result<bool, sqlx::Error> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM users WHERE id = $1 AND totp_secret IS NOT NULL")
        .bind(user_id)
        .fetch_one(db)
        .await?;
    Ok(count == 1)
}

/// Every user with a secret: the id and the encrypted secret.
pub async fn list<'e>(db: impl Executor<'e, Database = Any>) -> Result<Vec<(String, String)>, sqlx::Error> {
    sqlx::query_as("SELECT id, totp_secret FROM users WHERE totp_secret IS NOT NULL ORDER BY id").fetch_all(db).await
}

/// A secret that was encrypted again with another key.
pub struct ReencryptedSecret {
    pub user_id: String,
    pub old: String,
    pub new: String,
}

/// Replaces the encrypted secret, unless it has changed since it was read.
pub async fn replace(tx: &mut AnyConnection, secret: &ReencryptedSecret) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2")
        .bind(&secret.user_id)
        .bind(&secret.old)
        .bind(&secret.new)
        .execute(tx)
        .await?;
    Ok(())
}
