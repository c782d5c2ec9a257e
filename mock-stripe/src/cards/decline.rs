//! Reasons for which a bank declines a card, with Stripe's codes and messages.

use serde::{Deserialize, Serialize};

/// Decline reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decline {
    Generic,
    InsufficientFunds,
    LostCard,
    StolenCard,
    ExpiredCard,
    IncorrectCvc,
    ProcessingError,
    VelocityExceeded,
    Fraudulent,
    /// Authentication is required, but the customer is off session.
    AuthenticationRequired,
}

impl Decline {
    /// Stripe's `code`.
    pub fn code(self) -> &'static str {
        match self {
            Self::ExpiredCard => "expired_card",
            Self::IncorrectCvc => "incorrect_cvc",
            Self::ProcessingError => "processing_error",
            Self::AuthenticationRequired => "authentication_required",
            _ => "card_declined",
        }
    }

    /// Stripe's `decline_code`.
    pub fn decline_code(self) -> &'static str {
        match self {
            Self::Generic => "generic_decline",
            Self::InsufficientFunds => "insufficient_funds",
            Self::LostCard => "lost_card",
            Self::StolenCard => "stolen_card",
            Self::ExpiredCard => "expired_card",
            Self::IncorrectCvc => "incorrect_cvc",
            Self::ProcessingError => "processing_error",
            Self::VelocityExceeded => "card_velocity_exceeded",
            Self::Fraudulent => "fraudulent",
            Self::AuthenticationRequired => "authentication_required",
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::Generic | Self::LostCard | Self::StolenCard | Self::Fraudulent => "Your card was declined.",
            Self::InsufficientFunds => "Your card has insufficient funds.",
            Self::AuthenticationRequired => "Your card was declined. This transaction requires authentication.",
            Self::ExpiredCard => "Your card has expired.",
            Self::IncorrectCvc => "Your card's security code is incorrect.",
            Self::ProcessingError => "An error occurred while processing your card. Try again in a little bit.",
            Self::VelocityExceeded => {
                "Your card was declined for making repeated attempts too frequently or exceeding its amount limit."
            }
        }
    }

    /// The invalid parameter, if any.
    pub fn param(self) -> Option<&'static str> {
        match self {
            Self::ExpiredCard => Some("exp_month"),
            Self::IncorrectCvc => Some("cvc"),
            _ => None,
        }
    }

    /// Whether Stripe Radar blocks the payment before it reaches the bank.
    pub fn is_blocked(self) -> bool {
        self == Self::Fraudulent
    }
}
