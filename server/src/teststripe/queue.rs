//! The SQL of the webhook queue.

use sqlx::{AnyConnection, Row as _};

use crate::chance;
use crate::error::Error;

/// One posting of one event.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    pub event_id: String,
    pub body: String,
    pub created_at: i64,
    /// This one included.
    pub attempts: i64,
}

pub async fn insert_event(tx: &mut AnyConnection, id: &str, kind: &str, body: &str, now_ms: i64) -> Result<(), Error> {
    sqlx::query("INSERT INTO teststripe_events (id, type, body, created_at) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(kind)
        .bind(body)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn insert_delivery(tx: &mut AnyConnection, event_id: &str, now_ms: i64, due_at: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO teststripe_deliveries (id, event_id, created_at, next_attempt_at, state)
         VALUES ($1, $2, $3, $4, 'waiting')",
    )
    .bind(&*chance::new_id())
    .bind(event_id)
    .bind(now_ms)
    .bind(due_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn is_anything_due(connection: &mut AnyConnection, now_ms: i64) -> Result<bool, Error> {
    let due: Option<String> = sqlx::query_scalar(
        "SELECT id FROM teststripe_deliveries WHERE state = 'waiting' AND next_attempt_at <= $1 LIMIT 1",
    )
    .bind(now_ms)
    .fetch_optional(connection)
    .await?;
    Ok(due.is_some())
}

/// Takes at most `limit` due deliveries until `leased_until`, oldest first.
pub async fn claim(tx: &mut AnyConnection, now_ms: i64, leased_until: i64, limit: i64) -> Result<Vec<Delivery>, Error> {
    let claimed = sqlx::query(
        "UPDATE teststripe_deliveries SET next_attempt_at = $1, attempts = attempts + 1
         WHERE id IN (SELECT id FROM teststripe_deliveries
                      WHERE state = 'waiting' AND next_attempt_at <= $2
                      ORDER BY next_attempt_at, id LIMIT $3)
           AND state = 'waiting' AND next_attempt_at <= $2
         RETURNING id, event_id, created_at, attempts",
    )
    .bind(leased_until)
    .bind(now_ms)
    .bind(limit)
    .fetch_all(&mut *tx)
    .await?;
    let mut deliveries = Vec::with_capacity(claimed.len());
    for row in claimed {
        let event_id: String = row.try_get("event_id")?;
        let body = sqlx::query_scalar("SELECT body FROM teststripe_events WHERE id = $1")
            .bind(&*event_id)
            .fetch_one(&mut *tx)
            .await?;
        deliveries.push(Delivery {
            id: row.try_get("id")?,
            event_id,
            body,
            created_at: row.try_get("created_at")?,
            attempts: row.try_get("attempts")?,
        });
    }
    deliveries.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(deliveries)
}

/// What became of a claimed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Delivered,
    RetryAt(i64),
    GivenUp,
}

pub async fn settle(tx: &mut AnyConnection, id: &str, outcome: Outcome) -> Result<(), Error> {
    let (state, next_attempt_at) = match outcome {
        Outcome::Delivered => ("delivered", 0),
        Outcome::RetryAt(at) => ("waiting", at),
        Outcome::GivenUp => ("given_up", 0),
    };
    sqlx::query(
        "UPDATE teststripe_deliveries SET state = $1, next_attempt_at = $2 WHERE id = $3 AND state = 'waiting'",
    )
    .bind(state)
    .bind(next_attempt_at)
    .bind(id)
    .execute(tx)
    .await?;
    Ok(())
}
