//! Counters: numbers that are given out once, such as those of orders.

use sqlx::AnyConnection;

use crate::error::Error;

/// The next number. The counter is locked until the transaction ends.
pub async fn next(tx: &mut AnyConnection, name: &str) -> Result<i64, Error> {
    let sql = "UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value";
    Ok(sqlx::query_scalar(sql).bind(name).fetch_one(tx).await?)
}

/// Sets the last number that was given out.
pub async fn set(tx: &mut AnyConnection, name: &str, last: i64) -> Result<(), Error> {
    sqlx::query("UPDATE counters SET value = $2 WHERE name = $1").bind(name).bind(last).execute(tx).await?;
    Ok(())
}
