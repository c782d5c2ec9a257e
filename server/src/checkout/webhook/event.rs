//! The members of a Stripe event that the shop reads.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::checkout::provider::{Dispute, FraudWarning, Refund};

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

const MAX_ID: usize = 255;
const ANY_PREFIX: &[&str] = &[""];

/// Whether the text is one of these prefixes, and then letters, digits and underscores.
fn is_id(text: &str, prefixes: &[&str]) -> bool {
    let rest = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or_default();
    text.len() <= MAX_ID && !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
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

    /// Whether the shop processes events of this type. It acknowledges others and keeps only their ids.
    pub fn is_processed(&self) -> bool {
        let is_about_payment = matches!(self.kind.as_str(), "payment_intent.succeeded" | "payment_intent.canceled");
        is_about_payment || self.is_refund() || self.is_dispute() || self.is_fraud_warning() || self.is_payout()
    }

    /// The id of the dispute, refund or warning that the event is about.
    pub fn subject(&self) -> &str {
        self.data.object.get("id").and_then(Value::as_str).unwrap_or(&self.id)
    }

    /// Whether the ids that the shop uses have the provider's form: they become a part of a request's path.
    pub fn has_valid_ids(&self) -> bool {
        let Some(intent_id) = self.payment_intent_id() else {
            return true;
        };
        let is_subject_valid = match self.data.object.get("id") {
            Some(id) => id.as_str().is_some_and(|id| is_id(id, self.subject_prefixes())),
            None => self.subject_prefixes() == ANY_PREFIX || is_id(&self.id, ANY_PREFIX),
        };
        is_id(intent_id, &["pi_"]) && is_subject_valid
    }

    fn subject_prefixes(&self) -> &'static [&'static str] {
        if self.is_dispute() {
            return &["dp_", "du_"];
        }
        if self.is_fraud_warning() {
            return &["issfr_"];
        }
        // The object of `charge.refunded` is the charge.
        if self.is_refund() && self.kind != "charge.refunded" {
            return &["re_", "pyr_"];
        }
        ANY_PREFIX
    }

    /// The text that goes into the database, where PostgreSQL rejects U+0000.
    pub fn stored_fields(&self) -> impl Iterator<Item = &str> {
        [self.id.as_str(), &self.kind].into_iter().chain(self.payment_intent_id())
    }

    pub fn is_refund(&self) -> bool {
        self.kind == "charge.refunded" || self.kind.starts_with("refund.") || self.kind.starts_with("charge.refund.")
    }

    /// The refund that the customer's bank returned. Stripe reports it by several events.
    pub fn failed_refund(&self) -> Option<Refund> {
        if self.kind == "charge.refunded" {
            return None;
        }
        let refund = Refund::of_event(self.object_with_id()?)?;
        let is_failed = refund.is_failed || self.kind == "refund.failed";
        is_failed.then_some(Refund { is_failed, ..refund })
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
        let mut object = self.object_with_id()?;
        let members = object.as_object_mut()?;
        if !members.get("status").is_some_and(Value::is_string) {
            if self.kind == "charge.dispute.closed" {
                return None;
            }
            members.insert("status".to_owned(), json!("needs_response"));
        }
        Dispute::of_event(object)
    }

    fn object_with_id(&self) -> Option<Value> {
        let mut object = self.data.object.clone();
        object.as_object_mut()?.insert("id".to_owned(), json!(self.subject()));
        Some(object)
    }

    /// The early fraud warning when the event was created.
    pub fn fraud_warning(&self) -> Option<FraudWarning> {
        FraudWarning::of_event(self.data.object.clone())
    }
}
