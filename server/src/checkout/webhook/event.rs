//! The members of a Stripe event that the shop reads.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::checkout::provider::{Dispute, FraudWarning};

#[derive(Deserialize)]
pub struct Event {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    data: EventData,
}

/// Of any form: the object depends on the type of the event.
#[derive(Deserialize)]
struct EventData {
    object: Value,
}

impl Event {
    pub fn payment_intent_id(&self) -> Option<&str> {
        let object = &self.data.object;
        if self.kind.starts_with("payment_intent.") {
            return object.get("id")?.as_str();
        }
        let intent = object.get("payment_intent")?;
        intent.as_str().or_else(|| intent.get("id")?.as_str())
    }

    /// The id of the dispute, refund or warning that the event is about.
    pub fn subject(&self) -> &str {
        self.data.object.get("id").and_then(Value::as_str).unwrap_or(&self.id)
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

    pub fn is_fraud_warning(&self) -> bool {
        self.kind.starts_with("radar.early_fraud_warning.")
    }

    pub fn is_payout(&self) -> bool {
        self.kind.starts_with("payout.")
    }

    pub fn amount_refunded(&self) -> Option<i64> {
        self.data.object.get("amount_refunded")?.as_i64()
    }

    /// The dispute when the event was created. It is open without a status, and None if it is closed without one: it may
    /// be won or lost.
    pub fn dispute(&self) -> Option<Dispute> {
        let mut object = self.data.object.clone();
        let members = object.as_object_mut()?;
        if !members.get("status").is_some_and(Value::is_string) {
            if self.kind == "charge.dispute.closed" {
                return None;
            }
            members.insert("status".to_owned(), json!("needs_response"));
        }
        members.insert("id".to_owned(), json!(self.subject()));
        Dispute::of_event(object)
    }

    /// The early fraud warning when the event was created.
    pub fn fraud_warning(&self) -> Option<FraudWarning> {
        FraudWarning::of_event(self.data.object.clone())
    }
}
