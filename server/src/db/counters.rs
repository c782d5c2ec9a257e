//! Counters: numbers that are given out once.

use sqlx::AnyConnection;

use super::rows::is_postgres;
use crate::error::Error;

/// Versions of the settings.
pub const SETTINGS_VERSION: &str = "settings_version";
const ORDER_NUMBER: &str = "order_number";

/// The next number. The counter is locked until the transaction ends.
pub async fn next(tx: &mut AnyConnection, name: &str) -> Result<i64, Error> {
    let sql = "UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value";
    Ok(sqlx::query_scalar(sql).bind(name).fetch_one(tx).await?)
}

/// The next order number, without a lock that others wait for. A number whose transaction is rolled back is a gap.
pub async fn next_order_number(tx: &mut AnyConnection) -> Result<i64, Error> {
    if !is_postgres(tx) {
        return next(tx, ORDER_NUMBER).await;
    }
    Ok(sqlx::query_scalar("SELECT nextval('order_numbers')").fetch_one(tx).await?)
}

/// The order number that was given out last.
pub async fn last_order_number(tx: &mut AnyConnection) -> Result<i64, Error> {
    if !is_postgres(tx) {
        let select = "SELECT value FROM counters WHERE name = $1";
        return Ok(sqlx::query_scalar(select).bind(ORDER_NUMBER).fetch_one(tx).await?);
    }
    // Before the first number, `last_value` is that number.
    let select = "SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM order_numbers";
    Ok(sqlx::query_scalar(select).fetch_one(tx).await?)
}

/// Sets the order number that was given out last.
pub async fn set_last_order_number(tx: &mut AnyConnection, last: i64) -> Result<(), Error> {
    let query = if is_postgres(tx) {
        sqlx::query("SELECT setval('order_numbers', $1)").bind(last)
    } else {
        sqlx::query("UPDATE counters SET value = $1 WHERE name = $2").bind(last).bind(ORDER_NUMBER)
    };
    query.execute(tx).await?;
    Ok(())
}
