//! A payment that cannot become an order goes back to whoever paid it.

use std::sync::Arc;

use wasm_core::money::Cents;

use super::alerts::Shopkeeper;
use super::finalize::Finalized;
use super::provider::{Budget, Intent};
use super::store::{self, Checkout};
use super::webhook::Note;
use crate::http::error::{Code, Error};
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

/// Refunds a payment that cannot become an order, then frees what it held and tells both sides by mail.
pub async fn give_money_back(
    shop: &Arc<Shop>,
    budget: Budget,
    checkout: &Checkout,
    intent: &Intent,
    reason: String,
    note: &Note,
) -> Result<Finalized, Error> {
    let left = intent.amount_received.checked_sub(intent.refunded.unwrap_or(Cents::ZERO))?;
    if left > Cents::ZERO {
        let key = format!("return:{}", checkout.id);
        shop.provider.refund(budget, &intent.id, left, &key).await?;
    }
    tracing::error!(checkout = checkout.id, intent = intent.id, reason, "a payment was returned");
    let now = shop.clock.now_ms();
    let (shopkeeper, note) = (Shopkeeper::of(shop), note.clone());
    let (checkout, amount, intent_id) = (checkout.clone(), intent.amount_received, intent.id.clone());
    shop.db
        .write_closure(move |tx| {
            let (checkout, intent_id, reason) = (checkout.clone(), intent_id.clone(), reason.clone());
            let (shopkeeper, note) = (shopkeeper.clone(), note.clone());
            Box::pin(async move {
                note.write(tx).await?;
                let freed = store::release(tx, &checkout.id, store::State::Refunded).await?
                    || store::change_state(tx, &checkout.id, store::State::Closed, store::State::Refunded).await?;
                if !freed {
                    return Ok(());
                }
                let what = format!("Payment {intent_id} of {amount} was refunded. {reason}");
                store::insert_attention(tx, &intent_id, &what, now).await?;
                let to_customer = OutgoingMail {
                    dedupe_key: format!("returned:{}", checkout.id),
                    to: checkout.user_email.clone(),
                    mail: app::mail::payment_returned(&shopkeeper.mail_shop, amount, &reason),
                };
                outbox::enqueue(tx, now, to_customer).await?;
                let alert = app::mail::attention(&shopkeeper.mail_shop, "A payment was returned", &what);
                shopkeeper.tell(tx, format!("attention:{intent_id}"), alert, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Err(returned())
}

pub fn returned() -> Error {
    Error::new(
        Code::IntentExpired,
        "We could not fulfil this payment, so it was refunded in full. We have sent you a mail about it.",
    )
}
