//! Disputes: the customer's bank asks for a payment back. They stand beside the payment, with the provider's word for
//! how far each has come, so that the order of events and refunds does not matter.

pub mod store;

use std::collections::BTreeSet;
use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::orders::{DisputeStatus, Payment};

use super::alerts::{self, Reason, Shopkeeper};
use super::provider::{Budget, Dispute};
use super::reconcile::Comparison;
use super::webhook::{Note, Noted, SHOP};
use crate::http::error::Error;
use crate::orders::store as orders;
use crate::shop::Shop;

/// Takes over how a dispute stands that an event told of. `told` is the event's own word, for a provider that does not
/// know of disputes when asked.
pub async fn follow(
    shop: &Arc<Shop>,
    intent_id: &str,
    dispute_id: &str,
    told: Option<DisputeStatus>,
    note: &Note,
) -> Result<Noted, Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(Noted::NotYet);
    };
    let asked = shop.provider.find_dispute(Budget::start(), dispute_id).await?;
    let Some(status) = asked.map(|dispute| dispute.status).or(told) else {
        return Ok(Noted::NotYet);
    };
    record(shop, &order_id, dispute_id, status, note).await?;
    Ok(Noted::Here)
}

/// Takes over what no event told of: the provider's disputes since `since_ms`, and those of orders whose dispute may
/// still change. One that cannot be taken over keeps none of the others from it.
pub async fn reconcile(shop: &Arc<Shop>, since_ms: i64, compared: &mut Comparison) -> Result<(), Error> {
    let mut listed = BTreeSet::new();
    for dispute in shop.provider.list_disputes_since(since_ms).await? {
        if let Some(intent_id) = dispute.intent_id.clone() {
            let name = format!("Dispute {}", dispute.id);
            compared.note(&name, take_over(shop, &intent_id, dispute).await);
            listed.insert(intent_id);
        }
    }
    for intent_id in store::list_pending_intents(shop.db.read()).await? {
        if listed.contains(&intent_id) {
            continue;
        }
        let taken_over = take_over_all(shop, &intent_id).await;
        compared.note(&format!("Disputes of {intent_id}"), taken_over);
    }
    Ok(())
}

async fn take_over_all(shop: &Arc<Shop>, intent_id: &str) -> Result<(), Error> {
    for dispute in shop.provider.list_disputes_of(intent_id).await? {
        take_over(shop, intent_id, dispute).await?;
    }
    Ok(())
}

async fn take_over(shop: &Arc<Shop>, intent_id: &str, dispute: Dispute) -> Result<(), Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(());
    };
    let mut connection = shop.db.read().acquire().await?;
    let known = store::find_status(&mut connection, &dispute.id).await?;
    drop(connection);
    if known == Some(dispute.status) {
        return Ok(());
    }
    record(shop, &order_id, &dispute.id, dispute.status, &Note::none()).await
}

async fn record(
    shop: &Arc<Shop>,
    order_id: &str,
    dispute_id: &str,
    status: DisputeStatus,
    note: &Note,
) -> Result<(), Error> {
    let (order_id, dispute_id, note) = (order_id.to_owned(), dispute_id.to_owned(), note.clone());
    let (shopkeeper, now) = (Shopkeeper::of(shop), shop.clock.now_ms());
    shop.db
        .write_closure(move |tx| {
            let (order_id, dispute_id, note) = (order_id.clone(), dispute_id.clone(), note.clone());
            let shopkeeper = shopkeeper.clone();
            Box::pin(async move {
                note.write(tx).await?;
                write(tx, &shopkeeper, &order_id, &dispute_id, status, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}

async fn write(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    dispute_id: &str,
    status: DisputeStatus,
    now: i64,
) -> Result<(), Error> {
    orders::take_order(tx, order_id).await?;
    let known = store::find_status(tx, dispute_id).await?;
    if known.is_some_and(|known| !may_become(known, status)) {
        return Ok(());
    }
    store::put(tx, dispute_id, order_id, status, now).await?;
    let order = orders::load_order(tx, order_id).await?;
    let dispute = together(&store::list_statuses(tx, order_id).await?);
    if dispute != order.payment.dispute {
        orders::set_payment(tx, order_id, Payment::of(order.total, order.payment.refunded, dispute)).await?;
    }
    match news(dispute_id, status) {
        News::Alert(reason) => alerts::raise(tx, shopkeeper, order_id, &reason, now).await,
        News::History(what) => orders::insert_history(tx, order_id, SHOP, &what, now).await,
    }
}

/// A dispute goes one way, from the inquiry to the bank's decision, which may still be reversed: news that comes late
/// takes nothing back.
fn may_become(known: DisputeStatus, status: DisputeStatus) -> bool {
    let decided = |status| matches!(status, DisputeStatus::Won | DisputeStatus::Lost);
    known != status && (progress(status) > progress(known) || (decided(known) && decided(status)))
}

fn progress(status: DisputeStatus) -> u8 {
    match status {
        DisputeStatus::Warning => 0,
        // An inquiry that has ended.
        DisputeStatus::None => 1,
        DisputeStatus::Open => 2,
        DisputeStatus::Won | DisputeStatus::Lost => 3,
    }
}

/// What several disputes of one payment come to: what still needs an answer counts first.
fn together(statuses: &[DisputeStatus]) -> DisputeStatus {
    [DisputeStatus::Open, DisputeStatus::Lost, DisputeStatus::Warning, DisputeStatus::Won]
        .into_iter()
        .find(|status| statuses.contains(status))
        .unwrap_or_default()
}

enum News {
    /// For an administrator to look at.
    Alert(Reason),
    /// For the order's history alone.
    History(String),
}

fn news(dispute_id: &str, status: DisputeStatus) -> News {
    let alert = |kind: &str, what: String| News::Alert(Reason { key: format!("{kind}:{dispute_id}"), what });
    match status {
        DisputeStatus::Warning => {
            alert("inquiry", format!("The customer's bank inquires about the payment ({dispute_id})."))
        }
        DisputeStatus::Open => alert("dispute", format!("The customer disputes the payment ({dispute_id}).")),
        DisputeStatus::Lost => {
            alert("dispute-lost", format!("The dispute was lost and the money went back ({dispute_id})."))
        }
        DisputeStatus::Won => News::History(format!("The dispute was won ({dispute_id}).")),
        DisputeStatus::None => News::History(format!("The bank's inquiry ended without a dispute ({dispute_id}).")),
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
            .filter(|(known, status)| may_become(*known, *status))
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
        assert_eq!(together(&[]), None);
        assert_eq!(together(&[Won, Warning]), Warning);
        assert_eq!(together(&[Warning, Lost]), Lost);
        assert_eq!(together(&[Lost, Open, Won]), Open);
    }
}
