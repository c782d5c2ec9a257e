//! Refunds that the shop did not record: those made at the provider, its own whose response was lost, and those that the
//! customer's bank returned.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::pricing::Parts;

use super::balance::Balance;
use super::fail::fail;
use super::record::{email, record};
use super::store::{self, Refund, State};
use super::without_order;
use crate::checkout::Checkout;
use crate::checkout::alerts::Shopkeeper;
use crate::checkout::provider::{self, Deadline, Origin};
use crate::checkout::webhook_events::{Handled, ProcessedEvent};
use crate::error::Error;
use crate::infra::clock::SECOND;
use crate::orders::{StoredOrder, store as orders};

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
        return without_order::sync_failed(state, deadline, intent_id, None, event).await;
    };
    let mut listed = state.provider.list_refunds_of(deadline, intent_id).await?;
    if listed.is_empty() {
        let intent = state.provider.find_intent(deadline, intent_id).await?;
        let refunded = intent.and_then(|intent| intent.refunded).or(reported).unwrap_or_default();
        // A refund that was made between the two requests is in the list.
        listed = list_or_total(state, deadline, intent_id, refunded).await?;
    }
    save(state, order_id, listed, event).await?;
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
    let listed = list_or_total(state, deadline, intent_id, intent.refunded.unwrap_or_default()).await?;
    save(state, order_id.to_owned(), listed, &ProcessedEvent::none()).await
}

/// Records a refund that the customer's bank returned, by an event. The amount is back at the provider.
pub async fn sync_failed(
    state: &Arc<Checkout>,
    intent_id: &str,
    failed: provider::Refund,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return without_order::sync_failed(state, Deadline::start(), intent_id, Some(failed), event).await;
    };
    let mut listed = state.provider.list_refunds_of(Deadline::start(), intent_id).await?;
    // The list may not show yet that it failed.
    if !listed.iter().any(|refund| refund.id == failed.id && refund.is_failed) {
        listed.retain(|refund| refund.id != failed.id);
        listed.push(failed);
    }
    save(state, order_id, listed, event).await?;
    Ok(Handled::Marked)
}

/// The refunds of a payment, oldest first. A provider that does not list refunds has only their total.
async fn list_or_total(
    state: &Checkout,
    deadline: Deadline,
    intent_id: &str,
    total: Cents,
) -> Result<Vec<provider::Refund>, Error> {
    let listed = state.provider.list_refunds_of(deadline, intent_id).await?;
    Ok(if listed.is_empty() { vec![provider::Refund::total(total)] } else { listed })
}

async fn save(
    state: &Arc<Checkout>,
    order_id: String,
    listed: Vec<provider::Refund>,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let args = (order_id, listed, Shopkeeper::of(state), event.clone(), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (order_id, listed, shopkeeper, event, now)| {
            Box::pin(async move {
                event.mark(tx).await?;
                record_all(tx, shopkeeper, order_id, listed, *now).await
            })
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

/// Failures come first: what failed can be refunded again.
async fn record_all(
    tx: &mut AnyConnection,
    shopkeeper: &Shopkeeper,
    order_id: &str,
    listed: &[provider::Refund],
    now: i64,
) -> Result<(), Error> {
    let mut order = orders::lock_order(tx, order_id).await?;
    for refund in listed.iter().filter(|refund| refund.is_failed) {
        fail(tx, shopkeeper, &mut order, refund, now).await?;
    }
    let total = provider::Refund::sum(listed)?;
    let mut recorded = Vec::new();
    for refund in listed.iter().filter(|refund| !refund.is_failed) {
        if store::find_listed(tx, refund).await?.is_none() {
            recorded.extend(record_one(tx, &mut order, total, refund, now).await?);
        }
    }
    email(tx, &shopkeeper.mail_shop, &order, &recorded, now).await
}

/// Records a refund of the provider: the shop's own, or one that was made there, as far as the order does not have its
/// amount of the `total` yet.
async fn record_one(
    tx: &mut AnyConnection,
    order: &mut StoredOrder,
    total: Cents,
    listed: &provider::Refund,
    now: i64,
) -> Result<Option<Refund>, Error> {
    let outside = store::sum_outside(tx, &order.id).await?;
    let at_provider = order.payment.refunded.checked_sub(outside)?;
    let missing = total.min(order.total).checked_sub(at_provider)?;
    let amount = listed.amount.min(missing);
    let refund = match find_own(tx, &order.id, &listed.origin, amount).await? {
        Some(own) => own,
        None if amount <= Cents::ZERO => return Ok(None),
        None => made_at_provider(tx, order, amount, listed.created_at, now).await?,
    };
    let recorded = record(tx, order, Refund { provider_id: listed.id.clone(), ..refund }, now).await?;
    Ok(recorded.is_done().then_some(recorded))
}

/// The shop's own refund, by its id in the metadata. A provider may store none: then the pending one of this amount.
async fn find_own(
    tx: &mut AnyConnection,
    order_id: &str,
    origin: &Origin,
    amount: Cents,
) -> Result<Option<Refund>, Error> {
    let own = match origin {
        Origin::Elsewhere => None,
        Origin::Shop(id) => store::find_refund(tx, id).await?.filter(|own| own.order_id == order_id),
        Origin::Unknown => {
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
    second: Option<i64>,
    now: i64,
) -> Result<Refund, Error> {
    let refunds = store::list_done(tx, &order.id).await?;
    let balance = Balance::of(order, &refunds)?;
    let parts = balance.parts_of(amount, &Parts::default())?;
    // The provider's times are whole seconds.
    let created_at = second.map_or(now, |second| now.min(second + SECOND - 1));
    Ok(balance.refund_of(parts, Vec::new(), orders::SHOP_ACTOR, created_at))
}
