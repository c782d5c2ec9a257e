use sqlx::{Any, AnyConnection, Executor};

use super::PublicKey;

/// Inserts a key at position 1, unless the shop already has a first key.
pub async fn insert_first(tx: &mut AnyConnection, key: &PublicKey, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO signing_keys (position, kid, public_key, created_at) VALUES (1, $1, $2, $3)
         ON CONFLICT DO NOTHING",
    )
    .bind(&key.kid)
    .bind(&key.x)
    .bind(now_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// Inserts a successor at the next position. One of two concurrent inserts has no effect.
pub async fn insert_next(tx: &mut AnyConnection, key: &PublicKey, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO signing_keys (position, kid, public_key, created_at)
         SELECT COALESCE(MAX(position), 0) + 1, $1, $2, $3 FROM signing_keys WHERE 1 = 1
         ON CONFLICT DO NOTHING",
    )
    .bind(&key.kid)
    .bind(&key.x)
    .bind(now_ms)
    .execute(tx)
    .await?;
    Ok(())
}

/// All registered keys with the time of their registration, oldest first.
pub async fn list<'e>(db: impl Executor<'e, Database = Any>) -> Result<Vec<(PublicKey, i64)>, sqlx::Error> {
    let rows = sqlx::query_as::<_, (String, String, i64)>(
        "SELECT kid, public_key, created_at FROM signing_keys ORDER BY position",
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|(kid, x, registered_at)| (PublicKey { kid, x }, registered_at)).collect())
}
