//! Refunds: create and list.

use stripe_core::refund::{CreateRefund, ListRefund};
use wasm_core::money::{Cents, Overflow};

use super::client::{Deadline, PAGE_SIZE, Provider, ProviderError, created_since};
use super::responses;
use crate::http::error::{Code, Error};

/// A refund, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct Refund {
    pub id: String,
    /// None if the provider has no such member.
    pub intent_id: Option<String>,
    pub amount: Cents,
    /// Whether the customer did not receive it. A bank may report so days after the refund was created.
    pub is_failed: bool,
}

impl Refund {
    /// Sum of the refunds that have not failed.
    ///
    /// # Errors
    /// When the sum is too large.
    pub fn sum(refunds: &[Self]) -> Result<Cents, Overflow> {
        let succeeded = refunds.iter().filter(|refund| !refund.is_failed);
        succeeded.map(|refund| refund.amount).try_fold(Cents::ZERO, Cents::checked_add)
    }
}

impl Provider {
    /// Refunds that were created at this time or later; empty for a provider that does not list refunds.
    pub async fn list_refunds_since(&self, since_ms: i64) -> Result<Vec<Refund>, Error> {
        let request = ListRefund::new().created(created_since(since_ms));
        Ok(self.list_refunds(None, request).await?.unwrap_or_default())
    }

    /// Total refunded amount of a payment. None for a provider that does not list refunds.
    pub(super) async fn sum_refunds(&self, deadline: Deadline, intent_id: &str) -> Result<Option<Cents>, Error> {
        let request = ListRefund::new().payment_intent(intent_id);
        let Some(refunds) = self.list_refunds(Some(deadline), request).await? else {
            return Ok(None);
        };
        Ok(Some(Refund::sum(&refunds)?))
    }

    async fn list_refunds(
        &self,
        deadline: Option<Deadline>,
        request: ListRefund,
    ) -> Result<Option<Vec<Refund>>, Error> {
        let list: Option<Vec<responses::Refund>> = self
            .list(deadline, |after| match after {
                Some(id) => request.clone().limit(PAGE_SIZE).starting_after(id),
                None => request.clone().limit(PAGE_SIZE),
            })
            .await?;
        let convert = |refund: responses::Refund| {
            let (amount, is_failed) = (Cents::from_cents(refund.amount?), refund.is_failed());
            Some(Refund { intent_id: refund.intent_id().map(str::to_owned), id: refund.id, amount, is_failed })
        };
        Ok(list.map(|list| list.into_iter().filter_map(convert).collect()))
    }

    /// Refunds `amount` of a payment, once for each idempotency key, and returns the refund's id.
    pub async fn refund(&self, deadline: Deadline, intent_id: &str, amount: Cents, key: &str) -> Result<String, Error> {
        let request = CreateRefund::new().payment_intent(intent_id).amount(amount.cents());
        let refund: responses::Refund =
            self.send(deadline, request, Some(format!("refund:{key}"))).await.map_err(not_refunded)?;
        if refund.is_failed() {
            return Err(Error::new(Code::PaymentProviderUnavailable, "The payment provider rejected the refund."));
        }
        Ok(refund.id)
    }
}

fn not_refunded(error: ProviderError) -> Error {
    error.into_error(
        Code::PaymentProviderUnavailable,
        "The refund failed, and nothing was changed. Please try again in a minute.",
    )
}
