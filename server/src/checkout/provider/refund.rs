//! Giving money back.

use stripe_core::refund::{CreateRefund, ListRefund};
use wasm_core::money::{Cents, Overflow};

use super::{Budget, Failure, PAGE, Provider, created_since, responses};
use crate::http::error::{Code, Error};

/// A refund, as far as the shop cares.
#[derive(Clone, Debug)]
pub struct Refund {
    pub id: String,
    /// None when the provider does not say.
    pub intent_id: Option<String>,
    pub amount: Cents,
    /// The customer has not got the money. A bank may say so days after the refund was made.
    pub has_failed: bool,
}

impl Refund {
    /// The sum of those that did not fail.
    ///
    /// # Errors
    /// When it is too large.
    pub fn sum(refunds: &[Self]) -> Result<Cents, Overflow> {
        let made = refunds.iter().filter(|refund| !refund.has_failed);
        made.map(|refund| refund.amount).try_fold(Cents::ZERO, Cents::checked_add)
    }
}

impl Provider {
    /// The refunds that were made at this instant or later: none from a provider that lists none.
    pub async fn list_refunds_since(&self, since_ms: i64) -> Result<Vec<Refund>, Error> {
        let request = ListRefund::new().created(created_since(since_ms));
        Ok(self.list_refunds(None, request).await?.unwrap_or_default())
    }

    /// What was refunded of a payment in all; none when the provider does not list refunds.
    pub(super) async fn sum_refunds(&self, budget: Budget, intent_id: &str) -> Result<Option<Cents>, Error> {
        let request = ListRefund::new().payment_intent(intent_id);
        let Some(refunds) = self.list_refunds(Some(budget), request).await? else {
            return Ok(None);
        };
        Ok(Some(Refund::sum(&refunds)?))
    }

    async fn list_refunds(&self, budget: Option<Budget>, request: ListRefund) -> Result<Option<Vec<Refund>>, Error> {
        let list: Option<Vec<responses::Refund>> = self
            .list(budget, |after| match after {
                Some(id) => request.clone().limit(PAGE).starting_after(id),
                None => request.clone().limit(PAGE),
            })
            .await?;
        let made = |refund: responses::Refund| {
            let (amount, has_failed) = (Cents::from_cents(refund.amount?), refund.came_to_nothing());
            Some(Refund { intent_id: refund.intent_id().map(str::to_owned), id: refund.id, amount, has_failed })
        };
        Ok(list.map(|list| list.into_iter().filter_map(made).collect()))
    }

    /// Refunds `amount` of a payment; `key` makes it happen once. Gives the refund's id.
    pub async fn refund(&self, budget: Budget, intent_id: &str, amount: Cents, key: &str) -> Result<String, Error> {
        let request = CreateRefund::new().payment_intent(intent_id).amount(amount.cents());
        let refund: responses::Refund =
            self.send(budget, request, Some(format!("refund:{key}"))).await.map_err(not_refunded)?;
        if refund.came_to_nothing() {
            return Err(Error::new(Code::PaymentProviderUnavailable, "The payment provider refused the refund."));
        }
        Ok(refund.id)
    }
}

fn not_refunded(failure: Failure) -> Error {
    failure.into_error(
        Code::PaymentProviderUnavailable,
        "The refund could not be made, and nothing was changed. Please try again in a minute.",
    )
}
