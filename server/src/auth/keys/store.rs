use sqlx::AnyConnection;

use super::Public;

/// Only the first key of a shop gets position 1; any other changes nothing.
pub async fn insert_first(tx: &mut AnyConnection, key: &Public, now_ms: i64) -> Result<(), sqlx::Error> {
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

pub async fn list(tx: &mut AnyConnection) -> Result<Vec<Public>, sqlx::Error> {
    let rows = sqlx::query_as::<_, (String, String)>("SELECT kid, public_key FROM signing_keys ORDER BY position")
        .fetch_all(tx)
        .await?;
    Ok(rows.into_iter().map(|(kid, x)| Public { kid, x }).collect())
}
