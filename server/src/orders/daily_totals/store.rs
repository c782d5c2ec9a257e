//! The kept counts: written with each order, and asked by lists for how many there are and where a page begins.

use sqlx::any::AnyArguments;
use sqlx::{AnyConnection, AnyPool, Arguments as _, AssertSqlSafe};
use wasm_core::orders::OrderStatus;

use crate::http::error::Error;
use crate::infra::clock::DAY;
use crate::orders::query::Filter;

/// Counts an order as it stands.
pub async fn count_in(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO daily_order_totals (day, status, orders, sales) \
         SELECT created_at / $2, status, 1, total - refunded FROM orders WHERE id = $1 \
         ON CONFLICT (day, status) DO UPDATE SET orders = daily_order_totals.orders + 1, sales = daily_order_totals.sales + excluded.sales",
    )
    .bind(order_id)
    .bind(DAY)
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes an order out of the counts, before it becomes another. Two people who move orders of one day in opposite
/// directions at the same moment may wait for each other: then one of the transactions runs again.
pub async fn count_out(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    sqlx::query(
        "UPDATE daily_order_totals SET orders = orders - 1, sales = sales - counted.net FROM \
         (SELECT created_at / $2 AS counted_day, status AS counted_status, total - refunded AS net \
          FROM orders WHERE id = $1) counted WHERE day = counted_day AND status = counted_status",
    )
    .bind(order_id)
    .bind(DAY)
    .execute(tx)
    .await?;
    Ok(())
}

/// How many orders there are on these days with this status.
pub async fn total(pool: &AnyPool, filter: &Filter) -> Result<i64, Error> {
    let (sql, arguments) = condition(filter)?;
    let total = format!("SELECT CAST(COALESCE(SUM(orders), 0) AS BIGINT) FROM daily_order_totals WHERE {sql}");
    Ok(sqlx::query_scalar_with(AssertSqlSafe(total), arguments).fetch_one(pool).await?)
}

/// The day on which the order comes that has so many newer ones under the filter before it.
pub struct Place {
    pub day: i64,
    /// How many of them are from later days.
    pub newer: i64,
}

pub async fn find_place(pool: &AnyPool, filter: &Filter, offset: i64) -> Result<Option<Place>, Error> {
    let (sql, mut arguments) = condition(filter)?;
    arguments.add(offset).map_err(Error::internal)?;
    let place = format!(
        "SELECT day, CAST(through - orders AS BIGINT) FROM \
         (SELECT day, orders, SUM(orders) OVER (ORDER BY day DESC) AS through FROM \
          (SELECT day, SUM(orders) AS orders FROM daily_order_totals WHERE {sql} GROUP BY day) days) running \
         WHERE through > ${} ORDER BY day DESC LIMIT 1",
        arguments.len()
    );
    let found: Option<(i64, i64)> = sqlx::query_as_with(AssertSqlSafe(place), arguments).fetch_optional(pool).await?;
    Ok(found.map(|(day, newer)| Place { day, newer }))
}

/// A filter's instants are the beginnings of days.
fn condition(filter: &Filter) -> Result<(String, AnyArguments), Error> {
    let mut arguments = AnyArguments::default();
    let mut sql = "1 = 1".to_owned();
    let days = [("day >=", filter.from), ("day <", filter.before)];
    for (compared, instant) in days.into_iter().filter_map(|(compared, instant)| Some((compared, instant?))) {
        arguments.add(instant / DAY).map_err(Error::internal)?;
        sql = format!("{sql} AND {compared} ${}", arguments.len());
    }
    if let Some(status) = filter.status.map(OrderStatus::as_str) {
        arguments.add(status.to_owned()).map_err(Error::internal)?;
        sql = format!("{sql} AND status = ${}", arguments.len());
    }
    Ok((sql, arguments))
}
