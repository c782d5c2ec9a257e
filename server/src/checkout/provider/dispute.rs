//! Disputes: how one stands, and which there are.

use stripe_core::dispute::{ListDispute, RetrieveDispute};
use wasm_core::orders::DisputeStatus;

use super::intent::known;
use super::{Budget, PAGE, Provider, created_since, responses};
use crate::http::error::Error;

/// A dispute, as far as the shop cares.
#[derive(Clone, Debug)]
pub struct Dispute {
    pub id: String,
    /// None when the provider does not say.
    pub intent_id: Option<String>,
    pub status: DisputeStatus,
}

impl From<responses::Dispute> for Dispute {
    fn from(dispute: responses::Dispute) -> Self {
        Self { intent_id: dispute.intent_id().map(str::to_owned), status: status_of(&dispute.status), id: dispute.id }
    }
}

impl Provider {
    /// None when the provider does not know it, or does not know of disputes.
    pub async fn find_dispute(&self, budget: Budget, id: &str) -> Result<Option<Dispute>, Error> {
        let found: Option<responses::Dispute> = known(self.send(budget, RetrieveDispute::new(id), None).await)?;
        Ok(found.map(Dispute::from))
    }

    /// The disputes that began at this instant or later: none from a provider that lists none.
    pub async fn list_disputes_since(&self, since_ms: i64) -> Result<Vec<Dispute>, Error> {
        self.list_disputes(ListDispute::new().created(created_since(since_ms))).await
    }

    /// The disputes of one payment: none from a provider that lists none.
    pub async fn list_disputes_of(&self, intent_id: &str) -> Result<Vec<Dispute>, Error> {
        self.list_disputes(ListDispute::new().payment_intent(intent_id)).await
    }

    async fn list_disputes(&self, request: ListDispute) -> Result<Vec<Dispute>, Error> {
        let list: Option<Vec<responses::Dispute>> = self
            .list(None, |after| match after {
                Some(id) => request.clone().limit(PAGE).starting_after(id),
                None => request.clone().limit(PAGE),
            })
            .await?;
        Ok(list.into_iter().flatten().map(Dispute::from).collect())
    }
}

/// The provider's word for how a dispute stands, as in
/// [Stripe's documentation](https://docs.stripe.com/api/disputes/object#dispute_object-status). A word that is new is
/// taken for an open dispute: someone has to look.
pub fn status_of(word: &str) -> DisputeStatus {
    match word {
        "warning_needs_response" | "warning_under_review" => DisputeStatus::Warning,
        // An inquiry that ended without a dispute, and one that a refund settled.
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
