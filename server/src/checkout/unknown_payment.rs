//! Payment intents that the provider does not know: its test data was deleted, or the keys belong to another account.
//! Their checkouts are closed when they expire.

use std::sync::Arc;

use super::alerts::{Shopkeeper, quoted_payment, raise_about_payment};
use super::checkout_state::{CheckoutState, CloseReason};
use super::errors::payment_expired;
use super::store::{self, StoredCheckout};
use super::webhook_events::ProcessedEvent;
use crate::checkout::Checkout;
use crate::error::{Code, Error};
use crate::orders::alerts::Alert;

/// Closes the checkout if it has expired. Until then the customer may still be paying, and the intent may be found once
/// the right keys are configured.
///
/// # Errors
/// 503 before the checkout expires.
pub async fn close_if_expired(
    state: &Arc<Checkout>,
    checkout: &StoredCheckout,
    event: &ProcessedEvent,
) -> Result<(), Error> {
    if checkout.state == CheckoutState::Open && checkout.expires_at > state.clock.now_ms() {
        return Err(Error::new(
            Code::PaymentProviderUnavailable,
            "We couldn’t find this payment at our payment provider. Please try again in a minute.",
        )
        .with_cause("the payment provider does not know this payment intent")
        .retry_after(30));
    }
    close(state, checkout, event).await
}

/// Closes the checkout, releases its stock and raises an alert: if the keys belong to another account, the payment may
/// have succeeded there.
pub async fn close(state: &Arc<Checkout>, checkout: &StoredCheckout, event: &ProcessedEvent) -> Result<(), Error> {
    let args =
        (checkout.id.clone(), quoted_payment(checkout), Shopkeeper::of(state), event.clone(), state.clock.now_ms());
    state
        .db
        .write(args, |tx, (id, quoted, shopkeeper, event, now)| {
            Box::pin(async move {
                event.mark(tx).await?;
                if !store::close(tx, id, CloseReason::UnknownIntent, *now).await? {
                    return Ok(());
                }
                let about = (quoted.payment.as_str(), "A payment is unknown to the payment provider");
                let alert = Alert::PaymentUnknown(quoted.clone());
                raise_about_payment(tx, shopkeeper, about, &alert, *now).await
            })
        })
        .await?;
    state.mail_enqueued.notify_one();
    Ok(())
}

/// The customer's error for a closed checkout whose payment the provider does not know.
pub fn error_for(checkout: &StoredCheckout) -> Error {
    match checkout.closed_reason {
        // The provider canceled these payments before it lost them.
        Some(CloseReason::Replaced | CloseReason::NotPrepared | CloseReason::Expired | CloseReason::Canceled) => {
            payment_expired()
        }
        Some(CloseReason::UnknownIntent | CloseReason::Released) | None => Error::new(
            Code::IntentExpired,
            "We couldn’t find this payment at our payment provider, so it didn’t become an order. If you were \
             charged, please contact us before you pay again.",
        ),
    }
}
