//! The disputes of orders.

use sqlx::{AnyConnection, AnyPool};
use wasm_core::orders::DisputeStatus;

use crate::http::error::Error;
use crate::orders::store::dispute_status;

pub async fn find_status(tx: &mut AnyConnection, id: &str) -> Result<Option<DisputeStatus>, Error> {
    let word: Option<String> =
        sqlx::query_scalar("SELECT status FROM disputes WHERE id = $1").bind(id).fetch_optional(tx).await?;
    word.as_deref().map(dispute_status).transpose()
}

/// Inserts the dispute or changes its status. The order must have been taken.
pub async fn put(
    tx: &mut AnyConnection,
    id: &str,
    order_id: &str,
    status: DisputeStatus,
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO disputes (id, order_id, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $4) \
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, updated_at = excluded.updated_at",
    )
    .bind(id)
    .bind(order_id)
    .bind(status.as_str())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn list_statuses(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<DisputeStatus>, Error> {
    let words: Vec<String> =
        sqlx::query_scalar("SELECT status FROM disputes WHERE order_id = $1").bind(order_id).fetch_all(tx).await?;
    words.iter().map(|word| dispute_status(word)).collect()
}

/// The payment intents of orders whose dispute may still change.
pub async fn list_pending_intents(pool: &AnyPool) -> Result<Vec<String>, Error> {
    Ok(sqlx::query_scalar(
        "SELECT payment_intent_id FROM orders WHERE dispute IN ('warning', 'open') ORDER BY created_at, id",
    )
    .fetch_all(pool)
    .await?)
}
