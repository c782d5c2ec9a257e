//! Evidence for a dispute: what the shop knows about an order, as one document for print.

mod view;

pub use view::evidence_document;

use crate::orders::Receipt;

/// The facts of one document, formatted for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    pub shop_name: String,
    /// When the document was made.
    pub created: String,
    pub disputes: Vec<Facts>,
    pub receipt: Receipt,
    /// Payment, card and refunds.
    pub payment: Facts,
    pub shipping: Facts,
    pub history: Vec<DatedText>,
    pub emails: Vec<SentEmail>,
    pub customer: Facts,
    pub previous_orders: Vec<PreviousOrder>,
    pub policies: Vec<PolicyText>,
}

/// Labels with their values.
pub type Facts = Vec<(&'static str, String)>;

/// An entry of the order's history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatedText {
    pub time: String,
    pub text: String,
}

/// An email about the order, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentEmail {
    pub time: String,
    pub to: String,
    pub subject: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousOrder {
    pub number: i64,
    pub date: String,
    pub status: &'static str,
    pub payment: &'static str,
    pub total: String,
}

/// A policy when the order was placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyText {
    pub title: &'static str,
    /// Sanitized HTML.
    pub html: String,
}
