//! Giving money back.

use stripe_core::refund::CreateRefund;
use wasm_core::money::Cents;

use super::{Budget, Failure, Provider, answer};
use crate::error::{Code, Error};

impl Provider {
    /// Refunds `amount` of a payment; `key` makes it happen once. Gives the refund's id.
    pub async fn refund(&self, budget: Budget, intent_id: &str, amount: Cents, key: &str) -> Result<String, Error> {
        let request = CreateRefund::new().payment_intent(intent_id).amount(amount.cents());
        let refund: answer::Refund =
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
