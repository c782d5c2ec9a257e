//! The history of an order: events as data. Their messages are made when they are read.

pub mod store;

use serde::{Deserialize, Serialize};
use wasm_core::money::Cents;
use wasm_core::orders::{HistoryEntry, HoldReason, OrderStatus, display_date};

use super::alerts::{self, Alert};
use crate::db::tagged::{Tagged, whole_cents};
use crate::error::Error;
use crate::infra::clock::rfc3339;
use crate::mail::EmailKind;
use crate::time_zone::ShopZone;

/// What happened to an order. Its words and data are stored: a variant may be added, and never change its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "snake_case")]
pub enum HistoryEvent {
    Placed,
    /// The database had lost the purchase, and the payment told of it.
    Recovered,
    StatusChanged {
        from: OrderStatus,
        to: OrderStatus,
    },
    AddressChanged,
    TrackingNumberSet {
        number: String,
    },
    TrackingNumberRemoved,
    EmailSent {
        email: EmailKind,
        subject: String,
    },
    EmailResent {
        email: EmailKind,
        subject: String,
    },
    Refunded {
        #[serde(with = "whole_cents")]
        amount: Cents,
        /// Empty for all items of the order, and for an amount.
        items: Vec<Units>,
        /// Whether it was made at the payment provider, not in the shop.
        at_provider: bool,
    },
    /// The customer's bank returned a refund.
    RefundFailed {
        #[serde(with = "whole_cents")]
        amount: Cents,
        /// The provider's.
        refund_id: String,
        /// The provider's word, such as `expired_or_canceled_card`.
        reason: Option<String>,
    },
    /// A failed refund was paid outside the payment provider.
    RefundedOutside {
        #[serde(with = "whole_cents")]
        amount: Cents,
        /// As in `2026-12-24`, in the shop's time zone.
        day: String,
        note: Option<String>,
    },
    Restocked {
        /// Empty for all items of the order.
        items: Vec<Units>,
    },
    /// The stock limit was reached.
    NotRestocked {
        products: Vec<String>,
    },
    AlertRaised(Alert),
    AlertResolved(Alert),
    /// An early fraud warning about a payment that was already refunded or disputed.
    FraudWarningReported {
        warning_id: String,
        fraud_type: String,
    },
    FraudWarningSettled {
        warning_id: String,
    },
    DisputeWon {
        dispute_id: String,
    },
    InquiryEnded {
        dispute_id: String,
    },
    DisputeFundsWithdrawn {
        dispute_id: String,
        #[serde(with = "whole_cents")]
        amount: Cents,
    },
    DisputeEvidenceSubmitted {
        dispute_id: String,
    },
    DisputeFundsReturned {
        dispute_id: String,
        #[serde(with = "whole_cents")]
        amount: Cents,
    },
    /// The next change was made while the order was on hold.
    WasOnHold {
        reason: HoldReason,
    },
    /// An administrator ships the order anyway.
    HoldReleased {
        reason: HoldReason,
    },
    /// An internal note of an administrator.
    Note {
        text: String,
    },
}

/// A number of units of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Units {
    pub product_name: String,
    pub quantity: i64,
}

/// A stored event of an order.
#[derive(Clone, Debug)]
pub struct Entry {
    pub created_at: i64,
    pub actor: String,
    pub event: HistoryEvent,
}

impl Entry {
    /// The entry as administrators see it.
    ///
    /// # Errors
    /// None in practice: every event has a kind.
    pub fn view(&self, zone: ShopZone) -> Result<HistoryEntry, Error> {
        Ok(HistoryEntry {
            created_at: rfc3339(self.created_at),
            created_at_local: zone.local(self.created_at),
            actor: self.actor.clone(),
            kind: Tagged::of(&self.event)?.kind,
            message: self.event.message(),
            is_note: matches!(self.event, HistoryEvent::Note { .. }),
        })
    }
}

impl HistoryEvent {
    /// Whether it is about the shop's own work and not about the sale.
    pub fn is_internal(&self) -> bool {
        matches!(self, Self::Note { .. } | Self::WasOnHold { .. } | Self::HoldReleased { .. })
    }

    /// The event as a message for administrators, or the text of a note.
    pub fn message(&self) -> String {
        match self {
            Self::Placed => "Order placed and paid".to_owned(),
            Self::Recovered => "Recovered from its payment: the shop’s database had lost the purchase".to_owned(),
            Self::StatusChanged { from, to } => format!("Status changed from {} to {}", from.as_str(), to.as_str()),
            Self::AddressChanged => "Shipping address changed".to_owned(),
            Self::TrackingNumberSet { number } => format!("Tracking number set to {number}"),
            Self::TrackingNumberRemoved => "Tracking number removed".to_owned(),
            Self::EmailSent { email: _, subject } => format!("Email to customer: {subject}"),
            Self::EmailResent { email: _, subject } => format!("Email sent again to customer: {subject}"),
            Self::Refunded { amount, items: _, at_provider: true } => {
                format!("{amount} refunded at the payment provider")
            }
            Self::Refunded { amount, items, .. } if items.is_empty() => format!("{amount} refunded"),
            Self::Refunded { amount, items, .. } => format!("{amount} refunded for {}", list(items)),
            Self::RefundFailed { amount, refund_id, reason } => {
                let reason = reason.as_ref().map(|reason| format!(": {}", reason.replace('_', " ")));
                let reason = reason.unwrap_or_default();
                format!("{amount} was returned by the customer’s bank{reason} ({refund_id}).")
            }
            Self::RefundedOutside { amount, day, note } => {
                let note = note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
                format!("{amount} refunded outside the payment provider on {}{note}", display_date(day))
            }
            Self::Restocked { items } if items.is_empty() => "Items restocked".to_owned(),
            Self::Restocked { items } => format!("Items restocked: {}", list(items)),
            Self::NotRestocked { products } => format!("Not restocked (stock limit reached): {}", products.join(", ")),
            Self::AlertRaised(alert) => alert.message(),
            Self::AlertResolved(alert) => format!("Resolved: {}", alert.message()),
            Self::FraudWarningReported { warning_id, fraud_type } => {
                alerts::fraud_warning_message(warning_id, fraud_type)
            }
            Self::FraudWarningSettled { warning_id } => {
                format!("The early fraud warning needs no action anymore ({warning_id}).")
            }
            Self::DisputeWon { dispute_id } => format!("The dispute was won ({dispute_id})."),
            Self::InquiryEnded { dispute_id } => {
                format!("The bank’s inquiry ended without a dispute ({dispute_id}).")
            }
            Self::DisputeFundsWithdrawn { dispute_id, amount } => {
                format!("The bank withdrew {amount} for the dispute ({dispute_id}).")
            }
            Self::DisputeEvidenceSubmitted { dispute_id } => {
                format!("Evidence was submitted to the bank ({dispute_id}).")
            }
            Self::DisputeFundsReturned { dispute_id, amount } => {
                format!("The bank returned {amount} ({dispute_id}).")
            }
            Self::WasOnHold { reason } => format!("The order was on hold: {reason}"),
            Self::HoldReleased { reason } => format!("Released from hold to ship anyway: {reason}"),
            Self::Note { text } => text.clone(),
        }
    }
}

/// `2 × Nudgelight One, 1 × Nudgelight Halo`
fn list(items: &[Units]) -> String {
    let items = items.iter().map(|Units { product_name, quantity }| format!("{quantity} × {product_name}"));
    items.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refund_says_its_items_unless_they_are_all_or_it_was_made_at_the_provider() {
        let one = Units { product_name: "Nudgelight One".to_owned(), quantity: 2 };
        let message = |items: &[Units], at_provider| {
            HistoryEvent::Refunded { amount: Cents::from_cents(4_998), items: items.to_vec(), at_provider }.message()
        };
        assert_eq!(message(std::slice::from_ref(&one), false), "$49.98 refunded for 2 × Nudgelight One");
        assert_eq!(message(&[], false), "$49.98 refunded");
        assert_eq!(message(&[one], true), "$49.98 refunded at the payment provider");
    }
}
