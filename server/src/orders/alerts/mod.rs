//! Alerts: what an administrator must look at, about an order or about a payment without one. Their messages are made
//! when they are read.

mod no_order;
pub mod store;

use serde::{Deserialize, Serialize};
use wasm_core::money::Cents;
use wasm_core::orders::{OrderAlert, display_date};

pub use self::no_order::NoOrderReason;
use crate::db::tagged::{Tagged, whole_cents};
use crate::error::Error;
use crate::infra::clock::rfc3339;
use crate::time_zone::ShopZone;

/// The cause of an alert. Its words and data are stored: a variant may be added, and never change its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum Alert {
    InquiryOpened {
        dispute_id: String,
    },
    DisputeOpened {
        dispute_id: String,
        #[serde(flatten)]
        claim: DisputeClaim,
    },
    DisputeLost {
        dispute_id: String,
    },
    /// An early fraud warning of the card's issuer.
    FraudWarning {
        warning_id: String,
        /// The provider's code, such as `made_with_stolen_card`.
        fraud_type: String,
    },
    RefundFailed {
        /// The provider's.
        refund_id: String,
    },
    TaxRecordFailed {
        reference: String,
        /// The refund in cents, negative if it failed; none for the sale itself.
        reversed: Option<i64>,
    },
    /// A payment that could not become an order, and was refunded.
    PaymentRefunded {
        payment: String,
        #[serde(with = "whole_cents")]
        amount: Cents,
        #[serde(flatten)]
        reason: NoOrderReason,
    },
    /// A payment that could not become an order, and had been charged back.
    PaymentChargedBack {
        payment: String,
        #[serde(with = "whole_cents")]
        amount: Cents,
        #[serde(flatten)]
        reason: NoOrderReason,
    },
    /// The refund of a payment without an order, which the customer's bank returned.
    PaymentRefundFailed {
        payment: String,
        /// The provider's.
        refund_id: String,
        #[serde(with = "whole_cents")]
        amount: Cents,
    },
    PaymentUnknown(QuotedPayment),
    /// A checkout was released although its payment could not be canceled.
    PaymentUnconfirmed(QuotedPayment),
    /// An event about a dispute or an early fraud warning that the provider does not know.
    UnknownReport {
        object_id: String,
        payment: String,
    },
    /// A payment that the database lost.
    PaymentLost {
        payment: String,
        #[serde(with = "whole_cents")]
        amount: Cents,
    },
}

/// What a dispute is about, as far as the provider reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DisputeClaim {
    /// `Visa ending in 4242`
    pub card: Option<String>,
    /// In cents.
    pub amount: Option<i64>,
    /// The provider's code, such as `product_not_received`.
    pub reason: Option<String>,
    /// The end of the time for a response, in RFC 3339 with the offset of the shop's time zone.
    pub respond_by: Option<String>,
}

impl DisputeClaim {
    /// `Visa ending in 4242 disputes $51.23 as fraudulent. Respond by 12/02/2026.`
    fn describe(&self) -> String {
        let card = self.card.as_deref().unwrap_or("The customer");
        let amount = self.amount.map_or("the payment".to_owned(), |cents| Cents::from_cents(cents).to_string());
        let reason = self.reason.as_deref().filter(|code| *code != "general");
        let reason = reason.map(|code| format!(" as {}", code.replace('_', " "))).unwrap_or_default();
        let day = self.respond_by.as_deref().map(|end| format!(" Respond by {}.", display_date(end)));
        format!("{card} disputes {amount}{reason}.{}", day.unwrap_or_default())
    }
}

/// A payment that was quoted and may have succeeded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedPayment {
    pub payment: String,
    /// In cents.
    pub total: Option<i64>,
    pub email: String,
}

impl QuotedPayment {
    /// `Payment pi_1 of $59.80 by ada@example.com`
    fn describe(&self) -> String {
        let total = self.total.map(|total| format!(" of {}", Cents::from_cents(total))).unwrap_or_default();
        format!("Payment {}{total} by {}", self.payment, self.email)
    }
}

impl Alert {
    /// The alert as a message for administrators.
    pub fn message(&self) -> String {
        match self {
            Self::InquiryOpened { dispute_id } => {
                format!("The customer’s bank opened an inquiry about the payment ({dispute_id}).")
            }
            Self::DisputeOpened { dispute_id: _, claim } => claim.describe(),
            Self::DisputeLost { dispute_id } => {
                format!("The dispute was lost and the payment was reversed ({dispute_id}).")
            }
            Self::FraudWarning { warning_id, fraud_type } => fraud_warning_message(warning_id, fraud_type),
            Self::RefundFailed { refund_id } => {
                format!("The bank returned a refund. The customer hasn’t been paid. ({refund_id})")
            }
            Self::TaxRecordFailed { reference: _, reversed: None } => {
                "The tax of this sale couldn’t be recorded at the payment provider.".to_owned()
            }
            Self::TaxRecordFailed { reference: _, reversed: Some(..0) } => {
                "The tax of a refund that failed couldn’t be recorded again at the payment provider.".to_owned()
            }
            Self::TaxRecordFailed { reference: _, reversed: Some(amount) } => {
                let amount = Cents::from_cents(*amount);
                format!("The tax reversal for the refund of {amount} couldn’t be recorded at the payment provider.")
            }
            Self::PaymentRefunded { payment, amount, reason } => {
                format!("Payment {payment} of {amount} was refunded. {}", reason.message())
            }
            Self::PaymentChargedBack { payment, amount, reason } => format!(
                "Payment {payment} of {amount} was charged back by the customer’s bank. {} If you win the dispute, \
                 refund the payment at the payment provider.",
                reason.message()
            ),
            Self::PaymentRefundFailed { payment, refund_id, amount } => format!(
                "The refund of {amount} for payment {payment}, which has no order, failed at the customer’s bank \
                 ({refund_id}). Refund it again at the payment provider, or pay the customer another way."
            ),
            Self::PaymentUnknown(payment) => format!(
                "{} is unknown to the payment provider, so its checkout was closed without an order. Check whether it \
                 was paid in another account, or with other keys, and refund it there.",
                payment.describe()
            ),
            Self::PaymentUnconfirmed(payment) => format!(
                "{} couldn’t be canceled when an administrator released its checkout. Check at the payment provider \
                 whether it was paid.",
                payment.describe()
            ),
            Self::UnknownReport { object_id, payment } => format!(
                "An event about payment {payment} named {object_id}, which the payment provider doesn’t know. It changed \
                 nothing. If this repeats, replace the webhook’s signing secret."
            ),
            Self::PaymentLost { payment, amount } => format!(
                "Payment {payment} of {amount} was missing in the shop’s database. The shop makes its order again, or \
                 refunds it if its account or items are gone. Check that it did, and that nothing else is missing."
            ),
        }
    }

    /// The id of the cause, unique among the alerts of a kind.
    fn cause(&self) -> &str {
        match self {
            Self::InquiryOpened { dispute_id }
            | Self::DisputeOpened { dispute_id, .. }
            | Self::DisputeLost { dispute_id } => dispute_id,
            Self::FraudWarning { warning_id, .. } => warning_id,
            Self::RefundFailed { refund_id } | Self::PaymentRefundFailed { refund_id, .. } => refund_id,
            Self::TaxRecordFailed { reference, .. } => reference,
            Self::PaymentRefunded { payment, .. } | Self::PaymentChargedBack { payment, .. } => payment,
            Self::PaymentUnknown(QuotedPayment { payment, .. })
            | Self::PaymentUnconfirmed(QuotedPayment { payment, .. })
            | Self::PaymentLost { payment, .. } => payment,
            Self::UnknownReport { object_id, .. } => object_id,
        }
    }

    /// Deduplication key: one open alert, and one email, for each cause.
    ///
    /// # Errors
    /// None in practice: every alert has a kind.
    pub fn key(&self) -> Result<String, Error> {
        Ok(format!("{}:{}", Tagged::of(self)?.kind, self.cause()))
    }
}

pub(super) fn fraud_warning_message(warning_id: &str, fraud_type: &str) -> String {
    let kind = fraud_type.replace('_', " ");
    format!("The card issuer suspects fraud ({kind}). Don’t ship. A full refund avoids a dispute. ({warning_id})")
}

/// An unresolved alert.
#[derive(Clone, Debug)]
pub struct OpenAlert {
    pub id: String,
    /// The word of its kind.
    pub kind: String,
    pub alert: Alert,
    pub created_at: i64,
}

impl OpenAlert {
    /// The alert on the page of its order.
    pub fn view(&self, zone: ShopZone) -> OrderAlert {
        OrderAlert {
            id: self.id.clone(),
            kind: self.kind.clone(),
            message: self.alert.message(),
            created_at: rfc3339(self.created_at),
            created_at_local: zone.local(self.created_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::tagged::from_columns;

    #[test]
    fn a_dispute_is_described_as_far_as_it_is_known() {
        let opened = |claim| Alert::DisputeOpened { dispute_id: "du_1".to_owned(), claim };
        let known = opened(DisputeClaim {
            card: Some("Visa ending in 0259".to_owned()),
            amount: Some(5_123),
            reason: Some("product_not_received".to_owned()),
            respond_by: Some("2026-12-02T18:59:59-05:00".to_owned()),
        });
        let described = "Visa ending in 0259 disputes $51.23 as product not received. Respond by 12/02/2026.";
        assert_eq!(known.message(), described);
        assert_eq!(opened(DisputeClaim::default()).message(), "The customer disputes the payment.");
        let stored = Tagged::of(&known).unwrap();
        assert_eq!(from_columns::<Alert>(&stored.kind, &stored.data).unwrap(), known);
        assert_eq!(known.key().unwrap(), "dispute_opened:du_1");
    }

    #[test]
    fn an_alert_is_read_as_it_was_written_and_its_key_names_kind_and_cause() {
        let reason = NoOrderReason::OtherAmount { paid: Cents::from_cents(1_000) };
        let amount = Cents::from_cents(5_980);
        let refunded = Alert::PaymentRefunded { payment: "pi_1".to_owned(), amount, reason };
        let tagged = Tagged::of(&refunded).unwrap();
        assert_eq!(tagged.data, r#"{"amount":5980,"paid":1000,"payment":"pi_1","reason":"other_amount"}"#);
        assert_eq!(from_columns::<Alert>(&tagged.kind, &tagged.data).unwrap(), refunded);
        assert_eq!(refunded.key().unwrap(), "payment_refunded:pi_1");
        assert_eq!(
            refunded.message(),
            "Payment pi_1 of $59.80 was refunded. You paid $10.00, which doesn’t match the order total."
        );
    }
}
