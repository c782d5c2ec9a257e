//! Refunds of payments that became no order: the customer's bank may return them as well. Then the shopkeeper gets an
//! alert, and the customer an email.

use std::sync::Arc;

use sqlx::AnyConnection;
use wasm_core::money::Cents;

use crate::checkout::Checkout;
use crate::checkout::alerts::{Shopkeeper, raise_about_payment};
use crate::checkout::checkout_state::CheckoutState;
use crate::checkout::provider::{Deadline, Refund};
use crate::checkout::store as checkouts;
use crate::checkout::webhook_events::{Handled, ProcessedEvent};
use crate::error::Error;
use crate::mail::EmailKind;
use crate::mail::outbox::{self, OutgoingMail};
use crate::orders::alerts::{Alert, store as alerts};

struct Failed {
    intent_id: String,
    /// The customer. None if the database lost the checkout.
    email: Option<String>,
    refunds: Vec<Refund>,
    shopkeeper: Shopkeeper,
    event: ProcessedEvent,
    now: i64,
}

/// Records the refunds of a payment without an order that failed, with the one of an event, which the list may not show
/// yet. Payments of others are left alone.
pub async fn sync_failed(
    state: &Arc<Checkout>,
    deadline: Deadline,
    intent_id: &str,
    reported: Option<Refund>,
    event: &ProcessedEvent,
) -> Result<Handled, Error> {
    let checkout = checkouts::find_by_intent(state.db.read(), intent_id).await?;
    let is_refunded = match &checkout {
        Some(checkout) => checkout.state == CheckoutState::Refunded,
        None => alerts::has_payment(state.db.read(), intent_id).await?,
    };
    if !is_refunded {
        return Ok(Handled::Unmarked);
    }
    let mut refunds = state.provider.list_refunds_of(deadline, intent_id).await?;
    refunds.retain(|refund| refund.is_failed);
    let is_new = |reported: &Refund| !refunds.iter().any(|refund| refund.id == reported.id);
    let reported = reported.filter(|reported| reported.amount > Cents::ZERO && is_new(reported));
    refunds.extend(reported);
    let failed = Failed {
        intent_id: intent_id.to_owned(),
        email: checkout.map(|checkout| checkout.user_email),
        refunds,
        shopkeeper: Shopkeeper::of(state),
        event: event.clone(),
        now: state.clock.now_ms(),
    };
    state.db.write(failed, |tx, failed| Box::pin(record_all(tx, failed))).await?;
    state.mail_enqueued.notify_one();
    Ok(Handled::Marked)
}

async fn record_all(tx: &mut AnyConnection, failed: &Failed) -> Result<(), Error> {
    failed.event.mark(tx).await?;
    for Refund { id, amount, .. } in &failed.refunds {
        let refund_id = id.clone().unwrap_or_default();
        let alert = Alert::PaymentRefundFailed {
            payment: failed.intent_id.clone(),
            refund_id: refund_id.clone(),
            amount: *amount,
        };
        // An administrator may have resolved it.
        if alerts::was_raised(tx, &alert).await? {
            continue;
        }
        let about = (failed.intent_id.as_str(), "An automatic refund failed");
        raise_about_payment(tx, &failed.shopkeeper, about, &alert, failed.now).await?;
        tell_customer(tx, failed, &refund_id, *amount).await?;
    }
    Ok(())
}

async fn tell_customer(tx: &mut AnyConnection, failed: &Failed, refund_id: &str, amount: Cents) -> Result<(), Error> {
    let Some(to) = failed.email.clone() else { return Ok(()) };
    let mail = OutgoingMail {
        kind: EmailKind::PaymentRefund,
        order_id: None,
        dedupe_key: format!("payment_refund_failed:{refund_id}"),
        to,
        mail: app::mail::payment_refund_failed(&failed.shopkeeper.mail_shop, amount),
    };
    outbox::enqueue(tx, failed.now, mail).await
}
