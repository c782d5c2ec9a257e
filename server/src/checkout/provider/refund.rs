//! Refunds: create and list.

use std::collections::HashMap;

use stripe_core::refund::{CreateRefund, ListRefund};
use wasm_core::money::{Cents, Overflow};

use super::client::{Deadline, PAGE_SIZE, Provider, ProviderError, created_since};
use super::responses;
use crate::error::{Code, Error};
use crate::infra::clock::SECOND;

/// A refund, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct Refund {
    pub id: String,
    /// None if the provider has no such member.
    pub intent_id: Option<String>,
    pub amount: Cents,
    pub origin: Origin,
    /// None if the provider has no such member.
    pub created_at: Option<i64>,
    /// Whether the customer did not receive it. A bank may report so days after the refund was created.
    pub is_failed: bool,
}

/// Where a refund was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// In the shop, under this id.
    Shop(String),
    /// In the provider's dashboard.
    Elsewhere,
    /// The provider stores no metadata.
    Unknown,
}

impl From<&responses::Refund> for Origin {
    fn from(refund: &responses::Refund) -> Self {
        match (&refund.metadata, refund.metadata_value(REFUND_ID)) {
            (_, Some(id)) => Self::Shop(id),
            (Some(_), None) => Self::Elsewhere,
            (None, None) => Self::Unknown,
        }
    }
}

/// Why a refund was not made.
pub enum RefundError {
    /// It was not made and will not be.
    Rejected(Error),
    /// It was not made, because the customer's bank has charged the payment back. It can be made if the shop wins the
    /// dispute.
    ChargedBack(Error),
    /// The provider may have made it.
    Unconfirmed(Error),
}

impl From<RefundError> for Error {
    fn from(error: RefundError) -> Self {
        match error {
            RefundError::Rejected(error) | RefundError::ChargedBack(error) | RefundError::Unconfirmed(error) => error,
        }
    }
}

/// Metadata of the shop's own refunds.
const REFUND_ID: &str = "refund_id";

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

    /// Refunds of a payment, oldest first; empty for a provider that does not list refunds.
    pub async fn list_refunds_of(&self, deadline: Deadline, intent_id: &str) -> Result<Vec<Refund>, Error> {
        let request = ListRefund::new().payment_intent(intent_id);
        let newest_first = self.list_refunds(Some(deadline), request).await?.unwrap_or_default();
        Ok(newest_first.into_iter().rev().collect())
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
            Some(Refund {
                amount: Cents::from_cents(refund.amount?),
                is_failed: refund.is_failed(),
                intent_id: refund.intent_id().map(str::to_owned),
                origin: Origin::from(&refund),
                created_at: refund.created.map(|seconds| seconds * SECOND),
                id: refund.id,
            })
        };
        Ok(list.map(|list| list.into_iter().filter_map(convert).collect()))
    }

    /// Refunds `amount` of a payment, once for each id, and returns the provider's id of the refund.
    ///
    /// # Errors
    /// [`RefundError`] tells whether the provider may have made the refund.
    pub async fn refund(
        &self,
        deadline: Deadline,
        intent_id: &str,
        amount: Cents,
        id: &str,
    ) -> Result<String, RefundError> {
        let metadata = HashMap::from([(REFUND_ID.to_owned(), id.to_owned())]);
        let request = CreateRefund::new().payment_intent(intent_id).amount(amount.cents()).metadata(metadata);
        let refund: responses::Refund =
            self.send(deadline, request, Some(format!("refund:{id}"))).await.map_err(not_refunded)?;
        if refund.is_failed() {
            return Err(RefundError::Rejected(Error::new(Code::PaymentProviderUnavailable, REJECTED)));
        }
        Ok(refund.id)
    }
}

const REJECTED: &str = "The payment provider rejected the refund. Nothing was refunded.";
const CHARGED_BACK: &str =
    "The customer's bank has charged this payment back, so it can't be refunded. Nothing was refunded.";
const UNCONFIRMED: &str =
    "The payment provider didn't confirm the refund. Please try again in a minute: it won't be made twice.";

fn not_refunded(error: ProviderError) -> RefundError {
    match error {
        error if error.is_charged_back() => {
            RefundError::ChargedBack(error.into_error(Code::PaymentProviderUnavailable, CHARGED_BACK))
        }
        error @ (ProviderError::Rejected(_) | ProviderError::Forbidden(_) | ProviderError::CircuitOpen) => {
            RefundError::Rejected(error.into_error(Code::PaymentProviderUnavailable, REJECTED))
        }
        error => RefundError::Unconfirmed(error.into_error(Code::PaymentProviderUnavailable, UNCONFIRMED)),
    }
}
