//! Tax records: reports each sale that the provider calculated the tax of, and each of its refunds, to the provider. A
//! refund that failed reverses its reversal. A record is inserted in the transaction of the order or refund and
//! reported by this task, so no order waits for it or fails because of it.

pub mod store;

use std::sync::Arc;
use std::time::Duration;

use sqlx::AnyConnection;
use wasm_core::money::Cents;

use self::store::{PendingRecord, RecordResult};
use super::alerts::{self, Shopkeeper};
use super::provider::Deadline;
use crate::checkout::Checkout;
use crate::error::Error;
use crate::orders::alerts::Alert;

pub const INTERVAL: Duration = Duration::from_secs(5);
/// With quadratic backoff these take eleven hours: less than the day for which the provider remembers an idempotency
/// key, so no record is made twice.
const MAX_ATTEMPTS: i64 = 12;

/// Reports every due record. The results of a batch are written together: after a crash the provider recognizes a
/// repeated record by its idempotency key.
pub async fn process_pending(state: &Arc<Checkout>) -> Result<(), Error> {
    loop {
        let pending = state.db.write(state.clock.now_ms(), |tx, now| Box::pin(store::claim(tx, *now))).await?;
        if pending.is_empty() {
            return Ok(());
        }
        let mut done = Vec::with_capacity(pending.len());
        for record in pending {
            if state.stopping.is_cancelled() {
                break;
            }
            let reference = record.reference.clone();
            if let Some(provider_id) = report(state, record).await? {
                done.push((reference, provider_id));
            }
        }
        mark_done(state, done).await?;
        if state.stopping.is_cancelled() {
            return Ok(());
        }
    }
}

/// The provider's id of the record. None when the attempt failed.
async fn report(state: &Arc<Checkout>, record: PendingRecord) -> Result<Option<String>, Error> {
    let deadline = Deadline::start();
    let reported = match &record.reversal {
        None => state.provider.record_tax(deadline, &record.calculation_id, &record.reference).await,
        Some(reversal) => {
            let (original, amount) = (reversal.original.as_str(), reversal.amount);
            if amount < Cents::ZERO {
                state.provider.undo_tax_reversal(deadline, original, &record.reference).await
            } else {
                state.provider.reverse_tax(deadline, original, amount, &record.reference).await
            }
        }
    };
    match reported {
        Ok(provider_id) => Ok(Some(provider_id)),
        Err(error) if record.attempts < MAX_ATTEMPTS => {
            tracing::warn!(reference = record.reference, %error, "reporting a tax record failed; it will be retried");
            Ok(None)
        }
        Err(error) => {
            tracing::error!(reference = record.reference, %error, "tax record failed permanently");
            mark_failed(state, record).await.map(|()| None)
        }
    }
}

async fn mark_done(state: &Checkout, done: Vec<(String, String)>) -> Result<(), Error> {
    if done.is_empty() {
        return Ok(());
    }
    state
        .db
        .write(done, |tx, done| {
            Box::pin(async move {
                for (reference, provider_id) in done {
                    store::complete(tx, reference, RecordResult::Done(provider_id)).await?;
                }
                Ok(())
            })
        })
        .await
}

/// Stops the retries and raises an alert: the record must be made by hand.
async fn mark_failed(state: &Arc<Checkout>, record: PendingRecord) -> Result<(), Error> {
    let alert = Alert::TaxRecordFailed {
        reference: record.reference.clone(),
        reversed: record.reversal.as_ref().map(|reversal| reversal.amount.cents()),
    };
    let args = (record, alert, Shopkeeper::of(state), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (record, alert, shopkeeper, now)| Box::pin(fail(tx, record, alert, shopkeeper, *now)))
        .await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

async fn fail(
    tx: &mut AnyConnection,
    record: &PendingRecord,
    alert: &Alert,
    shopkeeper: &Shopkeeper,
    now: i64,
) -> Result<(), Error> {
    store::complete(tx, &record.reference, RecordResult::Failed).await?;
    alerts::raise(tx, shopkeeper, &record.order_id, alert, now).await
}
