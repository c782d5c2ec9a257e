//! Disputes: how one stands, and which there are.

use stripe_core::dispute::{ListDispute, RetrieveDispute};
use wasm_core::orders::DisputeStatus;

use super::intent::known;
use super::{Budget, Provider, answer};
use crate::error::Error;

/// A dispute, as far as the shop cares.
#[derive(Clone, Debug)]
pub struct Dispute {
    pub id: String,
    /// None when the provider does not say.
    pub intent_id: Option<String>,
    pub status: DisputeStatus,
}

impl From<answer::Dispute> for Dispute {
    fn from(dispute: answer::Dispute) -> Self {
        Self { intent_id: dispute.intent_id().map(str::to_owned), status: status_of(&dispute.status), id: dispute.id }
    }
}

impl Provider {
    /// None when the provider does not know it, or does not know of disputes.
    pub async fn find_dispute(&self, budget: Budget, id: &str) -> Result<Option<Dispute>, Error> {
        let found: Option<answer::Dispute> = known(self.send(budget, RetrieveDispute::new(id), None).await)?;
        Ok(found.map(Dispute::from))
    }

    /// The newest hundred disputes, of all payments or of one: none from a provider that lists none.
    pub async fn list_disputes(&self, budget: Budget, intent_id: Option<&str>) -> Result<Vec<Dispute>, Error> {
        let request = ListDispute::new().limit(100);
        let request = match intent_id {
            Some(id) => request.payment_intent(id),
            None => request,
        };
        let list: Option<answer::List<answer::Dispute>> = known(self.send(budget, request, None).await)?;
        Ok(list.into_iter().flat_map(|list| list.data).map(Dispute::from).collect())
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
            assert_eq!(status_of(word).word(), status, "{word}");
        }
    }
}
