use sqlx::{Any, AnyConnection, Executor};

/// A valid code of the app that the login has not marked as used yet.
#[derive(Clone, Debug)]
pub struct VerifiedCode {
    pub encrypted_secret: String,
    pub step: i64,
}

/// Marks the code's time step as used. Returns false when that step or a later one is used already, or the secret has
/// changed.
pub async fn mark_totp_used(tx: &mut AnyConnection, user_id: &str, code: &VerifiedCode) -> Result<bool, sqlx::Error> {
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

/// Sets or deletes the encrypted secret. What belonged to the earlier one is void.
pub async fn set_secret(tx: &mut AnyConnection, user_id: &str, secret: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET totp_secret = $2, totp_step = NULL WHERE id = $1")
        .bind(user_id)
        .bind(secret)
        .execute(&mut *tx)
        .await?;
    sqlx::query("DELETE FROM second_factor_setups WHERE user_id = $1").bind(user_id).execute(&mut *tx).await?;
    delete_recovery_codes(tx, user_id).await
}

pub async fn insert_setup(
    tx: &mut AnyConnection,
    token_hash: &str,
    user_id: &str,
    expires_at: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO second_factor_setups (token_hash, user_id, expires_at) VALUES ($1, $2, $3)")
        .bind(token_hash)
        .bind(user_id)
        .bind(expires_at)
        .execute(tx)
        .await?;
    Ok(())
}

/// The account of a link that works now.
pub async fn find_setup<'e>(
    db: impl Executor<'e, Database = Any>,
    token_hash: &str,
    now_ms: i64,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT user_id FROM second_factor_setups WHERE token_hash = $1 AND expires_at > $2")
        .bind(token_hash)
        .bind(now_ms)
        .fetch_optional(db)
        .await
}

/// Uses up a link. Returns false when it was used already.
pub async fn take_setup(tx: &mut AnyConnection, token_hash: &str) -> Result<bool, sqlx::Error> {
    let taken =
        sqlx::query("DELETE FROM second_factor_setups WHERE token_hash = $1").bind(token_hash).execute(tx).await?;
    Ok(taken.rows_affected() == 1)
}

pub async fn delete_expired_setups(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM second_factor_setups WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}

/// Stores the hashes of new codes. Earlier codes no longer work.
pub async fn replace_recovery_codes(
    tx: &mut AnyConnection,
    user_id: &str,
    code_hashes: &[String],
) -> Result<(), sqlx::Error> {
    delete_recovery_codes(&mut *tx, user_id).await?;
    for code_hash in code_hashes {
        sqlx::query("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)")
            .bind(user_id)
            .bind(code_hash)
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

async fn delete_recovery_codes(tx: &mut AnyConnection, user_id: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM recovery_codes WHERE user_id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}

/// Returns false when there is no such code, or when it was used already.
pub async fn mark_recovery_code_used(
    tx: &mut AnyConnection,
    user_id: &str,
    code_hash: &str,
    now_ms: i64,
) -> Result<bool, sqlx::Error> {
    let used =
        sqlx::query("UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL")
            .bind(user_id)
            .bind(code_hash)
            .bind(now_ms)
            .execute(tx)
            .await?;
    Ok(used.rows_affected() == 1)
}

/// The codes that are left.
pub async fn count_recovery_codes<'e>(
    db: impl Executor<'e, Database = Any>,
    user_id: &str,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL")
        .bind(user_id)
        .fetch_one(db)
        .await
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
