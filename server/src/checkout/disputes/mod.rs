//! Disputes (chargebacks): the customer's bank asks to reverse a payment. Each dispute is stored with its own status
//! beside the payment, so the order of events and refunds does not matter.
//!
//! - [`record`]: merges what the provider reports into the stored dispute.
//! - [`reminders`]: emails the shopkeeper before a response is due.

mod record;
mod reminders;
pub mod store;

use std::collections::BTreeSet;
use std::sync::Arc;

use self::record::record;
pub use self::reminders::{days_left, remind};
use super::provider::{Deadline, Dispute, Lookup};
use super::reconcile_report::ReconcileReport;
use super::unknown_report;
use super::webhook_events::{Handled, ProcessedEvent};
use crate::checkout::Checkout;
use crate::error::Error;
use crate::infra::clock::DAY;
use crate::orders::store as orders;

/// How long a won dispute is compared until its funds are back.
const REINSTATEMENT_PERIOD: i64 = 30 * DAY;

/// Records a dispute after an event. `reported` is the dispute in the event, for a provider that has no endpoint for
/// disputes.
pub async fn sync_from_event(
    state: &Arc<Checkout>,
    intent_id: &str,
    dispute_id: &str,
    reported: Option<Dispute>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let dispute = match state.provider.find_dispute(Deadline::start(), dispute_id).await? {
        Lookup::Found(dispute) if dispute.intent_id.as_deref().is_none_or(|id| id == intent_id) => dispute,
        Lookup::Found(_) | Lookup::Unknown => return unknown_report::alert(state, intent_id, dispute_id, event).await,
        Lookup::NoEndpoint => match reported {
            Some(reported) => reported,
            None => return Ok(Handled::Unmarked),
        },
    };
    record(state, order_id, dispute, event).await?;
    Ok(Handled::Marked)
}

/// Records what no event reported: the provider's disputes since `since_ms`, and those of orders whose dispute may still
/// change. A failure is reported and does not stop the others.
pub async fn reconcile(state: &Arc<Checkout>, since_ms: i64, report: &mut ReconcileReport) -> Result<(), Error> {
    let mut listed = BTreeSet::new();
    for dispute in state.provider.list_disputes_since(since_ms).await? {
        if let Some(intent_id) = dispute.intent_id.clone() {
            let subject = format!("Dispute {}", dispute.id);
            report.record(&subject, sync(state, &intent_id, dispute).await);
            listed.insert(intent_id);
        }
    }
    let decided_since = state.clock.now_ms() - REINSTATEMENT_PERIOD;
    for intent_id in store::list_pending_intents(state.db.read(), decided_since).await? {
        if listed.contains(&intent_id) {
            continue;
        }
        let synced = sync_all_of(state, &intent_id).await;
        report.record(&format!("Disputes of {intent_id}"), synced);
    }
    Ok(())
}

async fn sync_all_of(state: &Arc<Checkout>, intent_id: &str) -> Result<(), Error> {
    for dispute in state.provider.list_disputes_of(intent_id).await? {
        sync(state, intent_id, dispute).await?;
    }
    Ok(())
}

async fn sync(state: &Arc<Checkout>, intent_id: &str, dispute: Dispute) -> Result<(), Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return Ok(());
    };
    let mut connection = state.db.read().acquire().await?;
    let known = store::find(&mut connection, &dispute.id).await?;
    drop(connection);
    if known.as_ref() == Some(&record::merge(known.as_ref(), &dispute)) {
        return Ok(());
    }
    record(state, order_id, dispute, &ProcessedEvent::none()).await
}
