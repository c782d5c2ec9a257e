//! Daily order totals: updated with each order, read for the total of a list and the start of a page.

use sqlx::any::AnyArguments;
use sqlx::{AnyConnection, AnyPool, Arguments as _, AssertSqlSafe};
use wasm_core::money::Cents;
use wasm_core::orders::OrderStatus;

use crate::db::rows::in_list;
use crate::error::Error;
use crate::orders::query::Filter;
use crate::time_zone::{self, ShopZone};

/// Adds a new order to its day's totals. The zone must be locked.
pub async fn add_new(tx: &mut AnyConnection, day: i64, total: Cents) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO daily_order_totals (day, status, orders, sales) VALUES ($1, $2, 1, $3) \
         ON CONFLICT (day, status) DO UPDATE SET orders = daily_order_totals.orders + 1, \
         sales = daily_order_totals.sales + excluded.sales",
    )
    .bind(day)
    .bind(OrderStatus::Pending.as_str())
    .bind(total.cents())
    .execute(tx)
    .await?;
    Ok(())
}

/// Adds an order to the totals.
pub async fn add(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    add_all(tx, &[order_id]).await
}

/// Subtracts an order from the totals before it changes.
pub async fn subtract(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    subtract_all(tx, &[order_id]).await
}

pub async fn add_all(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(), Error> {
    let (counted, arguments) = count_by_day(tx, order_ids).await?;
    let insert = format!(
        "INSERT INTO daily_order_totals (day, status, orders, sales) \
         SELECT counted_day, counted_status, counted, net FROM {counted} WHERE 1 = 1 \
         ON CONFLICT (day, status) DO UPDATE SET orders = daily_order_totals.orders + excluded.orders, \
         sales = daily_order_totals.sales + excluded.sales"
    );
    sqlx::query_with(AssertSqlSafe(insert), arguments).execute(tx).await?;
    Ok(())
}

/// Two transactions that change orders of one day in opposite directions may deadlock; then one of them is retried.
pub async fn subtract_all(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(), Error> {
    let (counted, arguments) = count_by_day(tx, order_ids).await?;
    let update = format!(
        "UPDATE daily_order_totals SET orders = orders - counted, sales = sales - net FROM {counted} \
         WHERE day = counted_day AND status = counted_status"
    );
    sqlx::query_with(AssertSqlSafe(update), arguments).execute(tx).await?;
    Ok(())
}

/// These orders by day and status, as a subquery with its bound values. No change of the zone comes in between until the
/// transaction ends.
async fn count_by_day(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(String, AnyArguments), Error> {
    let zone = time_zone::store::load_locked_shared(tx).await?;
    let day = zone.day_sql("created_at", find_range(tx, order_ids).await?);
    let (ids, bound) = in_list(order_ids.iter().map(|id| (*id).to_owned()))?;
    let select = format!(
        "(SELECT counted_day, counted_status, COUNT(*) AS counted, CAST(SUM(net) AS BIGINT) AS net FROM \
         (SELECT {day} AS counted_day, status AS counted_status, total - refunded AS net \
          FROM orders WHERE id IN ({ids})) changed GROUP BY counted_day, counted_status) counts"
    );
    Ok((select, bound))
}

/// The times of the first and the last of these orders.
async fn find_range(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(i64, i64), Error> {
    let (ids, bound) = in_list(order_ids.iter().map(|id| (*id).to_owned()))?;
    let select =
        format!("SELECT COALESCE(MIN(created_at), 0), COALESCE(MAX(created_at), 0) FROM orders WHERE id IN ({ids})");
    Ok(sqlx::query_as_with(AssertSqlSafe(select), bound).fetch_one(tx).await?)
}

/// Recounts all totals from the orders. The zone must be locked.
pub async fn recount(tx: &mut AnyConnection, zone: ShopZone) -> Result<(), Error> {
    sqlx::query("DELETE FROM daily_order_totals").execute(&mut *tx).await?;
    let range = sqlx::query_as("SELECT COALESCE(MIN(created_at), 0), COALESCE(MAX(created_at), 0) FROM orders")
        .fetch_one(&mut *tx)
        .await?;
    let day = zone.day_sql("created_at", range);
    let insert = format!(
        "INSERT INTO daily_order_totals (day, status, orders, sales) \
         SELECT {day}, status, COUNT(*), CAST(SUM(total - refunded) AS BIGINT) FROM orders GROUP BY {day}, status"
    );
    sqlx::query(AssertSqlSafe(insert)).execute(tx).await?;
    Ok(())
}

/// Counts all orders.
pub async fn count_all(pool: &AnyPool) -> Result<i64, Error> {
    let sql = "SELECT CAST(COALESCE(SUM(orders), 0) AS BIGINT) FROM daily_order_totals";
    Ok(sqlx::query_scalar(sql).fetch_one(pool).await?)
}

/// Counts the orders of the filter's days and status.
pub async fn count(pool: &AnyPool, filter: &Filter) -> Result<i64, Error> {
    let (sql, arguments) = where_clause(filter)?;
    let count = format!("SELECT CAST(COALESCE(SUM(orders), 0) AS BIGINT) FROM daily_order_totals WHERE {sql}");
    Ok(sqlx::query_scalar_with(AssertSqlSafe(count), arguments).fetch_one(pool).await?)
}

/// The day of the order at an offset.
pub struct DayPosition {
    pub day: i64,
    /// Number of orders from later days.
    pub newer: i64,
}

pub async fn find_day(pool: &AnyPool, filter: &Filter, offset: i64) -> Result<Option<DayPosition>, Error> {
    let (sql, mut arguments) = where_clause(filter)?;
    arguments.add(offset).map_err(Error::internal)?;
    let select = format!(
        "SELECT day, CAST(through - orders AS BIGINT) FROM \
         (SELECT day, orders, SUM(orders) OVER (ORDER BY day DESC) AS through FROM \
          (SELECT day, SUM(orders) AS orders FROM daily_order_totals WHERE {sql} GROUP BY day) days) running \
         WHERE through > ${} ORDER BY day DESC LIMIT 1",
        arguments.len()
    );
    let found: Option<(i64, i64)> = sqlx::query_as_with(AssertSqlSafe(select), arguments).fetch_optional(pool).await?;
    Ok(found.map(|(day, newer)| DayPosition { day, newer }))
}

/// The times of a filter are starts of days in its zone.
fn where_clause(filter: &Filter) -> Result<(String, AnyArguments), Error> {
    let mut arguments = AnyArguments::default();
    let mut sql = "1 = 1".to_owned();
    let days = [("day >=", filter.from), ("day <", filter.before)];
    for (compared, instant) in days.into_iter().filter_map(|(compared, instant)| Some((compared, instant?))) {
        arguments.add(filter.zone.day_of(instant)).map_err(Error::internal)?;
        sql = format!("{sql} AND {compared} ${}", arguments.len());
    }
    if let Some(status) = filter.status.map(OrderStatus::as_str) {
        arguments.add(status.to_owned()).map_err(Error::internal)?;
        sql = format!("{sql} AND status = ${}", arguments.len());
    }
    Ok((sql, arguments))
}
