//! Refunds that the shop did not record: those made at the provider, and its own whose response was lost.

use std::sync::Arc;

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::pricing::Parts;

use super::balance::Balance;
use super::record::{email, record};
use super::store::{self, Refund};
use crate::checkout::Checkout;
use crate::checkout::alerts::{self, Shopkeeper};
use crate::checkout::provider::{self, Deadline, Origin};
use crate::checkout::webhook_events::{Handled, ProcessedEvent};
use crate::error::{Code, Error};
use crate::infra::clock::SECOND;
use crate::orders::alerts::Alert;
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::{StoredOrder, store as orders};

/// The refunds of a payment at the provider.
struct ProviderRefunds {
    order_id: String,
    /// Total refunded amount.
    refunded: Cents,
    /// Oldest first; empty for a provider that does not list refunds.
    listed: Vec<provider::Refund>,
    mail_shop: ShopInfo,
    event: ProcessedEvent,
    now: i64,
}

/// Records what was refunded at the provider, if it is more than the order has. `reported` is the amount in the event or
/// the list, for a provider whose intents have none.
pub async fn sync_refund(
    state: &Arc<Checkout>,
    deadline: Deadline,
    intent_id: &str,
    reported: Option<Cents>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let current = state.provider.find_intent(deadline, intent_id).await?.and_then(|intent| intent.refunded);
    let Some(refunded) = current.or(reported) else {
        return Ok(Handled::Unmarked);
    };
    let known = orders::load_refunded(state.db.read(), &order_id).await?;
    if refunded <= known {
        return Ok(Handled::Unmarked);
    }
    sync(state, deadline, order_id, intent_id, refunded, event).await?;
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
        return Err(Error::new(
            Code::PaymentProviderUnavailable,
            "The payment provider doesn't know this payment. Nothing was refunded.",
        ));
    };
    let known = orders::load_refunded(state.db.read(), order_id).await?;
    let refunded = intent.refunded.unwrap_or(known);
    if refunded <= known && !has_pending(state, order_id).await? {
        return Ok(());
    }
    sync(state, deadline, order_id.to_owned(), intent_id, refunded, &ProcessedEvent::none()).await
}

async fn has_pending(state: &Checkout, order_id: &str) -> Result<bool, Error> {
    let mut connection = state.db.read().acquire().await?;
    Ok(store::find_pending(&mut connection, order_id).await?.is_some())
}

async fn sync(
    state: &Arc<Checkout>,
    deadline: Deadline,
    order_id: String,
    intent_id: &str,
    refunded: Cents,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    let listed = state.provider.list_refunds_of(deadline, intent_id).await?;
    let refunds = ProviderRefunds {
        order_id,
        refunded: refunded.max(provider::Refund::sum(&listed)?),
        listed,
        mail_shop: state.settings.mail_shop(),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(refunds, |tx, refunds| Box::pin(record_all(tx, refunds))).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

async fn record_all(tx: &mut AnyConnection, refunds: &ProviderRefunds) -> Result<(), Error> {
    refunds.event.mark(tx).await?;
    let mut order = orders::lock_order(tx, &refunds.order_id).await?;
    let before = order.payment.refunded;
    for refund in refunds.listed.iter().filter(|refund| !refund.is_failed) {
        if !store::has_provider_id(tx, &refund.id).await? {
            record_one(tx, &mut order, refunds, Some(refund)).await?;
        }
    }
    // For a provider that does not list refunds.
    record_one(tx, &mut order, refunds, None).await?;
    email(tx, &refunds.mail_shop, &order, before, refunds.now).await
}

/// Records a refund of the provider: the shop's own, or one that was made there, as far as the order does not have its
/// amount yet.
async fn record_one(
    tx: &mut AnyConnection,
    order: &mut StoredOrder,
    refunds: &ProviderRefunds,
    listed: Option<&provider::Refund>,
) -> Result<(), Error> {
    let missing = refunds.refunded.min(order.total).checked_sub(order.payment.refunded)?;
    let amount = listed.map_or(missing, |refund| refund.amount.min(missing));
    let refund = match find_own(tx, &order.id, listed, amount).await? {
        Some(own) => own,
        None if amount <= Cents::ZERO => return Ok(()),
        None => made_at_provider(tx, order, amount, listed, refunds.now).await?,
    };
    record(tx, order, refund, listed.map(|refund| refund.id.as_str()), refunds.now).await?;
    Ok(())
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
    Ok(own.filter(|own| !own.is_done))
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

/// Raises an alert for a refund that the customer's bank rejected: the amount is back at the provider. An alert that the
/// order's history already has is not raised again, since an administrator may have resolved it.
pub async fn mark_failed(
    state: &Arc<Checkout>,
    intent_id: &str,
    refund_id: &str,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(state.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let alert = Alert::RefundFailed { refund_id: refund_id.to_owned() };
    let args = (order_id, alert, Shopkeeper::of(state), event.clone(), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (order_id, alert, shopkeeper, event, now)| {
            Box::pin(async move {
                event.mark(tx).await?;
                orders::lock_order(tx, order_id).await?;
                if history::contains(tx, order_id, &HistoryEvent::AlertRaised(alert.clone())).await? {
                    return Ok(());
                }
                alerts::raise(tx, shopkeeper, order_id, alert, *now).await
            })
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(Handled::Marked)
}
