//! Errors that several steps of the checkout return.

use crate::error::details::{Details, PlacedOrder};
use crate::error::{Code, Error};

/// 409: the checkout is closed and its payment can no longer be made.
pub fn payment_expired() -> Error {
    Error::new(Code::IntentExpired, "This payment has expired. Nothing was charged. Please start the payment again.")
}

/// 409: the payment could not become an order, and the card's bank had charged it back already.
pub fn payment_charged_back() -> Error {
    Error::new(
        Code::IntentExpired,
        "We couldn’t fulfill this order. Its payment is disputed at the card’s bank, so we couldn’t refund it. The money \
         goes back to the card when the dispute ends.",
    )
}

/// 409: the payment could not become an order and was refunded.
pub fn payment_refunded() -> Error {
    Error::new(
        Code::IntentExpired,
        "We couldn’t fulfill this order, so we refunded your payment in full and sent you an email with the details.",
    )
}

/// 409: the payment has become an order, so it can't be made again or replaced.
pub fn already_paid(order_id: String) -> Error {
    Error::with_details(
        Details::IntentExpired(PlacedOrder { order_id }),
        "Your payment has already gone through. You can find the order in your account.",
    )
}
