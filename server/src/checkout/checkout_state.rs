//! The states of a checkout, as stored.

use crate::error::Error;

/// What became of a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutState {
    /// Reserved, may be paid.
    Open,
    /// An order exists.
    Ordered,
    /// Canceled or expired, stock released.
    Closed,
    /// Paid, but could not become an order: refunded automatically.
    Refunded,
    /// Like refunded, but the card's bank had charged the payment back.
    ChargedBack,
}

impl CheckoutState {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Ordered => "ordered",
            Self::Closed => "closed",
            Self::Refunded => "refunded",
            Self::ChargedBack => "charged_back",
        }
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        [Self::Open, Self::Ordered, Self::Closed, Self::Refunded, Self::ChargedBack]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| Error::internal(format!("unknown checkout state {text}")))
    }
}

/// Why a checkout was closed without an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The customer changed the cart or the address.
    Replaced,
    /// The tax calculation or the payment intent failed.
    NotPrepared,
    /// It expired, and the payment was canceled.
    Expired,
    /// The payment was canceled at the provider.
    Canceled,
    /// The provider does not know the payment.
    UnknownIntent,
    /// An administrator released it by command.
    Released,
}

impl CloseReason {
    const ALL: [Self; 6] =
        [Self::Replaced, Self::NotPrepared, Self::Expired, Self::Canceled, Self::UnknownIntent, Self::Released];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::NotPrepared => "not_prepared",
            Self::Expired => "expired",
            Self::Canceled => "canceled",
            Self::UnknownIntent => "unknown_intent",
            Self::Released => "released",
        }
    }

    pub fn parse(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text)
            .ok_or_else(|| Error::internal(format!("unknown close reason {text}")))
    }
}
