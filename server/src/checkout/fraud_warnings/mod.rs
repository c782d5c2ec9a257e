//! Early fraud warnings: the card's issuer reports that a payment may be fraudulent. No money moves, but a dispute often
//! follows, and a full refund avoids it.

pub mod store;

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::orders::PaymentStatus;

use self::store::StoredWarning;
use super::alerts::{self, Shopkeeper};
use super::holds;
use super::provider::{Deadline, FraudWarning, Lookup};
use super::reconcile_report::ReconcileReport;
use super::unknown_report;
use super::webhook_events::{Handled, ProcessedEvent};
use crate::checkout::Checkout;
use crate::error::Error;
use crate::orders::alerts::Alert;
use crate::orders::alerts::store::resolve_cause;
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};

/// Records a warning after an event. `reported` is the warning in the event, for a provider that has no endpoint for
/// warnings.
pub async fn sync_from_event(
    state: &Arc<Checkout>,
    intent_id: &str,
    warning_id: &str,
    reported: Option<FraudWarning>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let warning = match state.provider.find_fraud_warning(Deadline::start(), warning_id).await? {
        Lookup::Found(warning) if warning.intent_id.as_deref().is_none_or(|id| id == intent_id) => warning,
        Lookup::Found(_) | Lookup::Unknown => return unknown_report::alert(state, intent_id, warning_id, event).await,
        Lookup::NoEndpoint => match reported {
            Some(reported) => reported,
            None => return Ok(Handled::Unmarked),
        },
    };
    record(state, order_id, warning, event).await?;
    Ok(Handled::Marked)
}

/// Records the provider's warnings since `since_ms` that no event reported. A failure is reported and does not stop the
/// others.
pub async fn reconcile(state: &Arc<Checkout>, since_ms: i64, report: &mut ReconcileReport) -> Result<(), Error> {
    for warning in state.provider.list_fraud_warnings_since(since_ms).await? {
        if let Some(intent_id) = warning.intent_id.clone() {
            let subject = format!("Early fraud warning {}", warning.id);
            report.record(&subject, sync(state, &intent_id, warning).await);
        }
    }
    Ok(())
}

async fn sync(state: &Arc<Checkout>, intent_id: &str, warning: FraudWarning) -> Result<(), Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return Ok(());
    };
    let mut connection = state.db.read().acquire().await?;
    let known = store::find(&mut connection, &warning.id).await?;
    drop(connection);
    // A warning never becomes actionable again.
    if known.is_some_and(|known| !known.is_actionable || warning.is_actionable) {
        return Ok(());
    }
    record(state, order_id, warning, &ProcessedEvent::none()).await
}

struct Report {
    order_id: String,
    warning: FraudWarning,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

async fn record(
    state: &Arc<Checkout>,
    order_id: String,
    warning: FraudWarning,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let report = Report {
        order_id,
        warning,
        shopkeeper: Shopkeeper::of(state),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(report, |tx, report| Box::pin(apply(tx, report))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

async fn apply(tx: &mut AnyConnection, report: &Report) -> Result<(), Error> {
    let Report { order_id, warning, shopkeeper, event, now } = report;
    event.mark(tx).await?;
    let order = orders::lock_order(tx, order_id).await?;
    let reported = StoredWarning {
        id: warning.id.clone(),
        fraud_type: warning.fraud_type.clone(),
        is_actionable: warning.is_actionable && !is_settled(&order),
        created_at: *now,
    };
    match store::find(tx, &warning.id).await? {
        Some(known) if known.is_actionable && !reported.is_actionable => dismiss(tx, order_id, &known, *now).await,
        Some(_) => Ok(()),
        None => {
            store::insert(tx, order_id, &reported).await?;
            holds::update(tx, order_id).await?;
            announce(tx, shopkeeper, order_id, &reported, *now).await
        }
    }
}

/// An alert, or only an entry of the history if nothing is to be done.
async fn announce(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    warning: &StoredWarning,
    now: i64,
) -> Result<(), Error> {
    if !warning.is_actionable {
        let (warning_id, fraud_type) = (warning.id.clone(), warning.fraud_type.clone());
        let event = HistoryEvent::FraudWarningReported { warning_id, fraud_type };
        return history::insert(tx, order_id, orders::SHOP_ACTOR, event, now).await;
    }
    alerts::raise(tx, shopkeeper, order_id, &alert_of(warning), now).await
}

/// Dismisses the warnings of an order that was disputed or refunded in full since. The order must be locked.
pub async fn settle(tx: &mut AnyConnection, order: &StoredOrder, now: i64) -> Result<(), Error> {
    if !is_settled(order) {
        return Ok(());
    }
    for warning in store::list_of_order(tx, &order.id).await?.iter().filter(|warning| warning.is_actionable) {
        dismiss(tx, &order.id, warning, now).await?;
    }
    Ok(())
}

/// Resolves the warning's alert.
async fn dismiss(tx: &mut AnyConnection, order_id: &str, warning: &StoredWarning, now: i64) -> Result<(), Error> {
    store::set_settled(tx, &warning.id).await?;
    holds::update(tx, order_id).await?;
    resolve_cause(tx, &alert_of(warning), orders::SHOP_ACTOR, now).await?;
    let settled = HistoryEvent::FraudWarningSettled { warning_id: warning.id.clone() };
    history::insert(tx, order_id, orders::SHOP_ACTOR, settled, now).await
}

fn is_settled(order: &StoredOrder) -> bool {
    matches!(order.payment.status, PaymentStatus::Refunded | PaymentStatus::Disputed)
}

fn alert_of(warning: &StoredWarning) -> Alert {
    Alert::FraudWarning { warning_id: warning.id.clone(), fraud_type: warning.fraud_type.clone() }
}
