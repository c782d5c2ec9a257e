use sqlx::AnyConnection;

/// What was proven, to be accepted once.
#[derive(Clone, Debug)]
pub struct Proof {
    /// Of at most 100 characters.
    pub id: String,
    /// From then on it would be refused for its age alone.
    pub expires_at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    First,
    Repeated,
}

pub async fn use_proof(tx: &mut AnyConnection, proof: &Proof) -> Result<Use, sqlx::Error> {
    let inserted = sqlx::query(
        "INSERT INTO used_bot_challenges (challenge, expires_at) VALUES ($1, $2)
         ON CONFLICT (challenge) DO NOTHING",
    )
    .bind(proof.id.as_str())
    .bind(proof.expires_at)
    .execute(tx)
    .await?;
    Ok(match inserted.rows_affected() {
        0 => Use::Repeated,
        _ => Use::First,
    })
}

pub async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM used_bot_challenges WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}
