//! An administrator ends an open checkout by command: the payment is canceled at the provider, and its stock is free
//! again.

use std::sync::Arc;

use super::alerts::{Alert, Shopkeeper};
use super::finalize::finalize;
use super::provider::{Budget, Cancellation};
use super::store::{self, Checkout, CloseReason};
use super::webhook::Note;
use super::{reconcile, unknown_payment};
use crate::http::error::{Code, Error};
use crate::shop::Shop;

/// What to do when the provider cannot cancel the payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Leave the checkout as it is.
    Refuse,
    /// Close it, and alert the shopkeeper: it may have been paid.
    CloseAnyway,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Released {
    /// The provider canceled the payment, or there never was one.
    Canceled,
    /// It had been paid: the order's id.
    Ordered(String),
    /// The provider does not know the payment.
    Unknown,
    /// Nothing is known of the payment.
    Unconfirmed,
}

/// Ends a checkout, named by its own id or its payment intent's.
///
/// # Errors
/// 404 where there is none, 409 where it is not open, and whatever keeps the provider from canceling the payment.
pub async fn release(shop: &Arc<Shop>, id: &str, otherwise: Otherwise) -> Result<Released, Error> {
    let checkout = store::find_by_any_id(shop.db.read(), id).await?.ok_or_else(|| Error::not_found("Checkout"))?;
    if checkout.state != store::State::Open {
        let message = format!("This checkout is not open: it is {}.", checkout.state.word());
        return Err(Error::new(Code::IntentExpired, message));
    }
    let Some(intent_id) = &checkout.payment_intent_id else {
        reconcile::close(shop, &checkout, CloseReason::Released, &Note::none()).await?;
        return Ok(Released::Canceled);
    };
    match shop.provider.cancel_intent(Budget::start(), intent_id).await {
        Ok(Cancellation::Canceled) => {
            reconcile::close(shop, &checkout, CloseReason::Released, &Note::none()).await?;
            Ok(Released::Canceled)
        }
        Ok(Cancellation::AlreadyPaid) => {
            finalize(shop, intent_id, &Note::none()).await.map(|order| Released::Ordered(order.id))
        }
        Ok(Cancellation::Unknown) => {
            unknown_payment::close(shop, &checkout, &Note::none()).await?;
            Ok(Released::Unknown)
        }
        Err(_) if otherwise == Otherwise::CloseAnyway => {
            close_unconfirmed(shop, &checkout).await?;
            Ok(Released::Unconfirmed)
        }
        Err(error) => Err(error),
    }
}

async fn close_unconfirmed(shop: &Arc<Shop>, checkout: &Checkout) -> Result<(), Error> {
    let (id, now, shopkeeper) = (checkout.id.clone(), shop.clock.now_ms(), Shopkeeper::of(shop));
    let alert = Alert::about_payment(
        checkout,
        "A checkout was released while its payment was uncertain",
        "could not be canceled when an administrator released its checkout. Check at the payment provider whether it \
         was paid.",
    );
    shop.db
        .write_closure(move |tx| {
            let (id, shopkeeper, alert) = (id.clone(), shopkeeper.clone(), alert.clone());
            Box::pin(async move {
                if !store::close(tx, &id, CloseReason::Released, now).await? {
                    return Ok(());
                }
                alert.raise(tx, &shopkeeper, now).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}
