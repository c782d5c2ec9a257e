//! Releases an open checkout by command: cancels its payment at the provider and frees its stock.

use std::sync::Arc;

use super::alerts::{Shopkeeper, quoted_payment, raise_about_payment};
use super::checkout_state::{CheckoutState, CloseReason};
use super::finalize::finalize;
use super::provider::{Cancellation, Deadline};
use super::store::{self, StoredCheckout};
use super::webhook_events::ProcessedEvent;
use super::{sync, unknown_payment};
use crate::checkout::Checkout;
use crate::checkout::metrics::OrderSource;
use crate::error::{Code, Error};
use crate::orders::alerts::Alert;

/// What happens if the provider cannot cancel the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfCancelFails {
    /// The checkout stays open.
    Abort,
    /// The checkout is closed, and an alert is raised: the payment may have succeeded.
    CloseAnyway,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ReleaseResult {
    /// The payment was canceled, or there was none.
    Canceled,
    /// The payment had succeeded: the order's id.
    Ordered(String),
    /// The provider does not know the payment.
    Unknown,
    /// The payment's state is unknown.
    Unconfirmed,
}

/// Releases a checkout, by its own id or that of its payment intent.
///
/// # Errors
/// 404 for an unknown checkout, 409 for one that is not open, and the provider's error if it cannot cancel the payment.
pub async fn release(state: &Arc<Checkout>, id: &str, if_cancel_fails: IfCancelFails) -> Result<ReleaseResult, Error> {
    let checkout = store::find_by_any_id(state.db.read(), id).await?.ok_or_else(|| Error::not_found("Checkout"))?;
    if checkout.state != CheckoutState::Open {
        let message = format!("This checkout is not open: it is {}.", checkout.state.as_str());
        return Err(Error::new(Code::IntentExpired, message));
    }
    let no_event = ProcessedEvent::none();
    let Some(intent_id) = &checkout.payment_intent_id else {
        sync::close(state, &checkout, CloseReason::Released, &no_event).await?;
        return Ok(ReleaseResult::Canceled);
    };
    match state.provider.cancel_intent(Deadline::start(), intent_id).await {
        Ok(Cancellation::Canceled) => {
            sync::close(state, &checkout, CloseReason::Released, &no_event).await?;
            Ok(ReleaseResult::Canceled)
        }
        Ok(Cancellation::AlreadyPaid) => {
            let order = finalize(state, intent_id, &no_event, OrderSource::Reconciler).await?;
            Ok(ReleaseResult::Ordered(order.id))
        }
        Ok(Cancellation::Unknown) => {
            unknown_payment::close(state, &checkout, &no_event).await?;
            Ok(ReleaseResult::Unknown)
        }
        Err(_) if if_cancel_fails == IfCancelFails::CloseAnyway => {
            close_unconfirmed(state, &checkout).await?;
            Ok(ReleaseResult::Unconfirmed)
        }
        Err(error) => Err(error),
    }
}

async fn close_unconfirmed(state: &Arc<Checkout>, checkout: &StoredCheckout) -> Result<(), Error> {
    let args = (checkout.id.clone(), quoted_payment(checkout), Shopkeeper::of(state), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (id, quoted, shopkeeper, now)| {
            Box::pin(async move {
                if !store::close(tx, id, CloseReason::Released, *now).await? {
                    return Ok(());
                }
                let about = (quoted.payment.as_str(), "A checkout was released with an unconfirmed payment");
                let alert = Alert::PaymentUnconfirmed(quoted.clone());
                raise_about_payment(tx, shopkeeper, about, &alert, *now).await
            })
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(())
}
