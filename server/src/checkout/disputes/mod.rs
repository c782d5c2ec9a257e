//! Disputes (chargebacks): the customer's bank asks to reverse a payment. Each dispute is stored with its own status
//! beside the payment, so the order of events and refunds does not matter.

pub mod store;

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::orders::{DisputeStatus, Payment};

use super::alerts::{self, AlertReason, Shopkeeper};
use super::provider::{Deadline, Dispute};
use super::reconcile_report::ReconcileReport;
use super::webhook_events::{Handled, ProcessedEvent};
use crate::http::error::Error;
use crate::orders::store as orders;
use crate::shop::Shop;

/// Records the status of a dispute after an event. `reported` is the status in the event, for a provider that has no
/// endpoint for disputes.
pub async fn sync_from_event(
    shop: &Arc<Shop>,
    intent_id: &str,
    dispute_id: &str,
    reported: Option<DisputeStatus>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let current = shop.provider.find_dispute(Deadline::start(), dispute_id).await?;
    let Some(status) = current.map(|dispute| dispute.status).or(reported) else {
        return Ok(Handled::Unmarked);
    };
    record(shop, order_id, dispute_id, status, event).await?;
    Ok(Handled::Marked)
}

/// Records what no event reported: the provider's disputes since `since_ms`, and those of orders whose dispute may still
/// change. A failure is reported and does not stop the others.
pub async fn reconcile(shop: &Arc<Shop>, since_ms: i64, report: &mut ReconcileReport) -> Result<(), Error> {
    let mut listed = BTreeSet::new();
    for dispute in shop.provider.list_disputes_since(since_ms).await? {
        if let Some(intent_id) = dispute.intent_id.clone() {
            let subject = format!("Dispute {}", dispute.id);
            report.record(&subject, sync(shop, &intent_id, dispute).await);
            listed.insert(intent_id);
        }
    }
    for intent_id in store::list_pending_intents(shop.db.read()).await? {
        if listed.contains(&intent_id) {
            continue;
        }
        let synced = sync_all_of(shop, &intent_id).await;
        report.record(&format!("Disputes of {intent_id}"), synced);
    }
    Ok(())
}

async fn sync_all_of(shop: &Arc<Shop>, intent_id: &str) -> Result<(), Error> {
    for dispute in shop.provider.list_disputes_of(intent_id).await? {
        sync(shop, intent_id, dispute).await?;
    }
    Ok(())
}

async fn sync(shop: &Arc<Shop>, intent_id: &str, dispute: Dispute) -> Result<(), Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(());
    };
    let mut connection = shop.db.read().acquire().await?;
    let known = store::find_status(&mut connection, &dispute.id).await?;
    drop(connection);
    if known == Some(dispute.status) {
        return Ok(());
    }
    record(shop, order_id, &dispute.id, dispute.status, &ProcessedEvent::none()).await
}

struct StatusChange {
    order_id: String,
    dispute_id: String,
    status: DisputeStatus,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

async fn record(
    shop: &Arc<Shop>,
    order_id: String,
    dispute_id: &str,
    status: DisputeStatus,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let change = StatusChange {
        order_id,
        dispute_id: dispute_id.to_owned(),
        status,
        shopkeeper: Shopkeeper::of(shop),
        event: event.clone(),
        now: shop.clock.now_ms(),
    };
    shop.db.write(change, |tx, change| Box::pin(apply(tx, change))).await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}

async fn apply(tx: &mut AnyConnection, change: &StatusChange) -> Result<(), Error> {
    let StatusChange { order_id, dispute_id, status, shopkeeper, event, now } = change;
    event.mark(tx).await?;
    orders::lock_order(tx, order_id).await?;
    let known = store::find_status(tx, dispute_id).await?;
    if known.is_some_and(|known| !is_allowed(known, *status)) {
        return Ok(());
    }
    store::upsert(tx, dispute_id, order_id, *status, *now).await?;
    let order = orders::load_order(tx, order_id).await?;
    let dispute = combine(&store::list_statuses(tx, order_id).await?);
    if dispute != order.payment.dispute {
        orders::set_payment(tx, order_id, Payment::of(order.total, order.payment.refunded, dispute)).await?;
    }
    match notice(dispute_id, *status) {
        Notice::Alert(reason) => alerts::raise(tx, shopkeeper, order_id, &reason, *now).await,
        Notice::History(message) => orders::insert_history(tx, order_id, orders::SHOP_ACTOR, &message, *now).await,
    }
}

/// Whether a dispute may change from one status to the other. A dispute progresses from the inquiry to the decision,
/// which may still be reversed; a late event never moves it back.
fn is_allowed(from: DisputeStatus, to: DisputeStatus) -> bool {
    let is_decided = |status| matches!(status, DisputeStatus::Won | DisputeStatus::Lost);
    from != to && (rank(to) > rank(from) || (is_decided(from) && is_decided(to)))
}

fn rank(status: DisputeStatus) -> u8 {
    match status {
        DisputeStatus::Warning => 0,
        // A closed inquiry.
        DisputeStatus::None => 1,
        DisputeStatus::Open => 2,
        DisputeStatus::Won | DisputeStatus::Lost => 3,
    }
}

/// The status of a payment with several disputes: the one that needs a response comes first.
fn combine(statuses: &[DisputeStatus]) -> DisputeStatus {
    [DisputeStatus::Open, DisputeStatus::Lost, DisputeStatus::Warning, DisputeStatus::Won]
        .into_iter()
        .find(|status| statuses.contains(status))
        .unwrap_or_default()
}

enum Notice {
    /// For an administrator to review.
    Alert(AlertReason),
    /// For the order's history only.
    History(String),
}

fn notice(dispute_id: &str, status: DisputeStatus) -> Notice {
    let alert =
        |kind: &str, message: String| Notice::Alert(AlertReason { key: format!("{kind}:{dispute_id}"), message });
    match status {
        DisputeStatus::Warning => {
            alert("inquiry", format!("The customer's bank opened an inquiry about the payment ({dispute_id})."))
        }
        DisputeStatus::Open => alert("dispute", format!("The customer disputes the payment ({dispute_id}).")),
        DisputeStatus::Lost => {
            alert("dispute-lost", format!("The dispute was lost and the payment was reversed ({dispute_id})."))
        }
        DisputeStatus::Won => Notice::History(format!("The dispute was won ({dispute_id}).")),
        DisputeStatus::None => Notice::History(format!("The bank's inquiry ended without a dispute ({dispute_id}).")),
    }
}

#[cfg(test)]
mod tests {
    use super::DisputeStatus::{Lost, None, Open, Warning, Won};
    use super::*;

    #[test]
    fn a_dispute_never_goes_back_and_only_a_decision_is_reversed() {
        let allowed: Vec<_> = DisputeStatus::ALL
            .into_iter()
            .flat_map(|known| DisputeStatus::ALL.map(|status| (known, status)))
            .filter(|(known, status)| is_allowed(*known, *status))
            .collect();
        let expected = [
            (None, Open),
            (None, Won),
            (None, Lost),
            (Warning, None),
            (Warning, Open),
            (Warning, Won),
            (Warning, Lost),
            (Open, Won),
            (Open, Lost),
            (Won, Lost),
            (Lost, Won),
        ];
        assert_eq!(allowed, expected);
    }

    #[test]
    fn of_several_disputes_the_one_that_needs_an_answer_counts() {
        assert_eq!(combine(&[]), None);
        assert_eq!(combine(&[Won, Warning]), Warning);
        assert_eq!(combine(&[Warning, Lost]), Lost);
        assert_eq!(combine(&[Lost, Open, Won]), Open);
    }
}
