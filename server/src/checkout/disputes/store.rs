//! Disputes of orders, as the provider last described them.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, AssertSqlSafe, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::DisputeStatus;

use crate::checkout::provider::Dispute;
use crate::error::Error;
use crate::orders::store::dispute_status;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDispute {
    pub id: String,
    pub status: DisputeStatus,
    /// Whether the bank waits for evidence.
    pub needs_response: bool,
    /// Until when the bank accepts evidence.
    pub due_at: Option<i64>,
    /// The provider's code, such as `fraudulent`.
    pub reason: Option<String>,
    pub amount: Option<Cents>,
    /// Sums of what the bank withdrew and returned.
    pub withdrawn: Cents,
    pub reinstated: Cents,
    /// When the shop learned of it; 0 until it is stored.
    pub created_at: i64,
}

impl StoredDispute {
    pub fn of(dispute: &Dispute) -> Self {
        Self {
            id: dispute.id.clone(),
            status: dispute.status,
            needs_response: dispute.needs_response,
            due_at: dispute.due_at,
            reason: dispute.reason.clone(),
            amount: dispute.amount,
            withdrawn: dispute.withdrawn,
            reinstated: dispute.reinstated,
            created_at: 0,
        }
    }
}

/// A dispute that is not decided, with its order.
pub struct OpenDispute {
    pub order_id: String,
    pub order_number: i64,
    pub dispute: StoredDispute,
}

/// A dispute whose next reminder is due.
pub struct DueDispute {
    pub id: String,
    pub order_id: String,
    pub due_at: i64,
}

const COLUMNS: &str =
    "d.id, d.status, d.needs_response, d.due_at, d.reason, d.amount, d.withdrawn, d.reinstated, d.created_at";

pub async fn find(connection: &mut AnyConnection, id: &str) -> Result<Option<StoredDispute>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM disputes d WHERE d.id = $1");
    let row = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(connection).await?;
    row.as_ref().map(dispute_of).transpose()
}

/// Inserts or updates the dispute. Another status is a new cause for a hold. The order must be locked.
pub async fn upsert(tx: &mut AnyConnection, order_id: &str, dispute: &StoredDispute, now: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO disputes (id, order_id, status, needs_response, due_at, reason, amount, withdrawn, reinstated, \
           created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) \
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, needs_response = excluded.needs_response, \
           due_at = excluded.due_at, reason = excluded.reason, amount = excluded.amount, \
           withdrawn = excluded.withdrawn, reinstated = excluded.reinstated, updated_at = excluded.updated_at, \
           released = CASE WHEN disputes.status = excluded.status THEN disputes.released ELSE 0 END",
    )
    .bind(&dispute.id)
    .bind(order_id)
    .bind(dispute.status.as_str())
    .bind(i64::from(dispute.needs_response))
    .bind(dispute.due_at)
    .bind(&dispute.reason)
    .bind(dispute.amount.map(Cents::cents))
    .bind(dispute.withdrawn.cents())
    .bind(dispute.reinstated.cents())
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

/// Lists the disputes of an order, oldest first.
pub async fn list_of_order(connection: &mut AnyConnection, order_id: &str) -> Result<Vec<StoredDispute>, Error> {
    let sql = format!("SELECT {COLUMNS} FROM disputes d WHERE d.order_id = $1 ORDER BY d.created_at, d.id");
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(order_id).fetch_all(connection).await?;
    rows.iter().map(dispute_of).collect()
}

/// Lists the disputes that are not decided: those that need a response first, by due date.
pub async fn list_open(pool: &AnyPool, limit: i64) -> Result<Vec<OpenDispute>, Error> {
    let sql = format!(
        "SELECT {COLUMNS}, o.id AS order_id, o.number FROM disputes d JOIN orders o ON o.id = d.order_id \
         WHERE d.status IN ('warning', 'open') \
         ORDER BY d.needs_response DESC, COALESCE(d.due_at, 0), d.created_at, d.id LIMIT $1"
    );
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(limit).fetch_all(pool).await?;
    rows.iter()
        .map(|row| {
            let (order_id, order_number) = (row.try_get("order_id")?, row.try_get("number")?);
            Ok(OpenDispute { order_id, order_number, dispute: dispute_of(row)? })
        })
        .collect()
}

/// Payment intents of orders whose dispute may still change: open ones, and those won since `decided_since` whose funds
/// are not back.
pub async fn list_pending_intents(pool: &AnyPool, decided_since: i64) -> Result<Vec<String>, Error> {
    Ok(sqlx::query_scalar(
        "SELECT payment_intent_id FROM orders WHERE dispute IN ('warning', 'open') UNION \
         SELECT o.payment_intent_id FROM disputes d JOIN orders o ON o.id = d.order_id \
         WHERE d.status = 'won' AND d.reinstated < d.withdrawn AND d.updated_at >= $1",
    )
    .bind(decided_since)
    .fetch_all(pool)
    .await?)
}

/// Lists the disputes that need a response before `first`, of which no reminder was enqueued for this stage: the last one
/// before `last`, else the first one. `reminder_key` builds the same keys.
pub async fn list_due(pool: &AnyPool, now: i64, last: i64, first: i64) -> Result<Vec<DueDispute>, Error> {
    let rows: Vec<(String, String, i64)> = sqlx::query_as(
        "SELECT d.id, d.order_id, d.due_at FROM disputes d WHERE d.needs_response = 1 AND d.due_at > $1 AND d.due_at <= $3 \
         AND NOT EXISTS (SELECT 1 FROM outbox m WHERE m.dedupe_key = \
           'dispute-due:' || d.id || CASE WHEN d.due_at <= $2 THEN ':2' ELSE ':7' END) ORDER BY d.due_at, d.id",
    )
    .bind(now)
    .bind(last)
    .bind(first)
    .fetch_all(pool)
    .await?;
    Ok(rows.into_iter().map(|(id, order_id, due_at)| DueDispute { id, order_id, due_at }).collect())
}

fn dispute_of(row: &AnyRow) -> Result<StoredDispute, Error> {
    Ok(StoredDispute {
        id: row.try_get("id")?,
        status: dispute_status(row.try_get("status")?)?,
        needs_response: row.try_get::<i64, _>("needs_response")? == 1,
        due_at: row.try_get("due_at")?,
        reason: row.try_get("reason")?,
        amount: row.try_get::<Option<i64>, _>("amount")?.map(Cents::from_cents),
        withdrawn: Cents::from_cents(row.try_get("withdrawn")?),
        reinstated: Cents::from_cents(row.try_get("reinstated")?),
        created_at: row.try_get("created_at")?,
    })
}
