//! Webhook queue: endpoints, events and their deliveries.

use sqlx::{AnyConnection, AssertSqlSafe, Error, Row as _};

use crate::ids;

/// A delivery of one event to one endpoint.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    pub event_id: String,
    pub body: String,
    pub created_at: i64,
    /// Number of attempts, this one included.
    pub attempts: i64,
    /// None for the shop's own endpoint.
    pub endpoint: Option<Endpoint>,
}

/// A registered webhook endpoint.
#[derive(Clone, Debug)]
pub struct Endpoint {
    pub id: String,
    pub url: String,
    pub secret: String,
    /// Event types, or `*` for all.
    pub enabled_events: Vec<String>,
    pub created_at: i64,
}

impl Endpoint {
    pub fn wants(&self, kind: &str) -> bool {
        self.enabled_events.iter().any(|wanted| wanted == "*" || wanted == kind)
    }
}

pub async fn insert_endpoint(tx: &mut AnyConnection, endpoint: &Endpoint) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO mock_stripe_endpoints (id, url, secret, enabled_events, created_at) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&*endpoint.id)
    .bind(&*endpoint.url)
    .bind(&*endpoint.secret)
    .bind(&*endpoint.enabled_events.join(","))
    .bind(endpoint.created_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes an endpoint and marks its pending deliveries as failed. False for an unknown id.
pub async fn delete_endpoint(tx: &mut AnyConnection, id: &str) -> Result<bool, Error> {
    sqlx::query("UPDATE mock_stripe_deliveries SET state = 'failed' WHERE endpoint_id = $1 AND state = 'pending'")
        .bind(id)
        .execute(&mut *tx)
        .await?;
    let deleted = sqlx::query("DELETE FROM mock_stripe_endpoints WHERE id = $1").bind(id).execute(tx).await?;
    Ok(deleted.rows_affected() == 1)
}

/// Oldest first.
pub async fn list_endpoints(connection: &mut AnyConnection) -> Result<Vec<Endpoint>, Error> {
    let rows = sqlx::query("SELECT * FROM mock_stripe_endpoints ORDER BY created_at, id").fetch_all(connection).await?;
    rows.iter()
        .map(|row| {
            let events: String = row.try_get("enabled_events")?;
            Ok(Endpoint {
                id: row.try_get("id")?,
                url: row.try_get("url")?,
                secret: row.try_get("secret")?,
                enabled_events: events.split(',').map(str::to_owned).collect(),
                created_at: row.try_get("created_at")?,
            })
        })
        .collect()
}

pub async fn insert_event(tx: &mut AnyConnection, id: &str, kind: &str, body: &str, now_ms: i64) -> Result<(), Error> {
    sqlx::query("INSERT INTO mock_stripe_events (id, type, body, created_at) VALUES ($1, $2, $3, $4)")
        .bind(id)
        .bind(kind)
        .bind(body)
        .bind(now_ms)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn insert_delivery(
    tx: &mut AnyConnection,
    event_id: &str,
    endpoint_id: Option<&str>,
    now_ms: i64,
    due_at: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO mock_stripe_deliveries (id, event_id, created_at, next_attempt_at, state, endpoint_id)
         VALUES ($1, $2, $3, $4, 'pending', $5)",
    )
    .bind(&*ids::sortable_id())
    .bind(event_id)
    .bind(now_ms)
    .bind(due_at)
    .bind(endpoint_id)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn is_anything_due(connection: &mut AnyConnection, now_ms: i64) -> Result<bool, Error> {
    let due: Option<String> = sqlx::query_scalar(
        "SELECT id FROM mock_stripe_deliveries WHERE state = 'pending' AND next_attempt_at <= $1 LIMIT 1",
    )
    .bind(now_ms)
    .fetch_optional(connection)
    .await?;
    Ok(due.is_some())
}

/// Claims at most `limit` due deliveries until `leased_until`, oldest first.
pub async fn claim(tx: &mut AnyConnection, now_ms: i64, leased_until: i64, limit: i64) -> Result<Vec<Delivery>, Error> {
    // Two processes that claim at the same time would deadlock. SQLite has one writer.
    let lock = if tx.backend_name() == "PostgreSQL" { "FOR UPDATE SKIP LOCKED" } else { "" };
    let update = format!(
        "WITH due AS MATERIALIZED (SELECT id FROM mock_stripe_deliveries
                      WHERE state = 'pending' AND next_attempt_at <= $2
                      ORDER BY next_attempt_at, id LIMIT $3 {lock})
         UPDATE mock_stripe_deliveries SET next_attempt_at = $1, attempts = attempts + 1
         WHERE id IN (SELECT id FROM due) AND state = 'pending' AND next_attempt_at <= $2
         RETURNING id, event_id, created_at, attempts, endpoint_id,
                   (SELECT body FROM mock_stripe_events WHERE mock_stripe_events.id = event_id) AS body"
    );
    let claimed =
        sqlx::query(AssertSqlSafe(update)).bind(leased_until).bind(now_ms).bind(limit).fetch_all(&mut *tx).await?;
    let mut endpoints = None;
    let mut deliveries = Vec::with_capacity(claimed.len());
    for row in claimed {
        let endpoint = match row.try_get::<Option<String>, _>("endpoint_id")? {
            None => None,
            Some(wanted) => {
                let known = match endpoints.take() {
                    Some(known) => known,
                    None => list_endpoints(&mut *tx).await?,
                };
                endpoints.insert(known).iter().find(|endpoint| endpoint.id == wanted).cloned()
            }
        };
        deliveries.push(Delivery {
            id: row.try_get("id")?,
            event_id: row.try_get("event_id")?,
            body: row.try_get("body")?,
            created_at: row.try_get("created_at")?,
            attempts: row.try_get("attempts")?,
            endpoint,
        });
    }
    deliveries.sort_by(|one, other| one.id.cmp(&other.id));
    Ok(deliveries)
}

/// Result of a claimed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryStatus {
    Delivered,
    RetryAt(i64),
    Failed,
}

pub async fn save_all(tx: &mut AnyConnection, delivered: &[(String, DeliveryStatus)]) -> Result<(), Error> {
    for (id, status) in delivered {
        save(tx, id, *status).await?;
    }
    Ok(())
}

async fn save(tx: &mut AnyConnection, id: &str, status: DeliveryStatus) -> Result<(), Error> {
    let (state, next_attempt_at) = match status {
        DeliveryStatus::Delivered => ("delivered", 0),
        DeliveryStatus::RetryAt(at) => ("pending", at),
        DeliveryStatus::Failed => ("failed", 0),
    };
    sqlx::query(
        "UPDATE mock_stripe_deliveries SET state = $1, next_attempt_at = $2 WHERE id = $3 AND state = 'pending'",
    )
    .bind(state)
    .bind(next_attempt_at)
    .bind(id)
    .execute(tx)
    .await?;
    Ok(())
}
