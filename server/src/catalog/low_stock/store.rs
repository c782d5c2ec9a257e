//! Products at or below their low-stock threshold.

use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};
use wasm_core::catalog::{StockBadge, stock_badge};

use crate::error::Error;

/// Condition for active products at or below their threshold. Without one, the limit is that of the Low Stock badge.
pub const IS_LOW_STOCK: &str = "(active = 1 AND stock - reserved <= COALESCE(low_stock_threshold, 4))";

const _: () = assert!(
    matches!(stock_badge(4), StockBadge::LowStock) && matches!(stock_badge(5), StockBadge::InStock),
    "the default threshold is the badge's"
);

/// A product for the email.
pub struct LowProduct {
    pub id: String,
    pub name: String,
    /// Never below zero.
    pub available: i64,
}

/// Lists the ids of the products with low stock, the lowest first.
pub async fn list_low_ids(pool: &AnyPool, limit: i64) -> Result<Vec<String>, Error> {
    let sql =
        format!("SELECT id FROM products WHERE {IS_LOW_STOCK} ORDER BY stock - reserved, created_at, id LIMIT $1");
    Ok(sqlx::query_scalar(AssertSqlSafe(sql)).bind(limit).fetch_all(pool).await?)
}

/// Lists the products with low stock, the lowest first.
pub async fn list_low(tx: &mut AnyConnection) -> Result<Vec<LowProduct>, Error> {
    let sql = format!(
        "SELECT id, name, stock - reserved AS available FROM products WHERE {IS_LOW_STOCK} \
         ORDER BY stock - reserved, created_at, id"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(tx).await?;
    rows.iter()
        .map(|row| {
            let available: i64 = row.try_get("available")?;
            Ok(LowProduct { id: row.try_get("id")?, name: row.try_get("name")?, available: available.max(0) })
        })
        .collect()
}

/// Whether a product has low stock that no email reported.
pub async fn has_unreported(pool: &AnyPool) -> Result<bool, Error> {
    has_any(pool, &format!("{IS_LOW_STOCK} AND low_stock_notified_at IS NULL")).await
}

/// Whether a reported product has enough stock again, or is hidden.
pub async fn has_recovered(pool: &AnyPool) -> Result<bool, Error> {
    has_any(pool, &format!("low_stock_notified_at IS NOT NULL AND NOT {IS_LOW_STOCK}")).await
}

async fn has_any(pool: &AnyPool, condition: &str) -> Result<bool, Error> {
    let sql = format!("SELECT 1 FROM products WHERE {condition} LIMIT 1");
    Ok(sqlx::query(AssertSqlSafe(sql)).fetch_optional(pool).await?.is_some())
}

/// The next fall of a recovered product is reported again.
pub async fn forget_recovered(tx: &mut AnyConnection) -> Result<(), Error> {
    let sql = format!(
        "UPDATE products SET low_stock_notified_at = NULL WHERE low_stock_notified_at IS NOT NULL AND NOT {IS_LOW_STOCK}"
    );
    sqlx::query(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}

pub async fn mark_notified(tx: &mut AnyConnection, id: &str, now: i64) -> Result<(), Error> {
    sqlx::query("UPDATE products SET low_stock_notified_at = COALESCE(low_stock_notified_at, $2) WHERE id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn load_threshold(tx: &mut AnyConnection, id: &str) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar("SELECT low_stock_threshold FROM products WHERE id = $1").bind(id).fetch_one(tx).await?)
}

/// Sets the threshold; false if there is no such product.
pub async fn set_threshold(tx: &mut AnyConnection, id: &str, threshold: Option<i64>) -> Result<bool, Error> {
    let done = sqlx::query("UPDATE products SET low_stock_threshold = $2 WHERE id = $1")
        .bind(id)
        .bind(threshold)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}
