//! Daily order totals: updated with each order, read for the total of a list and the start of a page.

use sqlx::any::AnyArguments;
use sqlx::{AnyConnection, AnyPool, Arguments as _, AssertSqlSafe};
use wasm_core::orders::OrderStatus;

use crate::db::rows::{Values, placeholders};
use crate::error::Error;
use crate::orders::query::Filter;
use crate::time_zone::store::CountedZone;
use crate::time_zone::{self, ShopZone};

/// Adds an order to the totals.
pub async fn add(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    add_all(tx, &[order_id]).await
}

/// Subtracts an order from the totals before it changes.
pub async fn subtract(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    subtract_all(tx, &[order_id]).await
}

pub async fn add_all(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(), Error> {
    for (zone, counted, arguments) in count_by_day(tx, order_ids).await? {
        let insert = format!(
            "INSERT INTO daily_order_totals (zone, day, status, orders, sales) \
             SELECT '{}', counted_day, counted_status, counted, net FROM {counted} WHERE 1 = 1 \
             ON CONFLICT (zone, day, status) DO UPDATE SET orders = daily_order_totals.orders + excluded.orders, \
             sales = daily_order_totals.sales + excluded.sales",
            zone.rule()
        );
        sqlx::query_with(AssertSqlSafe(insert), arguments).execute(&mut *tx).await?;
    }
    Ok(())
}

/// Two transactions that change orders of one day in opposite directions may deadlock; then one of them is retried.
pub async fn subtract_all(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(), Error> {
    for (zone, counted, arguments) in count_by_day(tx, order_ids).await? {
        let update = format!(
            "UPDATE daily_order_totals SET orders = orders - counted, sales = sales - net FROM {counted} \
             WHERE zone = '{}' AND day = counted_day AND status = counted_status",
            zone.rule()
        );
        sqlx::query_with(AssertSqlSafe(update), arguments).execute(&mut *tx).await?;
    }
    Ok(())
}

/// For each time zone: these orders by day and status, as a subquery with its bound values. Orders that a rebuild has not
/// reached are left to it.
async fn count_by_day(
    tx: &mut AnyConnection,
    order_ids: &[&str],
) -> Result<Vec<(ShopZone, String, AnyArguments)>, Error> {
    let zones = time_zone::store::lock_shared(tx).await?;
    let range = find_range(tx, order_ids).await?;
    let count = |CountedZone { zone, counted_before }| {
        let mut bound = Values::default();
        bound.whole(counted_before)?;
        for id in order_ids {
            bound.text(*id)?;
        }
        let select = format!(
            "(SELECT counted_day, counted_status, COUNT(*) AS counted, CAST(SUM(net) AS BIGINT) AS net FROM \
             (SELECT {} AS counted_day, status AS counted_status, total - refunded AS net \
              FROM orders WHERE created_at < $1 AND id IN ({})) changed GROUP BY counted_day, counted_status) counts",
            zone.day_sql("created_at", range),
            placeholders(2, order_ids.len())
        );
        Ok((zone, select, bound.0))
    };
    zones.into_iter().map(count).collect()
}

/// The times of the first and the last of these orders.
async fn find_range(tx: &mut AnyConnection, order_ids: &[&str]) -> Result<(i64, i64), Error> {
    let mut bound = Values::default();
    for id in order_ids {
        bound.text(*id)?;
    }
    let ids = placeholders(1, order_ids.len());
    let select =
        format!("SELECT COALESCE(MIN(created_at), 0), COALESCE(MAX(created_at), 0) FROM orders WHERE id IN ({ids})");
    Ok(sqlx::query_as_with(AssertSqlSafe(select), bound.0).fetch_one(tx).await?)
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
    arguments.add(filter.zone.rule().to_owned()).map_err(Error::internal)?;
    let mut sql = "zone = $1".to_owned();
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
