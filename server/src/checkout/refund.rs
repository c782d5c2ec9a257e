//! Money on its way back: an administrator's refund, and whatever was refunded at the provider.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{Order, Payment};

use super::alerts::{self, Reason, Shopkeeper};
use super::provider::Budget;
use super::tax_records;
use super::webhook::{Note, Noted, SHOP};
use crate::http::error::{Code, Error};
use crate::infra::random;
use crate::orders::{customer_mail, store as orders};
use crate::shop::Shop;

/// Refunds what is left of an order's payment at the provider and gives the sum now refunded in all.
///
/// The refund is written down before the provider is asked, under a key that the same sum left always has: a
/// second call, or one after a lost answer, refunds nothing twice.
pub async fn refund_rest(shop: &Shop, order: &Order, intent_id: &str) -> Result<Cents, Error> {
    let budget = Budget::start();
    let Some(intent) = shop.provider.find_intent(budget, intent_id).await? else {
        return Err(Error::new(
            Code::PaymentProviderUnavailable,
            "The payment provider does not know this payment. Nothing was refunded.",
        ));
    };
    let told = intent.refunded;
    let refunded = told.map_or(order.payment.refunded, |told| told.max(order.payment.refunded));
    let left = order.total.checked_sub(refunded)?;
    if left <= Cents::ZERO {
        return Ok(order.total);
    }
    let refund_id = note_refund(shop, &order.id, left).await?;
    let key = format!("{}:{}", order.id, refunded.cents());
    let answer = shop.provider.refund(budget, intent_id, left, &key).await;
    settle_refund(shop, &order.id, refund_id, answer.as_ref().ok().cloned()).await?;
    answer?;
    Ok(order.total)
}

async fn note_refund(shop: &Shop, order_id: &str, amount: Cents) -> Result<String, Error> {
    let (id, order_id, now) = (random::new_id(), order_id.to_owned(), shop.clock.now_ms());
    let refund_id = id.clone();
    shop.db
        .write_closure(move |tx| {
            let (id, order_id) = (id.clone(), order_id.clone());
            Box::pin(async move { orders::insert_refund(tx, &id, &order_id, amount, now).await })
        })
        .await?;
    Ok(refund_id)
}

async fn settle_refund(
    shop: &Shop,
    order_id: &str,
    refund_id: String,
    provider_id: Option<String>,
) -> Result<(), Error> {
    let order_id = order_id.to_owned();
    shop.db
        .write_closure(move |tx| {
            let (order_id, refund_id, provider_id) = (order_id.clone(), refund_id.clone(), provider_id.clone());
            Box::pin(async move {
                // Two calls may have been given the same refund, and must not both write it down.
                orders::take_order(tx, &order_id).await?;
                orders::settle_refund(tx, &refund_id, provider_id.as_deref()).await
            })
        })
        .await
}

/// Writes down how much of an order's payment has gone back by now, and what that takes back of its tax. A sum
/// that is known already changes nothing. The order must have been taken.
pub async fn book(tx: &mut AnyConnection, before: &Order, refunded: Cents, now: i64) -> Result<(), Error> {
    if refunded <= before.payment.refunded {
        return Ok(());
    }
    orders::set_payment(tx, &before.id, Payment::of(before.total, refunded, before.payment.dispute)).await?;
    let amount = refunded.checked_sub(before.payment.refunded)?;
    tax_records::store::insert_reversal(tx, &before.id, amount, refunded, now).await
}

/// Takes over what has been refunded, when it is more than we knew. `told` is what the event says, for a provider
/// that says nothing when asked.
pub async fn follow_provider(
    shop: &Arc<Shop>,
    budget: Budget,
    intent_id: &str,
    told: Option<Cents>,
    note: &Note,
) -> Result<Noted, Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(Noted::NotYet);
    };
    let asked = shop.provider.find_intent(budget, intent_id).await?.and_then(|intent| intent.refunded);
    let Some(refunded) = asked.or(told) else {
        return Ok(Noted::NotYet);
    };
    let (now, mail_shop, note) = (shop.clock.now_ms(), shop.mail_shop(), note.clone());
    shop.db
        .write_closure(move |tx| {
            let (order_id, mail_shop, note) = (order_id.clone(), mail_shop.clone(), note.clone());
            Box::pin(async move {
                note.write(tx).await?;
                orders::take_order(tx, &order_id).await?;
                let before = orders::load_order(tx, &order_id).await?;
                let refunded = refunded.min(before.total);
                if refunded <= before.payment.refunded {
                    return Ok(());
                }
                book(tx, &before, refunded, now).await?;
                let amount = refunded.checked_sub(before.payment.refunded)?;
                let what = format!("{amount} refunded at the payment provider");
                orders::insert_history(tx, &order_id, SHOP, &what, now).await?;
                let after = orders::load_order(tx, &order_id).await?;
                let key = format!("refunded:{order_id}:{}", refunded.cents());
                let mail = app::mail::refunded(&mail_shop, &after, amount);
                customer_mail::send(tx, &after, key, mail, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(Noted::Here)
}

/// The customer's bank did not take a refund: the money is back at the provider, and somebody must send it again. An
/// order whose history says so already is left as it is: an administrator may have dealt with it.
pub async fn mark_failed(shop: &Arc<Shop>, intent_id: &str, refund_id: &str, note: &Note) -> Result<Noted, Error> {
    let Some(order_id) = orders::find_id_by_intent(shop.db.read(), intent_id).await? else {
        return Ok(Noted::NotYet);
    };
    let (now, shopkeeper, note) = (shop.clock.now_ms(), Shopkeeper::of(shop), note.clone());
    let reason = Reason {
        key: format!("refund-failed:{refund_id}"),
        what: format!("A refund failed at the customer's bank ({refund_id})."),
    };
    shop.db
        .write_closure(move |tx| {
            let (order_id, shopkeeper, reason) = (order_id.clone(), shopkeeper.clone(), reason.clone());
            let note = note.clone();
            Box::pin(async move {
                note.write(tx).await?;
                orders::take_order(tx, &order_id).await?;
                if orders::has_history(tx, &order_id, &reason.what).await? {
                    return Ok(());
                }
                alerts::raise(tx, &shopkeeper, &order_id, &reason, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(Noted::Here)
}
