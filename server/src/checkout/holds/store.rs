//! The causes of holds: disputes and early fraud warnings that no administrator has released.

use sqlx::AnyConnection;
use wasm_core::orders::HoldReason;

use crate::error::Error;
use crate::orders::store::hold_reason;

/// Lists the causes that hold an order, the one that counts first.
pub async fn list_unreleased(connection: &mut AnyConnection, order_id: &str) -> Result<Vec<HoldReason>, Error> {
    let words: Vec<String> = sqlx::query_scalar(
        "SELECT CASE status WHEN 'open' THEN 'dispute' WHEN 'lost' THEN 'lost_dispute' ELSE 'inquiry' END FROM disputes \
         WHERE order_id = $1 AND released = 0 AND status IN ('open', 'lost', 'warning') \
         UNION ALL SELECT 'fraud_warning' FROM early_fraud_warnings \
         WHERE order_id = $1 AND released = 0 AND actionable = 1",
    )
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    let found = words.iter().map(|word| hold_reason(word)).collect::<Result<Vec<_>, _>>()?;
    Ok(HoldReason::ALL.into_iter().filter(|reason| found.contains(reason)).collect())
}

/// Releases every cause of the order: it holds the order no more until its status changes.
pub async fn release(tx: &mut AnyConnection, order_id: &str) -> Result<(), Error> {
    for release in [
        "UPDATE disputes SET released = 1 WHERE order_id = $1",
        "UPDATE early_fraud_warnings SET released = 1 WHERE order_id = $1",
    ] {
        sqlx::query(release).bind(order_id).execute(&mut *tx).await?;
    }
    Ok(())
}
