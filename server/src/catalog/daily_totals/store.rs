//! SQL of the daily product totals.

use sqlx::{AnyConnection, AssertSqlSafe};

use crate::error::Error;
use crate::time_zone::{self, ShopZone};

/// Adds sold units to the day's total, or subtracts restocked ones. The product's row is already locked, so two
/// transactions never deadlock here.
pub async fn add(tx: &mut AnyConnection, product_id: &str, sold: i64, now: i64) -> Result<(), Error> {
    let zone = time_zone::store::load_locked_shared(tx).await?;
    sqlx::query(
        "INSERT INTO daily_product_totals (day, product_id, sold) VALUES ($1, $2, $3) \
         ON CONFLICT (day, product_id) DO UPDATE SET sold = daily_product_totals.sold + excluded.sold",
    )
    .bind(zone.day_of(now))
    .bind(product_id)
    .bind(sold)
    .execute(tx)
    .await?;
    Ok(())
}

/// Recounts all totals from the stock ledger. The zone must be locked.
pub async fn recount(tx: &mut AnyConnection, zone: ShopZone) -> Result<(), Error> {
    sqlx::query("DELETE FROM daily_product_totals").execute(&mut *tx).await?;
    let range = sqlx::query_as("SELECT COALESCE(MIN(created_at), 0), COALESCE(MAX(created_at), 0) FROM stock_ledger")
        .fetch_one(&mut *tx)
        .await?;
    let day = zone.day_sql("created_at", range);
    let insert = format!(
        "INSERT INTO daily_product_totals (day, product_id, sold) \
         SELECT {day}, product_id, CAST(-SUM(change) AS BIGINT) FROM stock_ledger \
         WHERE reason IN ('sold', 'restocked') GROUP BY {day}, product_id"
    );
    sqlx::query(AssertSqlSafe(insert)).execute(tx).await?;
    Ok(())
}
