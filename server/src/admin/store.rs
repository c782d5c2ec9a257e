//! What is counted over all orders, and the list of what a person has to look at.

use sqlx::{AnyConnection, AnyPool, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::OrderStatus;

use super::overview::{Attention, OpenOrders, SoldProduct};
use crate::clock::rfc3339;
use crate::error::Error;

/// More than this nobody reads at a glance.
const LISTED: i64 = 50;

/// What was sold on one day.
pub struct DaySales {
    /// Days since 1970-01-01.
    pub day: i64,
    pub orders: i64,
    pub sales: Cents,
}

/// The days since then on which something was sold; `day_length` in milliseconds.
pub async fn list_sales(pool: &AnyPool, since: i64, day_length: i64) -> Result<Vec<DaySales>, Error> {
    let rows = sqlx::query(
        "SELECT created_at / $2 AS day, COUNT(*) AS orders, CAST(SUM(total - refunded) AS BIGINT) AS sales \
         FROM orders WHERE created_at >= $1 GROUP BY 1",
    )
    .bind(since)
    .bind(day_length)
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
    Ok(OpenOrders {
        pending: count_orders(pool, OrderStatus::Pending).await?,
        processing: count_orders(pool, OrderStatus::Processing).await?,
        shipped: count_orders(pool, OrderStatus::Shipped).await?,
    })
}

async fn count_orders(pool: &AnyPool, status: OrderStatus) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM orders WHERE status = $1").bind(status.word()).fetch_one(pool).await?)
}

/// By the ledger of the stock: what left the shelf for orders, less what was put back.
pub async fn list_most_sold(pool: &AnyPool, since: i64, limit: i64) -> Result<Vec<SoldProduct>, Error> {
    let rows = sqlx::query(
        "SELECT p.id, p.name, s.sold FROM products p JOIN (SELECT product_id, CAST(-SUM(change) AS BIGINT) AS sold \
         FROM stock_ledger WHERE cause IN ('sold', 'restocked') AND at >= $1 GROUP BY product_id) s \
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
         UNION ALL SELECT id, what, at, NULL FROM attention WHERE settled_at IS NULL ORDER BY at, id LIMIT $1",
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
        "UPDATE attention SET settled_at = COALESCE(settled_at, $2), settled_by = COALESCE(settled_by, $3) WHERE id = $1",
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
