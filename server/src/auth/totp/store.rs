use sqlx::{Any, AnyConnection, Executor};

use super::Proof;

/// Uses the proof up: false when its step, or a later one, was used already, or the secret is another by now.
pub async fn use_up(tx: &mut AnyConnection, user_id: &str, proof: &Proof) -> Result<bool, sqlx::Error> {
    let used = sqlx::query(
        "UPDATE users SET totp_step = $3
         WHERE id = $1 AND totp_secret = $2 AND (totp_step IS NULL OR totp_step < $3)",
    )
    .bind(user_id)
    .bind(&proof.sealed)
    .bind(proof.step)
    .execute(tx)
    .await?;
    Ok(used.rows_affected() == 1)
}

/// Sets a new secret, or drops the one there is.
pub async fn set(tx: &mut AnyConnection, user_id: &str, sealed: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET totp_secret = $2, totp_step = NULL WHERE id = $1")
        .bind(user_id)
        .bind(sealed)
        .execute(tx)
        .await?;
    Ok(())
}

/// Whether there is a secret to ask for.
pub async fn is_set<'e>(db: impl Executor<'e, Database = Any>, user_id: &str) -> Result<bool, sqlx::Error> {
    let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM users WHERE id = $1 AND totp_secret IS NOT NULL")
        .bind(user_id)
        .fetch_one(db)
        .await?;
    Ok(count == 1)
}

/// Every sealed secret and whose it is.
pub async fn list<'e>(db: impl Executor<'e, Database = Any>) -> Result<Vec<(String, String)>, sqlx::Error> {
    sqlx::query_as("SELECT id, totp_secret FROM users WHERE totp_secret IS NOT NULL ORDER BY id").fetch_all(db).await
}

/// The same secret in another seal, unless it was changed in the meantime.
pub async fn replace(tx: &mut AnyConnection, user_id: &str, old: &str, new: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE users SET totp_secret = $3 WHERE id = $1 AND totp_secret = $2")
        .bind(user_id)
        .bind(old)
        .bind(new)
        .execute(tx)
        .await?;
    Ok(())
}
