//! Webhook events of the payment provider: stored before the response, applied afterward.

use sqlx::{AnyConnection, AssertSqlSafe};

use crate::db::rows::skip_locked;
use crate::error::Error;

/// Stores a signed event. One without a body needs no processing. Returns false for an event that is stored already.
pub async fn insert_event(
    tx: &mut AnyConnection,
    id: &str,
    kind: &str,
    body: Option<&str>,
    now: i64,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "INSERT INTO webhook_events (id, type, body, received_at, next_attempt_at, applied_at) \
         VALUES ($1, $2, $3, $4, $4, $5) ON CONFLICT (id) DO NOTHING",
    )
    .bind(id)
    .bind(kind)
    .bind(body.unwrap_or_default())
    .bind(now)
    .bind(body.is_none().then_some(now))
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Claims pending events as `(id, body)`, with a quadratic backoff before the next attempt.
pub async fn claim_events(tx: &mut AnyConnection, now: i64) -> Result<Vec<(String, String)>, Error> {
    let update = format!(
        "WITH due AS MATERIALIZED (SELECT id FROM webhook_events WHERE applied_at IS NULL AND next_attempt_at <= $1 \
             ORDER BY next_attempt_at LIMIT 50{}) \
         UPDATE webhook_events SET attempts = attempts + 1, next_attempt_at = $1 + 5000 * (attempts + 1) * (attempts + 1) \
         WHERE id IN (SELECT id FROM due) AND next_attempt_at <= $1 RETURNING id, body",
        skip_locked(tx, "webhook_events")
    );
    Ok(sqlx::query_as(AssertSqlSafe(update)).bind(now).fetch_all(tx).await?)
}

/// Deletes the body, which nothing needs any more: more than half of what an order takes. The row stays, so that an
/// event that is delivered again is recognized by its id.
pub async fn mark_event_applied(tx: &mut AnyConnection, id: &str, now: i64) -> Result<(), Error> {
    sqlx::query("UPDATE webhook_events SET applied_at = $2, body = '' WHERE id = $1 AND applied_at IS NULL")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}
