//! Tax records: pending, done and failed.

use sqlx::{AnyConnection, Row as _};
use wasm_core::money::Cents;

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
    /// The provider's id of the sale.
    pub original: String,
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

/// Inserts the reversal of `amount`, if the sale has a record. `refunded` is the total refunded amount: it makes the
/// reference unique, so that a refund is recorded once.
pub async fn insert_reversal(
    tx: &mut AnyConnection,
    order_id: &str,
    amount: Cents,
    refunded: Cents,
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO tax_records (reference, order_id, reversed, state, next_attempt_at, created_at) \
         SELECT $2, order_id, $3, 'pending', $4, $4 FROM tax_records WHERE reference = $1 \
         ON CONFLICT (reference) DO NOTHING",
    )
    .bind(order_id)
    .bind(format!("{order_id}:{}", refunded.cents()))
    .bind(amount.cents())
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Claims due records, with a quadratic backoff before the next attempt. A reversal waits for its sale.
pub async fn claim(tx: &mut AnyConnection, now: i64) -> Result<Vec<PendingRecord>, Error> {
    let claimed = sqlx::query(
        "UPDATE tax_records SET attempts = attempts + 1, next_attempt_at = $1 + 60000 * (attempts + 1) * (attempts + 1) \
         WHERE reference IN (SELECT due.reference FROM tax_records due \
             JOIN tax_records sale ON sale.reference = due.order_id \
             WHERE due.state = 'pending' AND due.next_attempt_at <= $1 \
             AND (due.reversed IS NULL OR sale.state = 'done') ORDER BY due.next_attempt_at LIMIT 20) \
         AND state = 'pending' AND next_attempt_at <= $1 RETURNING reference, order_id, reversed, attempts",
    )
    .bind(now)
    .fetch_all(&mut *tx)
    .await?;
    let mut pending = Vec::with_capacity(claimed.len());
    for row in claimed {
        let order_id: String = row.try_get("order_id")?;
        let sale = sqlx::query(
            "SELECT o.tax_calculation_id, r.provider_id FROM orders o \
             JOIN tax_records r ON r.reference = o.id WHERE o.id = $1",
        )
        .bind(&order_id)
        .fetch_one(&mut *tx)
        .await?;
        let original: Option<String> = sale.try_get("provider_id")?;
        let amount: Option<i64> = row.try_get("reversed")?;
        pending.push(PendingRecord {
            reference: row.try_get("reference")?,
            order_id,
            calculation_id: sale.try_get::<Option<String>, _>("tax_calculation_id")?.unwrap_or_default(),
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
