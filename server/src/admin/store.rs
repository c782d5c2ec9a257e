//! What is counted over all orders, and the list of what a person has to look at.

use sqlx::{AnyConnection, AnyPool, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::OrderStatus;

use super::overview::{Attention, OpenOrders, SoldProduct};
use crate::http::error::Error;
use crate::infra::clock::{DAY, rfc3339};

/// More than this nobody reads at a glance.
const LISTED: i64 = 50;

/// What was sold on one day.
pub struct DaySales {
    /// Days since 1970-01-01.
    pub day: i64,
    pub orders: i64,
    pub sales: Cents,
}

/// The days from that one on, as days since 1970-01-01, on which something was sold. Orders that have been refunded in
/// full do not count: they are few, and found by an index of their own.
pub async fn list_sales(pool: &AnyPool, since: i64) -> Result<Vec<DaySales>, Error> {
    let rows = sqlx::query(
        "SELECT d.day, d.orders - COALESCE(r.orders, 0) AS orders, d.sales FROM \
         (SELECT day, CAST(SUM(orders) AS BIGINT) AS orders, CAST(SUM(sales) AS BIGINT) AS sales \
          FROM daily_order_totals WHERE day >= $1 GROUP BY day) d LEFT JOIN \
         (SELECT created_at / $2 AS day, COUNT(*) AS orders FROM orders \
          WHERE refunded = total AND created_at >= $1 * $2 GROUP BY day) r ON r.day = d.day",
    )
    .bind(since)
    .bind(DAY)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(DaySales {
                day: row.try_get("day")?,
                orders: row.try_get("orders")?,
                sales: Cents::from_cents(row.try_get("sales")?),
            })
        })
        .collect()
}

pub async fn count_open_orders(pool: &AnyPool) -> Result<OpenOrders, Error> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("SELECT status, CAST(SUM(orders) AS BIGINT) FROM daily_order_totals GROUP BY status")
            .fetch_all(pool)
            .await?;
    let of =
        |status: OrderStatus| rows.iter().find(|(word, _)| word == status.as_str()).map_or(0, |(_, orders)| *orders);
    Ok(OpenOrders {
        pending: of(OrderStatus::Pending),
        processing: of(OrderStatus::Processing),
        shipped: of(OrderStatus::Shipped),
    })
}

/// From that day on: what left the responses for orders, less what was put back.
pub async fn list_most_sold(pool: &AnyPool, since: i64, limit: i64) -> Result<Vec<SoldProduct>, Error> {
    let rows = sqlx::query(
        "SELECT p.id, p.name, s.sold FROM products p JOIN (SELECT product_id, CAST(SUM(sold) AS BIGINT) AS sold \
         FROM daily_product_totals WHERE day >= $1 GROUP BY product_id) s \
         ON s.product_id = p.id WHERE s.sold > 0 ORDER BY s.sold DESC, p.name LIMIT $2",
    )
    .bind(since)
    .bind(limit)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| Ok(SoldProduct { id: row.try_get("id")?, name: row.try_get("name")?, sold: row.try_get("sold")? }))
        .collect()
}

/// Orders and payments together, oldest first.
pub async fn list_attention(pool: &AnyPool) -> Result<Vec<Attention>, Error> {
    let rows = sqlx::query(
        "SELECT id, attention AS what, created_at AS at, number FROM orders WHERE attention IS NOT NULL \
         UNION ALL SELECT id, message, created_at, NULL FROM alerts WHERE resolved_at IS NULL ORDER BY at, id LIMIT $1",
    )
    .bind(LISTED)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Attention {
                id: row.try_get("id")?,
                what: row.try_get("what")?,
                at: rfc3339(row.try_get("at")?),
                order_number: row.try_get("number")?,
            })
        })
        .collect()
}

/// False where no payment of that id waits or ever waited. The first one to settle it is remembered.
pub async fn settle_attention(tx: &mut AnyConnection, id: &str, who: &str, now: i64) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE alerts SET resolved_at = COALESCE(resolved_at, $2), resolved_by = COALESCE(resolved_by, $3) WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .bind(who)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn clear_order_attention(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE orders SET attention = NULL WHERE id = $1").bind(order_id).execute(tx).await?;
    Ok(())
}
