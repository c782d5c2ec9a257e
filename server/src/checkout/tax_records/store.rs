//! Tax records: pending, done and failed.

use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use wasm_core::money::Cents;

use crate::checkout::refunds::store::Refund;
use crate::db::rows::skip_locked;
use crate::error::Error;

/// A claimed record.
#[derive(Clone, Debug)]
pub struct PendingRecord {
    /// Unique reference, at the provider and here.
    pub reference: String,
    pub order_id: String,
    pub calculation_id: String,
    /// None for a sale.
    pub reversal: Option<Reversal>,
    /// Number of attempts, this one included.
    pub attempts: i64,
}

#[derive(Clone, Debug)]
pub struct Reversal {
    /// The provider's id of the reversed record.
    pub original: String,
    /// Negative if it undoes the reversal of a refund that failed.
    pub amount: Cents,
}

#[derive(Clone, Debug)]
pub enum RecordResult<'a> {
    /// The provider's id of the record.
    Done(&'a str),
    Failed,
}

/// The reference of a sale is the id of its order.
pub async fn insert_sale(tx: &mut AnyConnection, order_id: &str, now: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO tax_records (reference, order_id, state, next_attempt_at, created_at) \
         VALUES ($1, $1, 'pending', $2, $2)",
    )
    .bind(order_id)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Inserts the reversal of a refund, if the sale has a record.
pub async fn insert_reversal(tx: &mut AnyConnection, refund: &Refund, now: i64) -> Result<(), Error> {
    insert_reversal_of(tx, &refund.order_id, &refund.id, refund.parts.amount, now).await
}

/// Inserts the record that undoes the reversal of a failed refund, if there is one.
pub async fn insert_undo(tx: &mut AnyConnection, refund: &Refund, now: i64) -> Result<(), Error> {
    let undone = Cents::ZERO.checked_sub(refund.parts.amount)?;
    insert_reversal_of(tx, &refund.id, &format!("{}:failed", refund.id), undone, now).await
}

async fn insert_reversal_of(
    tx: &mut AnyConnection,
    original: &str,
    reference: &str,
    amount: Cents,
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO tax_records (reference, order_id, original, reversed, state, next_attempt_at, created_at) \
         SELECT $2, order_id, reference, $3, 'pending', $4, $4 FROM tax_records WHERE reference = $1 \
         ON CONFLICT (reference) DO NOTHING",
    )
    .bind(original)
    .bind(reference)
    .bind(amount.cents())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims due records, with a quadratic backoff before the next attempt. A reversal waits for the record
/// that it reverses.
pub async fn claim(tx: &mut AnyConnection, now: i64) -> Result<Vec<PendingRecord>, Error> {
    let update = format!(
        "WITH claimed AS MATERIALIZED (SELECT due.reference FROM tax_records due \
             LEFT JOIN tax_records original ON original.reference = due.original \
             WHERE due.state = 'pending' AND due.next_attempt_at <= $1 \
             AND (due.original IS NULL OR original.state = 'done') ORDER BY due.next_attempt_at LIMIT 20{}) \
         UPDATE tax_records SET attempts = attempts + 1, next_attempt_at = $1 + 60000 * (attempts + 1) * (attempts + 1) \
         WHERE reference IN (SELECT reference FROM claimed) AND state = 'pending' AND next_attempt_at <= $1 \
         RETURNING reference, order_id, original, reversed, attempts",
        skip_locked(tx, "due")
    );
    let claimed = sqlx::query(AssertSqlSafe(update)).bind(now).fetch_all(&mut *tx).await?;
    let mut pending = Vec::with_capacity(claimed.len());
    for row in claimed {
        let order_id: String = row.try_get("order_id")?;
        let original: Option<String> = row.try_get("original")?;
        let found = sqlx::query(
            "SELECT o.tax_calculation_id, r.provider_id FROM orders o \
             LEFT JOIN tax_records r ON r.reference = $2 WHERE o.id = $1",
        )
        .bind(&order_id)
        .bind(original)
        .fetch_one(&mut *tx)
        .await?;
        let original: Option<String> = found.try_get("provider_id")?;
        let amount: Option<i64> = row.try_get("reversed")?;
        pending.push(PendingRecord {
            reference: row.try_get("reference")?,
            order_id,
            calculation_id: found.try_get::<Option<String>, _>("tax_calculation_id")?.unwrap_or_default(),
            reversal: amount
                .map(|amount| Reversal { original: original.unwrap_or_default(), amount: Cents::from_cents(amount) }),
            attempts: row.try_get("attempts")?,
        });
    }
    Ok(pending)
}

pub async fn complete(tx: &mut AnyConnection, reference: &str, result: RecordResult<'_>) -> Result<(), Error> {
    let (state, provider_id) = match result {
        RecordResult::Done(provider_id) => ("done", Some(provider_id)),
        RecordResult::Failed => ("failed", None),
    };
    sqlx::query("UPDATE tax_records SET state = $2, provider_id = $3 WHERE reference = $1 AND state = 'pending'")
        .bind(reference)
        .bind(state)
        .bind(provider_id)
        .execute(tx)
        .await?;
    Ok(())
}
