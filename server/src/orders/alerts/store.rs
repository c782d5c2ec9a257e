//! The table of alerts.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};

use super::{Alert, OpenAlert};
use crate::db::tagged::{Tagged, from_columns};
use crate::error::Error;
use crate::infra::random;

/// What an alert is about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// An order, by its id.
    Order(&'a str),
    /// A payment without an order.
    Payment(&'a str),
}

/// The ids of the orders with an open alert. There are few, in an index of their own.
pub const ORDERS_WITH_OPEN: &str = "SELECT order_id FROM alerts WHERE resolved_at IS NULL AND order_id IS NOT NULL";

/// Inserts an alert, unless the same one is open. Returns whether it is new.
pub async fn insert(tx: &mut AnyConnection, subject: Subject<'_>, alert: &Alert, now: i64) -> Result<bool, Error> {
    let Tagged { kind, data } = Tagged::of(alert)?;
    let (order_id, payment_intent_id) = match subject {
        Subject::Order(id) => (Some(id), None),
        Subject::Payment(id) => (None, Some(id)),
    };
    let done = sqlx::query(
        "INSERT INTO alerts (id, kind, data, dedupe_key, order_id, payment_intent_id, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (dedupe_key) WHERE resolved_at IS NULL DO NOTHING",
    )
    .bind(random::new_id())
    .bind(kind)
    .bind(data)
    .bind(alert.key()?)
    .bind(order_id)
    .bind(payment_intent_id)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Whether this alert was ever raised. It may have been resolved.
pub async fn was_raised(tx: &mut AnyConnection, alert: &Alert) -> Result<bool, Error> {
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM alerts WHERE dedupe_key = $1")
        .bind(alert.key()?)
        .fetch_one(tx)
        .await?;
    Ok(found > 0)
}

/// Whether there was an alert about this payment, which has no order.
pub async fn has_payment(pool: &AnyPool, intent_id: &str) -> Result<bool, Error> {
    let found: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM alerts WHERE payment_intent_id = $1")
        .bind(intent_id)
        .fetch_one(pool)
        .await?;
    Ok(found > 0)
}

/// An alert that was resolved.
pub struct Resolved {
    pub alert: Alert,
    /// None for an alert about a payment.
    pub order_id: Option<String>,
}

/// Resolves an open alert. None if it is resolved already.
///
/// # Errors
/// 404 for an unknown alert.
pub async fn resolve(tx: &mut AnyConnection, id: &str, actor: &str, now: i64) -> Result<Option<Resolved>, Error> {
    let row = sqlx::query(
        "UPDATE alerts SET resolved_at = $2, resolved_by = $3 WHERE id = $1 AND resolved_at IS NULL \
         RETURNING kind, data, order_id",
    )
    .bind(id)
    .bind(now)
    .bind(actor)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return check_exists(tx, id).await.map(|()| None) };
    let alert = from_columns(row.try_get("kind")?, row.try_get("data")?)?;
    Ok(Some(Resolved { alert, order_id: row.try_get("order_id")? }))
}

async fn check_exists(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    let found = sqlx::query("SELECT 1 FROM alerts WHERE id = $1").bind(id).fetch_optional(tx).await?;
    found.map(drop).ok_or_else(|| Error::not_found("Alert"))
}

/// Whether an alert was open until it was resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    New,
    NotOpen,
}

/// Resolves an alert by its cause, if it is open.
pub async fn resolve_cause(tx: &mut AnyConnection, alert: &Alert, actor: &str, now: i64) -> Result<Resolution, Error> {
    let update = "UPDATE alerts SET resolved_at = $2, resolved_by = $3 WHERE dedupe_key = $1 AND resolved_at IS NULL";
    let done = sqlx::query(update).bind(alert.key()?).bind(now).bind(actor).execute(tx).await?;
    Ok(if done.rows_affected() > 0 { Resolution::New } else { Resolution::NotOpen })
}

/// Lists the open alerts of an order, oldest first.
pub async fn list_open_of_order(connection: &mut AnyConnection, order_id: &str) -> Result<Vec<OpenAlert>, Error> {
    let rows = sqlx::query(
        "SELECT id, kind, data, created_at FROM alerts WHERE order_id = $1 AND resolved_at IS NULL \
         ORDER BY created_at, id",
    )
    .bind(order_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(open_alert_of).collect()
}

/// An open alert with the id and the number of its order.
pub struct ListedAlert {
    pub open: OpenAlert,
    /// None for an alert about a payment.
    pub order: Option<(String, i64)>,
}

/// Lists the open alerts, oldest first.
pub async fn list_open(pool: &AnyPool, limit: i64) -> Result<Vec<ListedAlert>, Error> {
    let rows = sqlx::query(
        "SELECT a.id, a.kind, a.data, a.created_at, a.order_id, o.number FROM alerts a \
         LEFT JOIN orders o ON o.id = a.order_id WHERE a.resolved_at IS NULL ORDER BY a.created_at, a.id LIMIT $1",
    )
    .bind(limit)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            let order: Option<String> = row.try_get("order_id")?;
            let number: Option<i64> = row.try_get("number")?;
            Ok(ListedAlert { open: open_alert_of(row)?, order: order.zip(number) })
        })
        .collect()
}

/// Counts the orders with an open alert.
pub async fn count_orders(pool: &AnyPool) -> Result<i64, Error> {
    let count = format!("SELECT COUNT(*) FROM (SELECT DISTINCT order_id FROM ({ORDERS_WITH_OPEN}) listed) counted");
    Ok(sqlx::query_scalar(AssertSqlSafe(count)).fetch_one(pool).await?)
}

fn open_alert_of(row: &AnyRow) -> Result<OpenAlert, Error> {
    let kind: String = row.try_get("kind")?;
    let alert = from_columns(&kind, row.try_get("data")?)?;
    Ok(OpenAlert { id: row.try_get("id")?, kind, alert, created_at: row.try_get("created_at")? })
}
