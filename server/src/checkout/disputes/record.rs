//! Merges a report of the provider into the stored dispute, with the order's payment, history and alert.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{Card, DisputeStatus};

use super::store::{self, StoredDispute};
use crate::checkout::Checkout;
use crate::checkout::alerts::{self, Shopkeeper};
use crate::checkout::fraud_warnings;
use crate::checkout::holds;
use crate::checkout::provider::Dispute;
use crate::checkout::webhook_events::ProcessedEvent;
use crate::error::Error;
use crate::orders::alerts::store::{Resolution, resolve_cause};
use crate::orders::alerts::{Alert, DisputeClaim};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};
use crate::time_zone::{self, ShopZone};

struct Report {
    order_id: String,
    dispute: Dispute,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

pub async fn record(
    state: &Arc<Checkout>,
    order_id: String,
    dispute: Dispute,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let report = Report {
        order_id,
        dispute,
        shopkeeper: Shopkeeper::of(state),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(report, |tx, report| Box::pin(apply(tx, report))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

async fn apply(tx: &mut AnyConnection, report: &Report) -> Result<(), Error> {
    let Report { order_id, dispute, event, now, .. } = report;
    event.mark(tx).await?;
    let mut order = orders::lock_order(tx, order_id).await?;
    let known = store::find(tx, &dispute.id).await?;
    let merged = merge(known.as_ref(), dispute);
    if known.as_ref() == Some(&merged) {
        return Ok(());
    }
    store::upsert(tx, order_id, &merged, *now).await?;
    set_payment(tx, &mut order, *now).await?;
    holds::update(tx, order_id).await?;
    if known.as_ref().map(|known| known.status) != Some(merged.status) {
        let claim = claim_of(&order, &merged, time_zone::store::load(&mut *tx).await?);
        resolve_alerts(tx, order_id, (&merged, &claim), *now).await?;
        announce(tx, report, (&merged, &claim)).await?;
    }
    for event in changes(known.as_ref(), &merged)? {
        history::insert(tx, order_id, orders::SHOP_ACTOR, event, *now).await?;
    }
    Ok(())
}

fn claim_of(order: &StoredOrder, dispute: &StoredDispute, zone: ShopZone) -> DisputeClaim {
    DisputeClaim {
        card: order.payment.card.as_ref().map(Card::label),
        amount: dispute.amount.map(Cents::cents),
        reason: dispute.reason.clone(),
        respond_by: dispute.due_at.filter(|_| dispute.needs_response).map(|due| zone.local(due)),
    }
}

async fn announce(
    tx: &mut AnyConnection,
    report: &Report,
    (dispute, claim): (&StoredDispute, &DisputeClaim),
) -> Result<(), Error> {
    let Report { order_id, shopkeeper, now, .. } = report;
    match notice(&dispute.id, dispute.status, claim) {
        Notice::Alert(alert) => alerts::raise(tx, shopkeeper, order_id, &alert, *now).await,
        Notice::History(event) => history::insert(tx, order_id, orders::SHOP_ACTOR, event, *now).await,
    }
}

/// Resolves the alerts about the dispute's earlier statuses: it has at most one that is open.
async fn resolve_alerts(
    tx: &mut AnyConnection,
    order_id: &str,
    (dispute, claim): (&StoredDispute, &DisputeClaim),
    now: i64,
) -> Result<(), Error> {
    for status in DisputeStatus::ALL.into_iter().filter(|status| *status != dispute.status) {
        let Notice::Alert(alert) = notice(&dispute.id, status, claim) else { continue };
        if resolve_cause(tx, &alert, orders::SHOP_ACTOR, now).await? == Resolution::New {
            history::insert(tx, order_id, orders::SHOP_ACTOR, HistoryEvent::AlertResolved(alert), now).await?;
        }
    }
    Ok(())
}

/// Updates the payment by all disputes of the order.
async fn set_payment(tx: &mut AnyConnection, order: &mut StoredOrder, now: i64) -> Result<(), Error> {
    let dispute = combine(&store::list_statuses(tx, &order.id).await?);
    if dispute == order.payment.dispute {
        return Ok(());
    }
    let refunded = order.payment.refunded;
    orders::set_payment(tx, order, refunded, dispute).await?;
    fraud_warnings::settle(tx, order, now).await
}

/// The stored dispute after a report. A late report changes neither the status nor what belongs to it. Within a status,
/// submitted evidence stays submitted. Sums of funds only grow.
pub fn merge(known: Option<&StoredDispute>, reported: &Dispute) -> StoredDispute {
    let new = StoredDispute::of(reported);
    let Some(known) = known else {
        return new;
    };
    let (withdrawn, reinstated) = (known.withdrawn.max(new.withdrawn), known.reinstated.max(new.reinstated));
    let is_late = known.status != new.status && !is_allowed(known.status, new.status);
    if is_late {
        return StoredDispute { withdrawn, reinstated, ..known.clone() };
    }
    StoredDispute {
        needs_response: new.needs_response && (known.needs_response || known.status != new.status),
        due_at: new.due_at.or(known.due_at),
        reason: new.reason.or_else(|| known.reason.clone()),
        amount: new.amount.or(known.amount),
        withdrawn,
        reinstated,
        created_at: known.created_at,
        ..new
    }
}

/// Changes besides the status.
fn changes(known: Option<&StoredDispute>, merged: &StoredDispute) -> Result<Vec<HistoryEvent>, Error> {
    let dispute_id = || merged.id.clone();
    let before = |amount: fn(&StoredDispute) -> Cents| known.map_or(Cents::ZERO, amount);
    let withdrawn = merged.withdrawn.checked_sub(before(|known| known.withdrawn))?;
    let reinstated = merged.reinstated.checked_sub(before(|known| known.reinstated))?;
    let is_submitted =
        known.is_some_and(|known| known.needs_response && known.status == merged.status) && !merged.needs_response;
    let events = [
        (withdrawn > Cents::ZERO)
            .then(|| HistoryEvent::DisputeFundsWithdrawn { dispute_id: dispute_id(), amount: withdrawn }),
        is_submitted.then(|| HistoryEvent::DisputeEvidenceSubmitted { dispute_id: dispute_id() }),
        (reinstated > Cents::ZERO)
            .then(|| HistoryEvent::DisputeFundsReturned { dispute_id: dispute_id(), amount: reinstated }),
    ];
    Ok(events.into_iter().flatten().collect())
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
    Alert(Alert),
    /// For the order's history only.
    History(HistoryEvent),
}

fn notice(dispute_id: &str, status: DisputeStatus, claim: &DisputeClaim) -> Notice {
    let dispute_id = dispute_id.to_owned();
    match status {
        DisputeStatus::Warning => Notice::Alert(Alert::InquiryOpened { dispute_id }),
        DisputeStatus::Open => Notice::Alert(Alert::DisputeOpened { dispute_id, claim: claim.clone() }),
        DisputeStatus::Lost => Notice::Alert(Alert::DisputeLost { dispute_id }),
        DisputeStatus::Won => Notice::History(HistoryEvent::DisputeWon { dispute_id }),
        DisputeStatus::None => Notice::History(HistoryEvent::InquiryEnded { dispute_id }),
    }
}

#[cfg(test)]
mod tests {
    use super::DisputeStatus::{Lost, None, Open, Warning, Won};
    use super::*;

    fn report(status: DisputeStatus, needs_response: bool, withdrawn: i64) -> Dispute {
        Dispute {
            id: "du_1".to_owned(),
            intent_id: Option::None,
            status,
            needs_response,
            due_at: Some(8),
            reason: Option::None,
            amount: Option::None,
            withdrawn: Cents::from_cents(withdrawn),
            reinstated: Cents::ZERO,
        }
    }

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

    #[test]
    fn submitted_evidence_stays_submitted_until_the_inquiry_becomes_a_dispute() {
        let submitted = merge(Option::None, &report(Warning, false, 0));
        assert!(!merge(Some(&submitted), &report(Warning, true, 0)).needs_response, "a late report");
        assert!(merge(Some(&submitted), &report(Open, true, 0)).needs_response);
    }

    #[test]
    fn a_late_report_changes_only_the_sums_of_funds() {
        let lost = merge(Option::None, &report(Lost, false, 0));
        let late = merge(Some(&lost), &Dispute { due_at: Some(9), ..report(Open, true, 2_990) });
        assert_eq!(late, StoredDispute { withdrawn: Cents::from_cents(2_990), ..lost.clone() });
        assert_eq!(merge(Some(&late), &report(Lost, false, 0)), late);
        let withdrawn =
            HistoryEvent::DisputeFundsWithdrawn { dispute_id: "du_1".to_owned(), amount: Cents::from_cents(2_990) };
        assert_eq!(changes(Some(&lost), &late).unwrap(), [withdrawn]);
    }
}
