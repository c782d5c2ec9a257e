//! Disputes: find one, list them.

use stripe_core::dispute::{ListDispute, RetrieveDispute};
use wasm_core::orders::DisputeStatus;

use super::client::{Deadline, PAGE_SIZE, Provider, created_since, optional};
use super::responses;
use crate::http::error::Error;

/// A dispute, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct Dispute {
    pub id: String,
    /// None if the provider has no such member.
    pub intent_id: Option<String>,
    pub status: DisputeStatus,
}

impl From<responses::Dispute> for Dispute {
    fn from(dispute: responses::Dispute) -> Self {
        Self { intent_id: dispute.intent_id().map(str::to_owned), status: status_of(&dispute.status), id: dispute.id }
    }
}

impl Provider {
    /// None for an unknown dispute, and for a provider without disputes.
    pub async fn find_dispute(&self, deadline: Deadline, id: &str) -> Result<Option<Dispute>, Error> {
        let found: Option<responses::Dispute> = optional(self.send(deadline, RetrieveDispute::new(id), None).await)?;
        Ok(found.map(Dispute::from))
    }

    /// Disputes that were opened at this time or later; empty for a provider without disputes.
    pub async fn list_disputes_since(&self, since_ms: i64) -> Result<Vec<Dispute>, Error> {
        self.list_disputes(ListDispute::new().created(created_since(since_ms))).await
    }

    /// Disputes of one payment; empty for a provider without disputes.
    pub async fn list_disputes_of(&self, intent_id: &str) -> Result<Vec<Dispute>, Error> {
        self.list_disputes(ListDispute::new().payment_intent(intent_id)).await
    }

    async fn list_disputes(&self, request: ListDispute) -> Result<Vec<Dispute>, Error> {
        let list: Option<Vec<responses::Dispute>> = self
            .list(None, |after| match after {
                Some(id) => request.clone().limit(PAGE_SIZE).starting_after(id),
                None => request.clone().limit(PAGE_SIZE),
            })
            .await?;
        Ok(list.into_iter().flatten().map(Dispute::from).collect())
    }
}

/// Parses [Stripe's dispute status](https://docs.stripe.com/api/disputes/object#dispute_object-status). An unknown status
/// counts as open, so that it raises an alert.
pub fn status_of(status: &str) -> DisputeStatus {
    match status {
        "warning_needs_response" | "warning_under_review" => DisputeStatus::Warning,
        // An inquiry that was closed without a dispute, or after a refund.
        "warning_closed" | "prevented" | "charge_refunded" => DisputeStatus::None,
        "won" => DisputeStatus::Won,
        "lost" => DisputeStatus::Lost,
        _ => DisputeStatus::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_dispute_that_needs_a_decision_or_has_one_counts_as_a_dispute() {
        let words = [
            ("warning_needs_response", "warning"),
            ("warning_under_review", "warning"),
            ("warning_closed", "none"),
            ("needs_response", "open"),
            ("under_review", "open"),
            ("won", "won"),
            ("lost", "lost"),
            ("prevented", "none"),
            ("a_word_of_tomorrow", "open"),
        ];
        for (word, status) in words {
            assert_eq!(status_of(word).as_str(), status, "{word}");
        }
    }
}
