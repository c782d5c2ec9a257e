//! The kind of an email, by the key that deduplicates it.

use serde::Serialize;
use utoipa::ToSchema;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EmailKind {
    /// Order confirmation.
    Receipt,
    /// Shipping confirmation.
    Shipment,
    Refund,
    /// Refund of a payment that could not become an order.
    PaymentRefund,
    /// Code for a sign-up or a new password.
    Code,
    AddressInUse,
    PasswordChanged,
    SessionsEnded,
    BackInStock,
    Other,
}

impl EmailKind {
    /// For display.
    pub fn label(self) -> &'static str {
        match self {
            Self::Receipt => "Order confirmation",
            Self::Shipment => "Shipping confirmation",
            Self::Refund | Self::PaymentRefund => "Refund",
            Self::Code => "Code",
            Self::AddressInUse => "Address in use",
            Self::PasswordChanged => "Password changed",
            Self::SessionsEnded => "Sessions ended",
            Self::BackInStock => "Back in stock",
            Self::Other => "Other",
        }
    }

    /// The kind, and the id of the order that the email is about.
    pub fn of(dedupe_key: &str) -> (Self, Option<&str>) {
        let mut parts = dedupe_key.split(':');
        let (word, subject) = (parts.next().unwrap_or_default(), parts.next());
        match word {
            "receipt" => (Self::Receipt, subject),
            "shipped" => (Self::Shipment, subject),
            "refunded" => (Self::Refund, subject),
            "returned" => (Self::PaymentRefund, None),
            "code" => (Self::Code, None),
            "address-in-use" => (Self::AddressInUse, None),
            "password-changed" => (Self::PasswordChanged, None),
            "sessions-ended" => (Self::SessionsEnded, None),
            "back-in-stock" | "back-in-stock-confirm" => (Self::BackInStock, None),
            _ => (Self::Other, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_about_an_order_names_it() {
        assert_eq!(EmailKind::of("receipt:o1"), (EmailKind::Receipt, Some("o1")));
        assert_eq!(EmailKind::of("receipt:o1:resent:m1"), (EmailKind::Receipt, Some("o1")));
        assert_eq!(EmailKind::of("shipped:o1:1Z99"), (EmailKind::Shipment, Some("o1")));
        assert_eq!(EmailKind::of("code:s1"), (EmailKind::Code, None));
        assert_eq!(EmailKind::of("something-new:o1"), (EmailKind::Other, None));
    }
}
