use sqlx::AnyConnection;

pub enum Challenge {
    Fresh,
    Used,
}

pub async fn use_challenge(tx: &mut AnyConnection, challenge: &str, expires_at: i64) -> Result<Challenge, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO bot_checks_used (challenge, expires_at) VALUES ($1, $2)
         ON CONFLICT (challenge) DO NOTHING",
    )
    .bind(challenge)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(match inserted.rows_affected() {
        0 => Challenge::Used,
        _ => Challenge::Fresh,
    })
}

pub async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM bot_checks_used WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}
