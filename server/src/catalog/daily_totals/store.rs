//! SQL of the daily product totals.

use sqlx::{AnyConnection, AssertSqlSafe};

use crate::db::rows::{ROWS, Values, value_rows};
use crate::error::Error;
use crate::time_zone::{self, ShopZone};

/// Adds sold units to the day's total, or subtracts restocked ones.
pub async fn add(tx: &mut AnyConnection, product_id: &str, sold: i64, now: i64) -> Result<(), Error> {
    let zone = time_zone::store::load_locked_shared(tx).await?;
    add_all(tx, zone.day_of(now), &[(product_id, sold)]).await
}

/// Adds sold units of products, which are ordered by id, to the day's totals. The products' rows are already locked, so
/// two transactions never deadlock here.
pub async fn add_all(tx: &mut AnyConnection, day: i64, sold: &[(&str, i64)]) -> Result<(), Error> {
    for sold in sold.chunks(ROWS) {
        let mut bound = Values::default();
        for (product_id, units) in sold {
            bound.whole(day)?.text(*product_id)?.whole(*units)?;
        }
        let insert = format!(
            "INSERT INTO daily_product_totals (day, product_id, sold) VALUES {} \
             ON CONFLICT (day, product_id) DO UPDATE SET sold = daily_product_totals.sold + excluded.sold",
            value_rows(sold.len(), 3)
        );
        sqlx::query_with(AssertSqlSafe(insert), bound.0).execute(&mut *tx).await?;
    }
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
