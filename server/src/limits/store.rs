use sqlx::{Any, AnyConnection, Executor};

use super::count::Count;

/// Loads the bucket's count and locks its row until the transaction ends. The update changes nothing but takes the lock.
pub async fn load_for_update(tx: &mut AnyConnection, bucket: &str, now_ms: i64) -> Result<Count, sqlx::Error> {
    let starting = Count::starting(now_ms);
    let (used, window_start, locked_until) = sqlx::query_as::<_, (i64, i64, i64)>(
        "INSERT INTO rate_limits (bucket, used, window_start, locked_until, expires_at)
         VALUES ($1, $2, $3, $4, $3)
         ON CONFLICT (bucket) DO UPDATE SET used = rate_limits.used
         RETURNING used, window_start, locked_until",
    )
    .bind(bucket)
    .bind(starting.used)
    .bind(starting.window_start)
    .bind(starting.locked_until)
    .fetch_one(tx)
    .await?;
    Ok(Count { used, window_start, locked_until })
}

pub async fn find<'e>(db: impl Executor<'e, Database = Any>, bucket: &str) -> Result<Option<Count>, sqlx::Error> {
    let row = sqlx::query_as("SELECT used, window_start, locked_until FROM rate_limits WHERE bucket = $1")
        .bind(bucket)
        .fetch_optional(db)
        .await?;
    Ok(row.map(|(used, window_start, locked_until)| Count { used, window_start, locked_until }))
}

pub async fn save(tx: &mut AnyConnection, bucket: &str, count: Count, expires_at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE rate_limits SET used = $2, window_start = $3, locked_until = $4, expires_at = $5
         WHERE bucket = $1",
    )
    .bind(bucket)
    .bind(count.used)
    .bind(count.window_start)
    .bind(count.locked_until)
    .bind(expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn delete(tx: &mut AnyConnection, bucket: &str) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM rate_limits WHERE bucket = $1").bind(bucket).execute(tx).await?;
    Ok(())
}

pub async fn uncount(tx: &mut AnyConnection, bucket: &str) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE rate_limits SET used = used - 1 WHERE bucket = $1 AND used > 0")
        .bind(bucket)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM rate_limits WHERE expires_at <= $1").bind(now_ms).execute(tx).await?;
    Ok(())
}
