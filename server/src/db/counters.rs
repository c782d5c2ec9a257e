//! Counters: numbers that are given out once, such as the versions of the settings.

use sqlx::AnyConnection;

use crate::error::Error;

/// The next number. The counter is locked until the transaction ends.
pub async fn next(tx: &mut AnyConnection, name: &str) -> Result<i64, Error> {
    let sql = "UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value";
    Ok(sqlx::query_scalar(sql).bind(name).fetch_one(tx).await?)
}
