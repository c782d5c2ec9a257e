//! Reconciler: expires checkouts, and compares open payments, refunds, disputes and early fraud warnings with the
//! provider. Every payment ends as an order or a refund, and reserved stock is released, even if no webhook and no browser
//! arrives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use wasm_core::money::Cents;

use super::finalize::{finalize, handled};
use super::provider::{Cancellation, Deadline, Refund};
use super::reconcile_report::ReconcileReport;
use super::state::CloseReason;
use super::store::{self, Checkout};
use super::webhook_events::ProcessedEvent;
use super::{disputes, fraud_warnings, refunds, sync, unknown_payment, webhook};
use crate::db::shop_metadata;
use crate::error::Error;
use crate::infra::clock::{DAY, SECOND};
use crate::orders::store as orders;
use crate::shop::Shop;

/// Youngest open checkout that the reconciler compares.
pub const MIN_AGE_MS: i64 = 10 * SECOND;
/// Overlap between two runs, for clock differences and entries that the provider lists late.
const OVERLAP_MS: i64 = 3 * DAY;

const EXPIRY_INTERVAL: Duration = Duration::from_secs(5);
const RECONCILE_INTERVAL: Duration = Duration::from_secs(60);

/// Runs until the shop stops: expiry and stored events every 5 s; open payments, refunds and disputes at the start and
/// every minute. The two loops are independent: after a long downtime there are many pages of refunds to read.
pub async fn run(shop: Arc<Shop>) {
    let loops = async { tokio::join!(run_expiry(&shop), run_reconciler(&shop)) };
    tokio::select! {
        () = shop.stopping.cancelled() => {}
        _ = loops => {}
    }
}

async fn run_expiry(shop: &Arc<Shop>) {
    let mut tick = tokio::time::interval(EXPIRY_INTERVAL);
    loop {
        tick.tick().await;
        if let Err(error) = expire(shop).await {
            tracing::error!(%error, "expiring checkouts failed; it will be retried");
        }
    }
}

async fn run_reconciler(shop: &Arc<Shop>) {
    let mut tick = tokio::time::interval(RECONCILE_INTERVAL);
    loop {
        tick.tick().await;
        let result = run_once(shop, MIN_AGE_MS).await;
        shop.metrics.count_reconciler_run(result.as_ref().is_ok_and(|report| report.failures.is_empty()));
        if let Err(error) = result {
            tracing::error!(%error, "reconciling failed; it will be retried");
        }
        // After the comparison, which knows what was submitted during a downtime.
        if let Err(error) = disputes::remind(shop).await {
            tracing::error!(%error, "reminding of disputes failed; it will be retried");
        }
    }
}

/// Compares open payments of at least this age, refunds, disputes and early fraud warnings with the provider. A failure
/// is reported and does not stop the others.
///
/// # Errors
/// When the database cannot be read.
pub async fn run_once(shop: &Arc<Shop>, min_age_ms: i64) -> Result<ReconcileReport, Error> {
    let mut report = ReconcileReport::default();
    for intent_id in store::list_open_intents(shop.db.read(), shop.clock.now_ms() - min_age_ms).await? {
        report.payments += 1;
        let synced = sync::sync_checkout(shop, &intent_id, &ProcessedEvent::none()).await.map(drop);
        report.record(&format!("Payment {intent_id}"), synced);
    }
    let started_at = shop.clock.now_ms();
    let Some(since) = find_start(shop).await? else {
        return Ok(report);
    };
    let failures = report.failures.len();
    let refunds = reconcile_refunds(shop, since, &mut report).await;
    report.record("Refunds", refunds);
    let disputes = disputes::reconcile(shop, since, &mut report).await;
    report.record("Disputes", disputes);
    let warnings = fraud_warnings::reconcile(shop, since, &mut report).await;
    report.record("Early fraud warnings", warnings);
    if report.failures.len() == failures {
        save_start(shop, started_at).await?;
    }
    Ok(report)
}

async fn save_start(shop: &Shop, started_at: i64) -> Result<(), Error> {
    shop.db
        .write(started_at.to_string(), |tx, at| Box::pin(shop_metadata::set(tx, shop_metadata::RECONCILED, at)))
        .await
}

/// Start of the compared period: shortly before the last successful run, or else the oldest order. None while there are
/// no orders.
async fn find_start(shop: &Shop) -> Result<Option<i64>, Error> {
    let Some(oldest) = orders::find_oldest(shop.db.read()).await? else {
        return Ok(None);
    };
    let last_run = shop_metadata::find(shop.db.read(), shop_metadata::RECONCILED).await?;
    let last_run = last_run.and_then(|at| at.parse().ok()).unwrap_or(oldest);
    // A clock that was set back must not skip anything.
    Ok(Some(last_run.min(shop.clock.now_ms()) - OVERLAP_MS))
}

/// Applies stored events, then expires checkouts. The payment is canceled at the provider before its stock is released.
pub async fn expire(shop: &Arc<Shop>) -> Result<(), Error> {
    webhook::apply_pending(shop).await?;
    for checkout in store::list_expired(shop.db.read(), shop.clock.now_ms()).await? {
        if let Err(error) = expire_checkout(shop, &checkout).await {
            tracing::warn!(checkout = checkout.id, %error, "expiring a checkout failed; it will be retried");
        }
    }
    Ok(())
}

async fn expire_checkout(shop: &Arc<Shop>, checkout: &Checkout) -> Result<(), Error> {
    let no_event = ProcessedEvent::none();
    let Some(intent_id) = &checkout.payment_intent_id else {
        return sync::close(shop, checkout, CloseReason::Expired, &no_event).await;
    };
    match shop.provider.cancel_intent(Deadline::start(), intent_id).await? {
        Cancellation::Canceled => sync::close(shop, checkout, CloseReason::Expired, &no_event).await,
        Cancellation::Unknown => unknown_payment::close(shop, checkout, &no_event).await,
        Cancellation::AlreadyPaid => handled(finalize(shop, intent_id, &no_event).await).map(drop),
    }
}

/// Records refunds that no event reported: those made in the provider's dashboard, and those of a process that crashed
/// before it wrote them down. Failed refunds raise an alert on their order.
///
/// The list is limited to a period, so its sums are incomplete. For each payment with an unseen refund, the provider is
/// asked for the total refunded amount.
async fn reconcile_refunds(shop: &Arc<Shop>, since: i64, report: &mut ReconcileReport) -> Result<(), Error> {
    let mut by_intent: BTreeMap<String, Vec<Refund>> = BTreeMap::new();
    for refund in shop.provider.list_refunds_since(since).await? {
        if let Some(intent_id) = refund.intent_id.clone() {
            by_intent.entry(intent_id).or_default().push(refund);
        }
    }
    let mut seen = BTreeSet::new();
    for (intent_id, refunds) in by_intent {
        let Some(unrefunded) = orders::find_unrefunded(shop.db.read(), &intent_id).await? else {
            continue;
        };
        if unrefunded > Cents::ZERO && !sync_amount(shop, &intent_id, &refunds, report).await? {
            continue;
        }
        for refund in refunds {
            if mark_if_failed(shop, &intent_id, &refund, report).await {
                seen.insert((refund.id, refund.is_failed));
            }
        }
    }
    shop.seen_refunds.replace(seen);
    Ok(())
}

/// Synchronizes the refunded amount of a payment with unseen refunds. False when that failed.
async fn sync_amount(
    shop: &Arc<Shop>,
    intent_id: &str,
    refunds: &[Refund],
    report: &mut ReconcileReport,
) -> Result<bool, Error> {
    if shop.seen_refunds.contains_all(refunds) {
        return Ok(true);
    }
    let listed = Refund::sum(refunds)?;
    let synced =
        refunds::sync_refund(shop, Deadline::start(), intent_id, Some(listed), &ProcessedEvent::none()).await.map(drop);
    let is_synced = synced.is_ok();
    report.record(&format!("Refunds of {intent_id}"), synced);
    Ok(is_synced)
}

/// Raises the alert of an unseen failed refund. False when that failed.
async fn mark_if_failed(shop: &Arc<Shop>, intent_id: &str, refund: &Refund, report: &mut ReconcileReport) -> bool {
    if !refund.is_failed || shop.seen_refunds.contains_all(std::slice::from_ref(refund)) {
        return true;
    }
    let marked = refunds::mark_failed(shop, intent_id, &refund.id, &ProcessedEvent::none()).await.map(drop);
    let is_marked = marked.is_ok();
    report.record(&format!("Refund {}", refund.id), marked);
    is_marked
}

/// Refunds that the last run of this process recorded, each with whether it had failed. The provider is not asked about
/// their payments again.
#[derive(Default)]
pub struct SeenRefunds(Mutex<BTreeSet<(String, bool)>>);

impl SeenRefunds {
    fn contains_all(&self, refunds: &[Refund]) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        refunds.iter().all(|refund| seen.contains(&(refund.id.clone(), refund.is_failed)))
    }

    fn replace(&self, seen: BTreeSet<(String, bool)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}
