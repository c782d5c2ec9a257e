use sqlx::AnyConnection;

/// A verified proof, which is valid once.
#[derive(Clone, Debug)]
pub struct Proof {
    /// At most 100 characters.
    pub id: String,
    /// After this instant verification fails because of the proof's age, and the row can be deleted.
    pub expires_at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redemption {
    First,
    Replay,
}

/// Stores a proof as used, and detects replays.
pub async fn redeem(tx: &mut AnyConnection, proof: &Proof) -> Result<Redemption, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO used_bot_challenges (challenge, expires_at) VALUES ($1, $2)
         ON CONFLICT (challenge) DO NOTHING",
    )
    .bind(proof.id.as_str())
    .bind(proof.expires_at)
    .execute(tx)
    .await?;
    Ok(match inserted.rows_affected() {
        0 => Redemption::Replay,
        _ => Redemption::First,
    })
}

pub async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM used_bot_challenges WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}
