//! Refunds of orders: those that an administrator makes, and those made at the provider.

use std::sync::Arc;

use app::mail::ShopInfo;
use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{Order, Payment};

use super::alerts::{self, AlertReason, Shopkeeper};
use super::provider::Deadline;
use super::tax_records;
use super::webhook_events::{Handled, ProcessedEvent};
use crate::http::error::{Code, Error};
use crate::infra::random;
use crate::orders::{customer_mail, store as orders};
use crate::shop::Shop;

/// Refunds the remaining amount of an order's payment at the provider and returns the total refunded amount.
///
/// The refund is written down before the request, with an idempotency key that is the same for the same remaining
/// amount: a concurrent call or a retry after a lost response never refunds twice.
pub async fn refund_remaining(shop: &Shop, order: &Order, intent_id: &str) -> Result<Cents, Error> {
    let deadline = Deadline::start();
    let Some(intent) = shop.provider.find_intent(deadline, intent_id).await? else {
        return Err(Error::new(
            Code::PaymentProviderUnavailable,
            "The payment provider doesn't know this payment. Nothing was refunded.",
        ));
    };
    let known = order.payment.refunded;
    let refunded = intent.refunded.map_or(known, |reported| reported.max(known));
    let remaining = order.total.checked_sub(refunded)?;
    if remaining <= Cents::ZERO {
        return Ok(order.total);
    }
    let refund_id = insert_pending_refund(shop, &order.id, remaining).await?;
    let key = format!("{}:{}", order.id, refunded.cents());
    let result = shop.provider.refund(deadline, intent_id, remaining, &key).await;
    complete_refund(shop, &order.id, refund_id, result.as_ref().ok().cloned()).await?;
    result?;
    Ok(order.total)
}

async fn insert_pending_refund(shop: &Shop, order_id: &str, amount: Cents) -> Result<String, Error> {
    let args = (random::new_id(), order_id.to_owned(), amount, shop.clock.now_ms());
    let refund_id = args.0.clone();
    shop.db
        .write(args, |tx, (id, order_id, amount, now)| {
            Box::pin(orders::insert_pending_refund(tx, id, order_id, *amount, *now))
        })
        .await?;
    Ok(refund_id)
}

async fn complete_refund(
    shop: &Shop,
    order_id: &str,
    refund_id: String,
    provider_id: Option<String>,
) -> Result<(), Error> {
    shop.db
        .write((order_id.to_owned(), refund_id, provider_id), |tx, (order_id, refund_id, provider_id)| {
            Box::pin(async move {
                // The provider may return the same refund to two calls; only one of them records it.
                orders::lock_order(tx, order_id).await?;
                orders::complete_refund(tx, refund_id, provider_id.as_deref()).await
            })
        })
        .await
}

/// Records the total refunded amount of an order's payment, and the reversal of its tax. An amount that is already
/// recorded changes nothing. The order must be locked.
pub async fn record_refund(tx: &mut AnyConnection, before: &Order, refunded: Cents, now: i64) -> Result<(), Error> {
    if refunded <= before.payment.refunded {
        return Ok(());
    }
    orders::set_payment(tx, &before.id, Payment::of(before.total, refunded, before.payment.dispute)).await?;
    let amount = refunded.checked_sub(before.payment.refunded)?;
    tax_records::store::insert_reversal(tx, &before.id, amount, refunded, now).await
}

struct ProviderRefund {
    order_id: String,
    refunded: Cents,
    mail_shop: ShopInfo,
    event: ProcessedEvent,
    now: i64,
}

/// Records what was refunded at the provider, if it is more than the order has. `reported` is the amount in the event or
/// the list, for a provider whose intents have none.
pub async fn sync_refund(
    shop: &Arc<Shop>,
    deadline: Deadline,
    intent_id: &str,
    reported: Option<Cents>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let current = shop.provider.find_intent(deadline, intent_id).await?.and_then(|intent| intent.refunded);
    let Some(refunded) = current.or(reported) else {
        return Ok(Handled::Unmarked);
    };
    let refund = ProviderRefund {
        order_id,
        refunded,
        mail_shop: shop.mail_shop(),
        event: event.clone(),
        now: shop.clock.now_ms(),
    };
    shop.db.write(refund, |tx, refund| Box::pin(record_provider_refund(tx, refund))).await?;
    shop.mail_enqueued.notify_one();
    Ok(Handled::Marked)
}

async fn record_provider_refund(tx: &mut AnyConnection, refund: &ProviderRefund) -> Result<(), Error> {
    let ProviderRefund { order_id, mail_shop, event, now, .. } = refund;
    event.mark(tx).await?;
    orders::lock_order(tx, order_id).await?;
    let before = orders::load_order(tx, order_id).await?;
    let refunded = refund.refunded.min(before.total);
    if refunded <= before.payment.refunded {
        return Ok(());
    }
    record_refund(tx, &before, refunded, *now).await?;
    let amount = refunded.checked_sub(before.payment.refunded)?;
    let message = format!("{amount} refunded at the payment provider");
    orders::insert_history(tx, order_id, orders::SHOP_ACTOR, &message, *now).await?;
    let after = orders::load_order(tx, order_id).await?;
    let key = format!("refunded:{order_id}:{}", refunded.cents());
    let mail = app::mail::refunded(mail_shop, &after, amount);
    customer_mail::send(tx, &after, key, mail, *now).await
}

/// Raises an alert for a refund that the customer's bank rejected: the amount is back at the provider. An alert that the
/// order's history already has is not raised again, since an administrator may have resolved it.
pub async fn mark_failed(
    shop: &Arc<Shop>,
    intent_id: &str,
    refund_id: &str,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(Handled::Unmarked);
    };
    let reason = AlertReason {
        key: format!("refund-failed:{refund_id}"),
        message: format!("A refund failed at the customer's bank ({refund_id})."),
    };
    let args = (order_id, reason, Shopkeeper::of(shop), event.clone(), shop.clock.now_ms());
    shop.db
        .write(args, |tx, (order_id, reason, shopkeeper, event, now)| {
            Box::pin(async move {
                event.mark(tx).await?;
                orders::lock_order(tx, order_id).await?;
                if orders::has_history(tx, order_id, &reason.message).await? {
                    return Ok(());
                }
                alerts::raise(tx, shopkeeper, order_id, reason, *now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(Handled::Marked)
}
