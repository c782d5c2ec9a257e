//! A payment intent that the provider does not know: its test data was deleted, or the keys are those of another
//! account. Nothing can be learned of it any more, so its checkout ends when its time is over.

use std::sync::Arc;

use super::alerts::{Alert, Shopkeeper};
use super::reserve::expired;
use super::store::{self, Checkout, CloseReason};
use super::webhook::Note;
use crate::http::error::{Code, Error};
use crate::shop::Shop;

/// Closes the checkout if its time is over. Until then the customer may still be paying, and the intent may turn up
/// once the right keys are set.
///
/// # Errors
/// 503 while it has time left.
pub async fn close_if_expired(shop: &Arc<Shop>, checkout: &Checkout, note: &Note) -> Result<(), Error> {
    if checkout.state == store::State::Open && checkout.expires_at > shop.clock.now_ms() {
        return Err(Error::new(
            Code::PaymentProviderUnavailable,
            "We could not find this payment at our payment provider. Please try again in a minute.",
        )
        .with_cause("the payment provider does not know this payment intent")
        .retry_after(30));
    }
    close(shop, checkout, note).await
}

/// Closes the checkout, releases its stock, and alerts the shopkeeper: with the keys of another account the payment
/// may have gone through.
pub async fn close(shop: &Arc<Shop>, checkout: &Checkout, note: &Note) -> Result<(), Error> {
    let (id, note, now) = (checkout.id.clone(), note.clone(), shop.clock.now_ms());
    let (shopkeeper, alert) = (Shopkeeper::of(shop), alert(checkout));
    shop.db
        .write_closure(move |tx| {
            let (id, note, shopkeeper, alert) = (id.clone(), note.clone(), shopkeeper.clone(), alert.clone());
            Box::pin(async move {
                note.write(tx).await?;
                if !store::close(tx, &id, CloseReason::UnknownIntent, now).await? {
                    return Ok(());
                }
                alert.raise(tx, &shopkeeper, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}

fn alert(checkout: &Checkout) -> Alert {
    Alert::about_payment(
        checkout,
        "A payment is unknown to the payment provider",
        "is unknown to the payment provider, so its checkout was closed without an order. Check whether it was paid in \
         another account, or with other keys, and refund it there.",
    )
}

/// What the customer is told of a closed checkout whose payment the provider does not know.
pub fn refusal(checkout: &Checkout) -> Error {
    match checkout.closed_reason {
        // The provider canceled these payments before it forgot them.
        Some(CloseReason::Replaced | CloseReason::NotPrepared | CloseReason::Expired | CloseReason::Canceled) => {
            expired()
        }
        Some(CloseReason::UnknownIntent | CloseReason::Released) | None => Error::new(
            Code::IntentExpired,
            "We could not find this payment at our payment provider, so it did not become an order. If you were \
             charged, please contact us before you pay again.",
        ),
    }
}
