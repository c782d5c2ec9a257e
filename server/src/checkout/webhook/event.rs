//! The members of a Stripe event that the shop reads.

use serde::Deserialize;
use wasm_core::orders::DisputeStatus;

use crate::checkout::provider::dispute_status_of;

#[derive(Deserialize)]
pub struct Event {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: EventObject,
}

/// The members that lead to a payment, for every type of object.
#[derive(Deserialize)]
struct EventObject {
    id: Option<String>,
    payment_intent: Option<serde_json::Value>,
    /// Of a charge.
    amount_refunded: Option<i64>,
    status: Option<serde_json::Value>,
}

impl Event {
    pub fn payment_intent_id(&self) -> Option<&str> {
        let object = &self.data.object;
        if self.kind.starts_with("payment_intent.") {
            return object.id.as_deref();
        }
        let intent = object.payment_intent.as_ref()?;
        intent.as_str().or_else(|| intent.get("id")?.as_str())
    }

    /// The id of the dispute or refund that the event is about.
    pub fn subject(&self) -> &str {
        self.data.object.id.as_deref().unwrap_or(&self.id)
    }

    /// The text that goes into the database, where PostgreSQL rejects U+0000.
    pub fn stored_fields(&self) -> impl Iterator<Item = &str> {
        [self.id.as_str(), &self.kind].into_iter().chain(self.payment_intent_id())
    }

    pub fn is_refund(&self) -> bool {
        self.kind == "charge.refunded" || self.kind.starts_with("refund.") || self.kind.starts_with("charge.refund.")
    }

    pub fn is_dispute(&self) -> bool {
        self.kind.starts_with("charge.dispute.")
    }

    pub fn is_payout(&self) -> bool {
        self.kind.starts_with("payout.")
    }

    pub fn amount_refunded(&self) -> Option<i64> {
        self.data.object.amount_refunded
    }

    /// The dispute's status when the event was created. None for a closed dispute without a status: it may be won or
    /// lost.
    pub fn dispute_status(&self) -> Option<DisputeStatus> {
        match self.data.object.status.as_ref().and_then(serde_json::Value::as_str) {
            Some(status) => Some(dispute_status_of(status)),
            None if self.kind == "charge.dispute.closed" => None,
            None => Some(DisputeStatus::Open),
        }
    }
}
