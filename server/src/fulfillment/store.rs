//! Statistics over all orders.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{AnyPool, AssertSqlSafe, Row as _};
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::OrderStatus;

use crate::error::Error;
use crate::time_zone::ShopZone;

/// Orders that are not delivered yet.
#[derive(Default, Serialize, ToSchema)]
#[schema(examples(json!({
    "pending": 2,
    "processing": 1,
    "held": 1,
    "shipped": 3,
})))]
pub struct OpenOrders {
    /// Without those on hold.
    pub pending: i64,
    /// Without those on hold.
    pub processing: i64,
    /// Pending and processing orders on hold.
    pub held: i64,
    pub shipped: i64,
}

impl OpenOrders {
    /// From all orders and those on hold, by status.
    pub fn of(all: &HashMap<String, i64>, held: &HashMap<String, i64>) -> Self {
        let count =
            |counts: &HashMap<String, i64>, status: OrderStatus| counts.get(status.as_str()).copied().unwrap_or(0);
        let free = |status| count(all, status) - count(held, status);
        Self {
            pending: free(OrderStatus::Pending),
            processing: free(OrderStatus::Processing),
            held: held.values().sum(),
            shipped: count(all, OrderStatus::Shipped),
        }
    }
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
    Ok(OpenOrders::of(&count_by_status(pool).await?, &count_held(pool).await?))
}

/// Counts all orders by status.
pub async fn count_by_status(pool: &AnyPool) -> Result<HashMap<String, i64>, Error> {
    let select = "SELECT status, CAST(SUM(orders) AS BIGINT) FROM daily_order_totals GROUP BY status";
    let counts: Vec<(String, i64)> = sqlx::query_as(select).fetch_all(pool).await?;
    Ok(counts.into_iter().collect())
}

/// Counts the orders on hold by status, with the condition of their index.
pub async fn count_held(pool: &AnyPool) -> Result<HashMap<String, i64>, Error> {
    let select = "SELECT status, COUNT(*) FROM orders WHERE hold IS NOT NULL AND status IN ('pending', 'processing') \
                  GROUP BY status";
    let counts: Vec<(String, i64)> = sqlx::query_as(select).fetch_all(pool).await?;
    Ok(counts.into_iter().collect())
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
