use sqlx::{Any, AnyConnection, Executor};

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

/// A successor gets the next position; of two at once one changes nothing.
pub async fn insert_next(tx: &mut AnyConnection, key: &Public, now_ms: i64) -> Result<(), sqlx::Error> {
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

/// Oldest first, with the instant each was registered.
pub async fn list<'e>(db: impl Executor<'e, Database = Any>) -> Result<Vec<(Public, i64)>, sqlx::Error> {
    let rows = sqlx::query_as::<_, (String, String, i64)>(
        "SELECT kid, public_key, created_at FROM signing_keys ORDER BY position",
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|(kid, x, registered_at)| (Public { kid, x }, registered_at)).collect())
}
