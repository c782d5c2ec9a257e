//! Automatic refund of a payment that cannot become an order.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;

use super::alerts::{self, Shopkeeper};
use super::checkout_state::CheckoutState;
use super::confirmation;
use super::errors::{payment_charged_back, payment_refunded};
use super::provider::{Deadline, Intent, RefundError};
use super::store::{self, StoredCheckout};
use super::webhook_events::ProcessedEvent;
use crate::checkout::Checkout;
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::orders::alerts::{Alert, NoOrderReason};

/// Where the result of a refund is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Record {
    /// In the checkout, and in an alert.
    Checkout,
    /// In an alert only: the database lost the checkout.
    Lost,
}

struct AutoRefund {
    record: Record,
    checkout: StoredCheckout,
    intent_id: String,
    amount: Cents,
    reason: NoOrderReason,
    /// Whether the customer's bank has charged the payment back, so that the shop can't refund it.
    is_charged_back: bool,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

/// Refunds the payment, releases the reserved stock, and emails the customer and the shopkeeper. Returns the error for
/// the caller's response. A payment that the customer's bank has charged back isn't refunded, and only the shopkeeper
/// gets an email.
///
/// # Errors
/// When the refund fails, or this may be a copy of the shop: nothing is written, and a retry refunds at most once.
pub async fn auto_refund(
    state: &Arc<Checkout>,
    deadline: Deadline,
    checkout: &StoredCheckout,
    intent: &Intent,
    reason: NoOrderReason,
    event: &ProcessedEvent,
    record: Record,
) -> Result<Error, Error> {
    confirmation::require(state).await?;
    let remaining = intent.amount_received.checked_sub(intent.refunded.unwrap_or(Cents::ZERO))?;
    let mut is_charged_back = false;
    if remaining > Cents::ZERO {
        // A refund in the provider's dashboard may come first and change the amount. The provider rejects a known id with
        // another amount, and never refunds more than was paid.
        let id = format!("return:{}:{}", checkout.id, remaining.cents());
        match state.provider.refund(deadline, &intent.id, remaining, &id).await {
            Ok(_) => {}
            Err(RefundError::ChargedBack(_)) => is_charged_back = true,
            Err(error) => return Err(error.into_unavailable()),
        }
    }
    tracing::error!(
        checkout = checkout.id,
        intent = intent.id,
        reason = reason.message(),
        is_charged_back,
        "payment cannot become an order"
    );
    let refund = AutoRefund {
        record,
        checkout: checkout.clone(),
        intent_id: intent.id.clone(),
        amount: intent.amount_received,
        reason,
        is_charged_back,
        shopkeeper: Shopkeeper::of(state),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(refund, |tx, refund| Box::pin(write(tx, refund))).await?;
    state.mail_enqueued.notify_one();
    Ok(if is_charged_back { payment_charged_back() } else { payment_refunded() })
}

async fn write(tx: &mut AnyConnection, refund: &AutoRefund) -> Result<(), Error> {
    refund.event.mark(tx).await?;
    let checkout_id = &refund.checkout.id;
    let state = if refund.is_charged_back { CheckoutState::ChargedBack } else { CheckoutState::Refunded };
    let is_first = refund.record == Record::Lost
        || store::release(tx, checkout_id, state).await?
        || store::change_state(tx, checkout_id, CheckoutState::Closed, state).await?;
    if !is_first {
        return Ok(());
    }
    let AutoRefund { checkout, intent_id, amount, reason, is_charged_back, shopkeeper, now, .. } = refund;
    let (payment, amount, reason) = (intent_id.clone(), *amount, reason.clone());
    let message = reason.message();
    let (subject, alert) = if *is_charged_back {
        ("A disputed payment did not become an order", Alert::PaymentChargedBack { payment, amount, reason })
    } else {
        ("A payment was refunded automatically", Alert::PaymentRefunded { payment, amount, reason })
    };
    alerts::raise_about_payment(tx, shopkeeper, (intent_id, subject), &alert, *now).await?;
    if !is_charged_back {
        let to_customer = OutgoingMail {
            kind: EmailKind::PaymentRefund,
            order_id: None,
            dedupe_key: format!("returned:{checkout_id}"),
            to: checkout.user_email.clone(),
            mail: app::mail::payment_refunded(&shopkeeper.mail_shop, amount, &message),
        };
        outbox::enqueue(tx, *now, to_customer).await?;
    }
    Ok(())
}
