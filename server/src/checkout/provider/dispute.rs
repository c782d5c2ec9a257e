//! Disputes: find one, list them.

use stripe_core::dispute::{ListDispute, RetrieveDispute};
use wasm_core::money::Cents;
use wasm_core::orders::DisputeStatus;

use super::client::{Deadline, Lookup, Provider, lookup};
use super::pages::{Filter, PAGE_SIZE, created_since, is_since};
use super::responses;
use crate::error::Error;
use crate::infra::clock::SECOND;

/// A dispute, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct Dispute {
    pub id: String,
    /// None if the provider has no such member.
    pub intent_id: Option<String>,
    pub status: DisputeStatus,
    /// Whether the bank waits for evidence.
    pub needs_response: bool,
    /// Until when the bank accepts evidence.
    pub due_at: Option<i64>,
    /// The provider's code, such as `fraudulent`.
    pub reason: Option<String>,
    pub amount: Option<Cents>,
    /// Sum of what the bank withdrew so far.
    pub withdrawn: Cents,
    /// Sum of what the bank returned so far.
    pub reinstated: Cents,
}

impl From<responses::Dispute> for Dispute {
    fn from(dispute: responses::Dispute) -> Self {
        Self {
            intent_id: dispute.intent_id().map(str::to_owned),
            status: status_of(&dispute.status),
            needs_response: needs_response(&dispute.status),
            due_at: dispute.due_by().map(|seconds| seconds.saturating_mul(SECOND)),
            amount: dispute.amount.map(Cents::from_cents),
            withdrawn: Cents::from_cents(dispute.withdrawn()),
            reinstated: Cents::from_cents(dispute.reinstated()),
            reason: dispute.reason,
            id: dispute.id,
        }
    }
}

impl Dispute {
    /// The dispute of an event. None if it lacks a required member.
    pub fn of_event(object: serde_json::Value) -> Option<Self> {
        serde_json::from_value::<responses::Dispute>(object).ok().map(Self::from)
    }
}

impl Provider {
    pub async fn find_dispute(&self, deadline: Deadline, id: &str) -> Result<Lookup<Dispute>, Error> {
        let found = self.send(deadline, RetrieveDispute::new(id), None).await;
        lookup(found.map(|dispute: responses::Dispute| dispute.into()))
    }

    /// Disputes that were opened at this time or later; empty for a provider without disputes.
    pub async fn list_disputes_since(&self, since_ms: i64) -> Result<Vec<Dispute>, Error> {
        let filtered = ListDispute::new().created(created_since(since_ms));
        self.list_disputes(filtered, |dispute| is_since(dispute.created, since_ms)).await
    }

    /// Disputes of one payment; empty for a provider without disputes.
    pub async fn list_disputes_of(&self, intent_id: &str) -> Result<Vec<Dispute>, Error> {
        let filtered = ListDispute::new().payment_intent(intent_id);
        self.list_disputes(filtered, |dispute| dispute.intent_id() == Some(intent_id)).await
    }

    async fn list_disputes(
        &self,
        filtered: ListDispute,
        is_wanted: impl Fn(&responses::Dispute) -> bool,
    ) -> Result<Vec<Dispute>, Error> {
        let request = |filter, after: Option<&str>| {
            let request = match filter {
                Filter::On => filtered.clone(),
                Filter::Off => ListDispute::new(),
            };
            match after {
                Some(id) => request.limit(PAGE_SIZE).starting_after(id),
                None => request.limit(PAGE_SIZE),
            }
        };
        let list: Option<Vec<responses::Dispute>> = self.list(None, request, is_wanted).await?;
        Ok(list.into_iter().flatten().map(Dispute::from).collect())
    }
}

/// Parses [Stripe's dispute status](https://docs.stripe.com/api/disputes/object#dispute_object-status). An unknown status
/// counts as open, so that it raises an alert.
fn status_of(status: &str) -> DisputeStatus {
    match status {
        "warning_needs_response" | "warning_under_review" => DisputeStatus::Warning,
        // An inquiry that was closed without a dispute, or after a refund.
        "warning_closed" | "prevented" | "charge_refunded" => DisputeStatus::None,
        "won" => DisputeStatus::Won,
        "lost" => DisputeStatus::Lost,
        _ => DisputeStatus::Open,
    }
}

/// Submitted evidence ends this status.
fn needs_response(status: &str) -> bool {
    matches!(status, "warning_needs_response" | "needs_response")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispute(json: &str) -> Dispute {
        serde_json::from_str::<responses::Dispute>(json).unwrap().into()
    }

    #[test]
    fn only_a_dispute_that_needs_a_decision_or_has_one_counts_as_a_dispute() {
        let words = [
            ("warning_needs_response", "warning", true),
            ("warning_under_review", "warning", false),
            ("warning_closed", "none", false),
            ("needs_response", "open", true),
            ("under_review", "open", false),
            ("won", "won", false),
            ("lost", "lost", false),
            ("prevented", "none", false),
            ("a_word_of_tomorrow", "open", false),
        ];
        for (word, status, waits) in words {
            assert_eq!((status_of(word).as_str(), needs_response(word)), (status, waits), "{word}");
        }
    }

    #[test]
    fn funds_are_summed_and_members_of_another_form_are_left_out() {
        let whole = dispute(
            r#"{"id":"du_1","status":"won","amount":2990,"reason":"general","evidence_details":{"due_by":1723679999},
                "balance_transactions":[{"amount":-2990,"net":-4490},{"amount":2990,"net":4490}]}"#,
        );
        let cents = Cents::from_cents;
        assert_eq!((whole.withdrawn, whole.reinstated, whole.amount), (cents(2990), cents(2990), Some(cents(2990))));
        assert_eq!((whole.due_at, whole.reason.as_deref()), (Some(1_723_679_999_000), Some("general")));
        for other in ["null", "7", "[]", "{}", r#"{"due_by":null}"#, r#"[{"amount":"x"}]"#] {
            let bare =
                format!(r#"{{"id":"d","status":"won","evidence_details":{other},"balance_transactions":{other}}}"#);
            let bare = dispute(&bare);
            assert_eq!((bare.due_at, bare.withdrawn, bare.reinstated), (None, Cents::ZERO, Cents::ZERO), "{other}");
        }
    }
}
