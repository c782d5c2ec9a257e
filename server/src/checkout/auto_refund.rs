//! Automatic refund of a payment that cannot become an order.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;

use super::alerts::Shopkeeper;
use super::errors::payment_refunded;
use super::provider::{Deadline, Intent};
use super::store::{self, Checkout};
use super::webhook_events::ProcessedEvent;
use crate::http::error::Error;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

struct AutoRefund {
    checkout: Checkout,
    intent_id: String,
    amount: Cents,
    /// A message for the customer and the shopkeeper.
    reason: String,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

/// Refunds the payment, releases the reserved stock, and emails the customer and the shopkeeper. Returns the error for
/// the caller's response.
///
/// # Errors
/// When the refund fails: nothing is written, and a retry refunds at most once.
pub async fn auto_refund(
    shop: &Arc<Shop>,
    deadline: Deadline,
    checkout: &Checkout,
    intent: &Intent,
    reason: String,
    event: &ProcessedEvent,
) -> Result<Error, Error> {
    let remaining = intent.amount_received.checked_sub(intent.refunded.unwrap_or(Cents::ZERO))?;
    if remaining > Cents::ZERO {
        let key = format!("return:{}", checkout.id);
        shop.provider.refund(deadline, &intent.id, remaining, &key).await?;
    }
    tracing::error!(checkout = checkout.id, intent = intent.id, reason, "payment refunded: it cannot become an order");
    let refund = AutoRefund {
        checkout: checkout.clone(),
        intent_id: intent.id.clone(),
        amount: intent.amount_received,
        reason,
        shopkeeper: Shopkeeper::of(shop),
        event: event.clone(),
        now: shop.clock.now_ms(),
    };
    shop.db.write(refund, |tx, refund| Box::pin(write(tx, refund))).await?;
    shop.mail_enqueued.notify_one();
    Ok(payment_refunded())
}

async fn write(tx: &mut AnyConnection, refund: &AutoRefund) -> Result<(), Error> {
    refund.event.mark(tx).await?;
    let checkout_id = &refund.checkout.id;
    let is_first = store::release(tx, checkout_id, store::State::Refunded).await?
        || store::change_state(tx, checkout_id, store::State::Closed, store::State::Refunded).await?;
    if !is_first {
        return Ok(());
    }
    let AutoRefund { intent_id, amount, reason, shopkeeper, now, .. } = refund;
    let message = format!("Payment {intent_id} of {amount} was refunded. {reason}");
    store::insert_alert(tx, intent_id, &message, *now).await?;
    let to_customer = OutgoingMail {
        dedupe_key: format!("returned:{checkout_id}"),
        to: refund.checkout.user_email.clone(),
        mail: app::mail::payment_returned(&shopkeeper.mail_shop, *amount, reason),
    };
    outbox::enqueue(tx, *now, to_customer).await?;
    let alert = app::mail::attention(&shopkeeper.mail_shop, "A payment was refunded automatically", &message);
    shopkeeper.notify(tx, format!("attention:{intent_id}"), alert, *now).await
}
