//! Reconciler: expires checkouts, and compares open payments, refunds, disputes and early fraud warnings with the
//! provider. Every payment ends as an order or a refund, and reserved stock is released, even if no webhook and no browser
//! arrives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::checkout_state::CloseReason;
use super::confirmation;
use super::finalize::{finalize, handled};
use super::provider::{Cancellation, Deadline, Refund};
use super::reconcile_report::ReconcileReport;
use super::store::{self, StoredCheckout};
use super::webhook_events::ProcessedEvent;
use super::{disputes, fraud_warnings, lost_payments, refunds, sync, unknown_payment, webhook};
use crate::checkout::Checkout;
use crate::checkout::metrics::OrderSource;
use crate::db::shop_metadata;
use crate::error::Error;
use crate::infra::clock::{DAY, SECOND};
use crate::orders::store as orders;

/// Youngest open checkout that the reconciler compares.
pub const MIN_AGE_MS: i64 = 10 * SECOND;
/// Overlap between two runs, for clock differences and entries that the provider lists late.
const OVERLAP_MS: i64 = 3 * DAY;

pub const EXPIRY_INTERVAL: Duration = Duration::from_secs(5);
pub const RECONCILE_INTERVAL: Duration = Duration::from_secs(60);

/// Compares with the provider, and then reminds of disputes: the comparison knows what was submitted during a downtime.
///
/// # Errors
/// When a comparison or a reminder failed. The others are done.
pub async fn run_and_remind(state: &Arc<Checkout>) -> Result<(), String> {
    let compared = run_once(state, MIN_AGE_MS).await;
    disputes::remind(state).await.map_err(|error| format!("reminding of disputes: {error}"))?;
    match compared.map_err(|error| error.to_string())?.failures.len() {
        0 => Ok(()),
        failed => Err(format!("{failed} comparisons with the payment provider failed")),
    }
}

/// Compares open payments of at least this age, refunds, disputes and early fraud warnings with the provider, and
/// searches for payments that the database lost. A failure is reported and does not stop the others.
///
/// # Errors
/// When the database cannot be read.
pub async fn run_once(state: &Arc<Checkout>, min_age_ms: i64) -> Result<ReconcileReport, Error> {
    let mut report = ReconcileReport::default();
    for intent_id in store::list_open_intents(state.db.read(), state.clock.now_ms() - min_age_ms).await? {
        report.payments += 1;
        let synced =
            sync::sync_checkout(state, &intent_id, &ProcessedEvent::none(), OrderSource::Reconciler).await.map(drop);
        report.record(&format!("Payment {intent_id}"), synced);
    }
    let searched = lost_payments::reconcile(state, &mut report).await;
    report.record("Payments", searched);
    let started_at = state.clock.now_ms();
    let Some(since) = find_start(state).await? else {
        return Ok(report);
    };
    let failures = report.failures.len();
    let refunds = reconcile_refunds(state, since, &mut report).await;
    report.record("Refunds", refunds);
    let disputes = disputes::reconcile(state, since, &mut report).await;
    report.record("Disputes", disputes);
    let warnings = fraud_warnings::reconcile(state, since, &mut report).await;
    report.record("Early fraud warnings", warnings);
    if report.failures.len() == failures {
        save_start(state, started_at).await?;
    }
    Ok(report)
}

async fn save_start(state: &Checkout, started_at: i64) -> Result<(), Error> {
    state
        .db
        .write(started_at.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::RECONCILED, at)))
        .await
}

/// Start of the compared period: shortly before the last successful run, or else the oldest order. None while there are
/// no orders.
async fn find_start(state: &Checkout) -> Result<Option<i64>, Error> {
    let Some(oldest) = orders::find_oldest(state.db.read()).await? else {
        return Ok(None);
    };
    let last_run = shop_metadata::find(state.db.read(), shop_metadata::RECONCILED).await?;
    let last_run = last_run.and_then(|at| at.parse().ok()).unwrap_or(oldest);
    // A clock that was set back must not skip anything.
    Ok(Some(last_run.min(state.clock.now_ms()) - OVERLAP_MS))
}

/// Applies stored events, then expires checkouts. The payment is canceled at the provider before its stock is released.
/// An unconfirmed process releases the stock only: the customer may be paying in the shop.
pub async fn expire(state: &Arc<Checkout>) -> Result<(), Error> {
    webhook::apply_pending(state).await?;
    for checkout in store::list_expired(state.db.read(), state.clock.now_ms()).await? {
        if let Err(error) = expire_checkout(state, &checkout).await {
            tracing::warn!(checkout = checkout.id, %error, "expiring a checkout failed; it will be retried");
        }
    }
    Ok(())
}

async fn expire_checkout(state: &Arc<Checkout>, checkout: &StoredCheckout) -> Result<(), Error> {
    let no_event = ProcessedEvent::none();
    let Some(intent_id) = &checkout.payment_intent_id else {
        return sync::close(state, checkout, CloseReason::Expired, &no_event).await;
    };
    if !confirmation::is_confirmed(state).await? {
        return sync::close(state, checkout, CloseReason::Expired, &no_event).await;
    }
    match state.provider.cancel_intent(Deadline::start(), intent_id).await? {
        Cancellation::Canceled => sync::close(state, checkout, CloseReason::Expired, &no_event).await,
        Cancellation::Unknown => unknown_payment::close(state, checkout, &no_event).await,
        Cancellation::AlreadyPaid => {
            handled(finalize(state, intent_id, &no_event, OrderSource::Reconciler).await).map(drop)
        }
    }
}

/// Records refunds that no event reported: those made in the provider's dashboard, and those of a process that crashed
/// before it wrote them down; and those that failed.
///
/// The list is limited to a period, so its sums are incomplete. For each payment with an unseen refund, the provider is
/// asked for all of its refunds.
async fn reconcile_refunds(state: &Arc<Checkout>, since: i64, report: &mut ReconcileReport) -> Result<(), Error> {
    let mut by_intent: BTreeMap<String, Vec<Refund>> = BTreeMap::new();
    for refund in state.provider.list_refunds_since(since).await? {
        if let Some(intent_id) = refund.intent_id.clone() {
            by_intent.entry(intent_id).or_default().push(refund);
        }
    }
    let mut seen = BTreeSet::new();
    for (intent_id, refunds) in by_intent {
        let is_failed = refunds.iter().any(|refund| refund.is_failed);
        if (is_failed || orders::find_id_by_intent(state.db.read(), &intent_id).await?.is_some())
            && sync_amount(state, &intent_id, &refunds, report).await?
        {
            seen.extend(refunds.into_iter().map(|refund| (refund.id, refund.is_failed)));
        }
    }
    state.seen_refunds.replace(seen);
    Ok(())
}

/// Synchronizes the refunds of a payment with unseen ones. False when that failed.
async fn sync_amount(
    state: &Arc<Checkout>,
    intent_id: &str,
    refunds: &[Refund],
    report: &mut ReconcileReport,
) -> Result<bool, Error> {
    if state.seen_refunds.contains_all(refunds) {
        return Ok(true);
    }
    let listed = Refund::sum(refunds)?;
    let synced = refunds::sync_refund(state, Deadline::start(), intent_id, Some(listed), &ProcessedEvent::none())
        .await
        .map(drop);
    let is_synced = synced.is_ok();
    report.record(&format!("Refunds of {intent_id}"), synced);
    Ok(is_synced)
}
