//! Refunds that the shop did not record: those made at the provider, its own whose response was lost, and those that the
//! customer's bank returned.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::pricing::Parts;

use super::balance::Balance;
use super::fail::{fail, fail_listed, raise_once};
use super::record::{email, record};
use super::store::{self, Failure, Refund, State};
use super::without_order;
use crate::checkout::Checkout;
use crate::checkout::alerts::Shopkeeper;
use crate::checkout::provider::{self, Deadline, Origin};
use crate::checkout::webhook_events::{Handled, ProcessedEvent};
use crate::error::Error;
use crate::infra::clock::SECOND;
use crate::orders::{StoredOrder, store as orders};

/// The refunds of a payment at the provider.
struct ProviderRefunds {
    order_id: String,
    /// Total refunded amount, without refunds that failed.
    refunded: Cents,
    /// Oldest first; empty for a provider that does not list refunds.
    listed: Vec<provider::Refund>,
    /// A refund that failed by an event, which the list may not show.
    failed: Option<FailedRefund>,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

/// What an event tells of a refund that failed.
#[derive(Clone)]
pub struct FailedRefund {
    /// The provider's id.
    pub id: String,
    /// The provider's word, such as `expired_or_canceled_card`.
    pub reason: Option<String>,
}

/// Records what was refunded at the provider, and what failed. `reported` is the amount in the event or the list, for a
/// provider whose intents have none.
pub async fn sync_refund(
    state: &Arc<Checkout>,
    deadline: Deadline,
    intent_id: &str,
    reported: Option<Cents>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return without_order::sync_failed(state, deadline, intent_id, event).await;
    };
    let mut listed = state.provider.list_refunds_of(deadline, intent_id).await?;
    let mut refunded = provider::Refund::sum(&listed)?;
    if listed.is_empty() {
        let intent = state.provider.find_intent(deadline, intent_id).await?;
        refunded = intent.and_then(|intent| intent.refunded).or(reported).unwrap_or_default();
        // A refund that was made between the two requests is in the list.
        listed = state.provider.list_refunds_of(deadline, intent_id).await?;
    }
    if !listed.is_empty() {
        refunded = provider::Refund::sum(&listed)?;
    }
    save(state, order_id, refunded, listed, None, event).await?;
    Ok(Handled::Marked)
}

/// Records everything that was refunded at the provider, before the next refund of the order.
pub async fn sync_order(
    state: &Arc<Checkout>,
    deadline: Deadline,
    order_id: &str,
    intent_id: &str,
) -> Result<(), Error> {
    let Some(intent) = state.provider.find_intent(deadline, intent_id).await? else {
        return Err(provider::unknown_payment());
    };
    let listed = state.provider.list_refunds_of(deadline, intent_id).await?;
    let refunded =
        if listed.is_empty() { intent.refunded.unwrap_or_default() } else { provider::Refund::sum(&listed)? };
    save(state, order_id.to_owned(), refunded, listed, None, &ProcessedEvent::none()).await
}

/// Records a refund that the customer's bank returned, by an event. The amount is back at the provider.
pub async fn sync_failed(
    state: &Arc<Checkout>,
    intent_id: &str,
    failed: FailedRefund,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return without_order::sync_failed(state, Deadline::start(), intent_id, event).await;
    };
    let listed = state.provider.list_refunds_of(Deadline::start(), intent_id).await?;
    let refunded = provider::Refund::sum(&listed)?;
    save(state, order_id, refunded, listed, Some(failed), event).await?;
    Ok(Handled::Marked)
}

async fn save(
    state: &Arc<Checkout>,
    order_id: String,
    refunded: Cents,
    listed: Vec<provider::Refund>,
    failed: Option<FailedRefund>,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let refunds = ProviderRefunds {
        order_id,
        refunded,
        listed,
        failed,
        shopkeeper: Shopkeeper::of(state),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(refunds, |tx, refunds| Box::pin(record_all(tx, refunds))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

/// Failures come first: what failed can be refunded again.
async fn record_all(tx: &mut AnyConnection, refunds: &ProviderRefunds) -> Result<(), Error> {
    refunds.event.mark(tx).await?;
    let mut order = orders::lock_order(tx, &refunds.order_id).await?;
    let ProviderRefunds { listed, shopkeeper, now, .. } = refunds;
    for refund in listed.iter().filter(|refund| refund.is_failed) {
        fail_listed(tx, shopkeeper, &mut order, refund, *now).await?;
    }
    if let Some(failed) = &refunds.failed {
        fail_reported(tx, shopkeeper, &mut order, failed, *now).await?;
    }
    let mut recorded = Vec::new();
    for refund in listed.iter().filter(|refund| !refund.is_failed) {
        if store::find_by_provider_id(tx, &refund.id).await?.is_none() {
            recorded.extend(record_one(tx, &mut order, refunds, Some(refund)).await?);
        }
    }
    // For a provider that does not list refunds.
    if listed.is_empty() {
        recorded.extend(record_one(tx, &mut order, refunds, None).await?);
    }
    email(tx, &shopkeeper.mail_shop, &order, &recorded, *now).await
}

/// A refund that the shop doesn't know raises an alert only: its amount is unknown.
async fn fail_reported(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order: &mut StoredOrder,
    failed: &FailedRefund,
    now: i64,
) -> Result<(), Error> {
    match store::find_by_provider_id(tx, &failed.id).await? {
        Some(known) if known.order_id == order.id => {
            let failure = Failure { failed_at: now, reason: failed.reason.clone(), replaced_by: None };
            fail(tx, shopkeeper, order, known, failure, now).await
        }
        Some(_) => Ok(()),
        None => raise_once(tx, shopkeeper, &order.id, failed.id.clone(), now).await,
    }
}

/// Records a refund of the provider: the shop's own, or one that was made there, as far as the order does not have its
/// amount yet.
async fn record_one(
    tx: &mut AnyConnection,
    order: &mut StoredOrder,
    refunds: &ProviderRefunds,
    listed: Option<&provider::Refund>,
) -> Result<Option<Refund>, Error> {
    let outside = store::sum_outside(tx, &order.id).await?;
    let at_provider = order.payment.refunded.checked_sub(outside)?;
    let missing = refunds.refunded.min(order.total).checked_sub(at_provider)?;
    let amount = listed.map_or(missing, |refund| refund.amount.min(missing));
    let refund = match find_own(tx, &order.id, listed, amount).await? {
        Some(own) => own,
        None if amount <= Cents::ZERO => return Ok(None),
        None => made_at_provider(tx, order, amount, listed, refunds.now).await?,
    };
    let provider_id = listed.map(|refund| refund.id.clone());
    let recorded = record(tx, order, Refund { provider_id, ..refund }, refunds.now).await?;
    Ok(recorded.is_done().then_some(recorded))
}

/// The shop's own refund, by its id in the metadata. A provider may store none: then the pending one of this amount.
async fn find_own(
    tx: &mut AnyConnection,
    order_id: &str,
    listed: Option<&provider::Refund>,
    amount: Cents,
) -> Result<Option<Refund>, Error> {
    let own = match listed.map(|refund| &refund.origin) {
        Some(Origin::Elsewhere) => None,
        Some(Origin::Shop(id)) => store::find_refund(tx, id).await?.filter(|own| own.order_id == order_id),
        Some(Origin::Unknown) | None => {
            let pending = store::find_pending(tx, order_id).await?;
            pending.filter(|pending| pending.parts.amount == amount)
        }
    };
    Ok(own.filter(|own| matches!(own.state, State::Pending | State::NotMade)))
}

async fn made_at_provider(
    tx: &mut AnyConnection,
    order: &StoredOrder,
    amount: Cents,
    listed: Option<&provider::Refund>,
    now: i64,
) -> Result<Refund, Error> {
    let refunds = store::list_done(tx, &order.id).await?;
    let balance = Balance::of(order, &refunds)?;
    let parts = balance.parts_of(amount, &Parts::default())?;
    // The provider's times are whole seconds.
    let created_at = listed.and_then(|refund| refund.created_at).map_or(now, |second| now.min(second + SECOND - 1));
    Ok(balance.refund_of(parts, Vec::new(), orders::SHOP_ACTOR, created_at))
}
