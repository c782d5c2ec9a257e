//! Statistics over all orders, and unresolved alerts.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::OrderStatus;

use crate::error::Error;
use crate::infra::clock::rfc3339;
use crate::time_zone::ShopZone;

/// Maximum number of listed alerts.
const MAX_ALERTS: i64 = 50;

/// Orders that are not delivered yet.
#[derive(Default, Serialize, ToSchema)]
#[schema(examples(json!({
    "pending": 2,
    "processing": 1,
    "shipped": 3,
})))]
pub struct OpenOrders {
    pub pending: i64,
    pub processing: i64,
    pub shipped: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b",
    "name": "Nudgelight One",
    "sold": 37,
})))]
pub struct SoldProduct {
    pub id: String,
    pub name: String,
    pub sold: i64,
}

/// An alert about an order, or about a payment without an order.
#[derive(Serialize, ToSchema)]
#[schema(as = Attention, examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21",
    "message": "The customer disputes the payment.",
    "created_at": "2026-12-24T18:00:00Z",
    "created_at_local": "2026-12-24T13:00:00-05:00",
    "order_number": 1001,
})))]
pub struct Alert {
    /// Id for resolving the alert.
    pub id: String,
    /// Why it needs review.
    pub message: String,
    /// Creation time of the order or the alert, RFC 3339 in UTC.
    pub created_at: String,
    /// The same time in the shop's time zone, with its offset.
    pub created_at_local: String,
    /// Of an alert about an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_number: Option<i64>,
}

/// Sales of one day.
pub struct DaySales {
    /// Days since 1970-01-01.
    pub day: i64,
    pub orders: i64,
    pub sales: Cents,
}

/// Lists the days with sales from one day to another (days since 1970-01-01). Fully refunded orders are subtracted: they are few,
/// and a partial index finds them.
pub async fn list_sales(pool: &AnyPool, zone: ShopZone, (since, today): (i64, i64)) -> Result<Vec<DaySales>, Error> {
    let start = zone.start_of(since);
    let day = zone.day_sql("created_at", (start, zone.bounds(today).end));
    let select = format!(
        "SELECT d.day, d.orders - COALESCE(r.orders, 0) AS orders, d.sales FROM \
         (SELECT day, CAST(SUM(orders) AS BIGINT) AS orders, CAST(SUM(sales) AS BIGINT) AS sales \
          FROM daily_order_totals WHERE day >= $1 GROUP BY day) d LEFT JOIN \
         (SELECT {day} AS day, COUNT(*) AS orders FROM orders \
          WHERE refunded = total AND created_at >= $2 GROUP BY 1) r ON r.day = d.day"
    );
    let rows = sqlx::query(AssertSqlSafe(select)).bind(since).bind(start).fetch_all(pool).await?;
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
    let counts = count_by_status(pool).await?;
    let of = |status: OrderStatus| counts.get(status.as_str()).copied().unwrap_or_default();
    Ok(OpenOrders {
        pending: of(OrderStatus::Pending),
        processing: of(OrderStatus::Processing),
        shipped: of(OrderStatus::Shipped),
    })
}

/// Counts all orders by status.
pub async fn count_by_status(pool: &AnyPool) -> Result<HashMap<String, i64>, Error> {
    let select = "SELECT status, CAST(SUM(orders) AS BIGINT) FROM daily_order_totals GROUP BY status";
    let counts: Vec<(String, i64)> = sqlx::query_as(select).fetch_all(pool).await?;
    Ok(counts.into_iter().collect())
}

/// Counts the orders with an unresolved alert.
pub async fn count_needing_review(pool: &AnyPool) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM orders WHERE attention IS NOT NULL").fetch_one(pool).await?)
}

/// Lists the best-selling products since this day, net of restocked items.
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

/// Lists the unresolved alerts of orders and payments, oldest first.
pub async fn list_alerts(pool: &AnyPool, zone: ShopZone) -> Result<Vec<Alert>, Error> {
    let rows = sqlx::query(
        "SELECT id, attention AS message, created_at, number FROM orders WHERE attention IS NOT NULL \
         UNION ALL SELECT id, message, created_at, NULL FROM alerts WHERE resolved_at IS NULL ORDER BY created_at, id LIMIT $1",
    )
    .bind(MAX_ALERTS)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            let created_at = row.try_get("created_at")?;
            Ok(Alert {
                id: row.try_get("id")?,
                message: row.try_get("message")?,
                created_at: rfc3339(created_at),
                created_at_local: zone.local(created_at),
                order_number: row.try_get("number")?,
            })
        })
        .collect()
}

/// Resolves an alert about a payment; the first administrator is recorded. False when there is no such alert.
pub async fn resolve_alert(tx: &mut AnyConnection, id: &str, actor: &str, now: i64) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE alerts SET resolved_at = COALESCE(resolved_at, $2), resolved_by = COALESCE(resolved_by, $3) WHERE id = $1",
    )
    .bind(id)
    .bind(now)
    .bind(actor)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn clear_order_alert(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE orders SET attention = NULL WHERE id = $1").bind(order_id).execute(tx).await?;
    Ok(())
}
