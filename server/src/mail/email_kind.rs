//! The kind of an email.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmailKind {
    /// Order confirmation.
    Receipt,
    /// Shipping confirmation.
    Shipment,
    Refund,
    /// The customer's bank returned a refund.
    RefundFailed,
    /// Refund of a payment that could not become an order.
    PaymentRefund,
    /// Code for a sign-up, a login, a new password, or a new email address, or the notice that an administrator gets instead.
    Code,
    AddressInUse,
    PasswordChanged,
    /// The account's email address was changed, or the change was undone.
    EmailChanged,
    /// An administrator's second factor was set up, or a recovery code was used.
    SecondFactor,
    SessionsEnded,
    /// A passkey was added or removed.
    Passkey,
    /// A product is back in stock, or the request to confirm an address for this.
    BackInStock,
    /// To the shopkeeper: a new order.
    NewOrder,
    /// To the shopkeeper: an alert about an order or a payment, or about too many back-in-stock requests.
    Alert,
    /// To the shopkeeper: a dispute needs a response.
    DisputeReminder,
    /// To the shopkeeper: products that are low on stock.
    LowStock,
    /// To the shopkeeper: many wrong codes were entered.
    WrongCodes,
    /// Sent by a newer program that uses the same database.
    Other,
}

impl EmailKind {
    pub const ALL: [Self; 19] = [
        Self::Receipt,
        Self::Shipment,
        Self::Refund,
        Self::RefundFailed,
        Self::PaymentRefund,
        Self::Code,
        Self::AddressInUse,
        Self::PasswordChanged,
        Self::EmailChanged,
        Self::SecondFactor,
        Self::SessionsEnded,
        Self::Passkey,
        Self::BackInStock,
        Self::NewOrder,
        Self::Alert,
        Self::DisputeReminder,
        Self::LowStock,
        Self::WrongCodes,
        Self::Other,
    ];

    /// The kind in JSON and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Receipt => "receipt",
            Self::Shipment => "shipment",
            Self::Refund => "refund",
            Self::RefundFailed => "refund_failed",
            Self::PaymentRefund => "payment_refund",
            Self::Code => "code",
            Self::AddressInUse => "address_in_use",
            Self::PasswordChanged => "password_changed",
            Self::EmailChanged => "email_changed",
            Self::SecondFactor => "second_factor",
            Self::SessionsEnded => "sessions_ended",
            Self::Passkey => "passkey",
            Self::BackInStock => "back_in_stock",
            Self::NewOrder => "new_order",
            Self::Alert => "alert",
            Self::DisputeReminder => "dispute_reminder",
            Self::LowStock => "low_stock",
            Self::WrongCodes => "wrong_codes",
            Self::Other => "other",
        }
    }

    /// The kind of a word in the database.
    pub fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word).unwrap_or(Self::Other)
    }

    /// For display.
    pub fn label(self) -> &'static str {
        match self {
            Self::Receipt => "Order confirmation",
            Self::Shipment => "Shipping confirmation",
            Self::Refund | Self::PaymentRefund => "Refund",
            Self::RefundFailed => "Failed refund",
            Self::Code => "Code",
            Self::AddressInUse => "Address in use",
            Self::PasswordChanged => "Password changed",
            Self::EmailChanged => "Email address changed",
            Self::SecondFactor => "Two-factor authentication",
            Self::SessionsEnded => "Sessions ended",
            Self::Passkey => "Passkey",
            Self::BackInStock => "Back in stock",
            Self::NewOrder => "New order",
            Self::Alert => "Alert",
            Self::DisputeReminder => "Dispute reminder",
            Self::LowStock => "Low stock",
            Self::WrongCodes => "Wrong codes",
            Self::Other => "Email",
        }
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema as _;

    use super::*;

    #[test]
    fn every_kind_has_the_same_word_in_json_and_in_the_database() {
        let schema = serde_json::to_value(EmailKind::schema()).unwrap();
        let words: Vec<&str> = schema["enum"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        assert_eq!(words, EmailKind::ALL.map(EmailKind::as_str));
    }

    #[test]
    fn a_kind_is_read_as_it_was_written_and_a_newer_programs_is_another() {
        for kind in EmailKind::ALL {
            assert_eq!(EmailKind::of(kind.as_str()), kind);
        }
        assert_eq!(EmailKind::of("receipt:o1"), EmailKind::Other);
    }
}
