//! Refunds: create and list.

use std::collections::HashMap;

use stripe_core::refund::{CreateRefund, ListRefund};
use wasm_core::money::{Cents, Overflow};

use super::client::{Deadline, Provider, ProviderError};
use super::pages::{Filter, PAGE_SIZE, created_since, is_since};
use super::responses;
use crate::error::{Code, Error};
use crate::infra::clock::SECOND;

/// A refund, reduced to the members that the shop uses.
#[derive(Clone, Debug)]
pub struct Refund {
    /// None for [`Refund::total`].
    pub id: Option<String>,
    /// None if the provider has no such member.
    pub intent_id: Option<String>,
    pub amount: Cents,
    pub origin: Origin,
    /// None if the provider has no such member.
    pub created_at: Option<i64>,
    /// Whether the customer did not receive it. A bank may report so days after the refund was created.
    pub is_failed: bool,
    /// The provider's word, such as `expired_or_canceled_card`.
    pub failure_reason: Option<String>,
    /// When the amount returned to the balance, if the provider reports it.
    pub failed_at: Option<i64>,
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
    /// It was not made and never will be: a 409 with the reason.
    Rejected(Error),
    /// It was not made, because the customer's bank has charged the payment back. It can be made if the shop wins the
    /// dispute.
    ChargedBack(Error),
    /// It was not made, and may be made later.
    NotMade(Error),
    /// The provider may have made it.
    Unconfirmed(Error),
}

impl RefundError {
    /// The error as a 503, for background work that is retried.
    pub fn into_unavailable(self) -> Error {
        match self {
            Self::Rejected(error) | Self::ChargedBack(error) => {
                Error::new(Code::PaymentProviderUnavailable, NOT_MADE).with_cause(error)
            }
            Self::NotMade(error) | Self::Unconfirmed(error) => error,
        }
    }
}

/// Metadata of the shop's own refunds.
const REFUND_ID: &str = "refund_id";

impl Refund {
    /// Everything that was refunded of a payment, of a provider that does not list refunds.
    pub fn total(amount: Cents) -> Self {
        Self {
            id: None,
            intent_id: None,
            amount,
            origin: Origin::Unknown,
            created_at: None,
            is_failed: false,
            failure_reason: None,
            failed_at: None,
        }
    }

    /// The refund of an event; its amount is zero if the event does not have it. None if a member has another type.
    pub fn of_event(object: serde_json::Value) -> Option<Self> {
        serde_json::from_value::<responses::Refund>(object).ok().map(Self::from)
    }

    /// Sum of the refunds that have not failed.
    ///
    /// # Errors
    /// When the sum is too large.
    pub fn sum(refunds: &[Self]) -> Result<Cents, Overflow> {
        let succeeded = refunds.iter().filter(|refund| !refund.is_failed);
        succeeded.map(|refund| refund.amount).try_fold(Cents::ZERO, Cents::checked_add)
    }
}

impl From<responses::Refund> for Refund {
    fn from(refund: responses::Refund) -> Self {
        Self {
            amount: Cents::from_cents(refund.amount.unwrap_or_default()),
            is_failed: refund.is_failed(),
            intent_id: refund.intent_id().map(str::to_owned),
            origin: Origin::from(&refund),
            created_at: refund.created.map(|seconds| seconds * SECOND),
            failed_at: refund.failed_at().map(|seconds| seconds * SECOND),
            failure_reason: refund.failure_reason,
            id: Some(refund.id),
        }
    }
}

impl Provider {
    /// Refunds that were created at this time or later; empty for a provider that does not list refunds.
    pub async fn list_refunds_since(&self, since_ms: i64) -> Result<Vec<Refund>, Error> {
        let filtered = ListRefund::new().created(created_since(since_ms));
        let is_wanted = |refund: &responses::Refund| is_since(refund.created, since_ms);
        Ok(self.list_refunds(None, filtered, is_wanted).await?.unwrap_or_default())
    }

    /// Refunds of a payment, oldest first; empty for a provider that does not list refunds.
    pub async fn list_refunds_of(&self, deadline: Deadline, intent_id: &str) -> Result<Vec<Refund>, Error> {
        let newest_first = self.find_refunds_of(deadline, intent_id).await?.unwrap_or_default();
        Ok(newest_first.into_iter().rev().collect())
    }

    /// Total refunded amount of a payment. None for a provider that does not list refunds.
    pub(super) async fn sum_refunds(&self, deadline: Deadline, intent_id: &str) -> Result<Option<Cents>, Error> {
        let refunds = self.find_refunds_of(deadline, intent_id).await?;
        Ok(refunds.map(|refunds| Refund::sum(&refunds)).transpose()?)
    }

    /// None for a provider that does not list refunds.
    async fn find_refunds_of(&self, deadline: Deadline, intent_id: &str) -> Result<Option<Vec<Refund>>, Error> {
        let filtered = ListRefund::new().payment_intent(intent_id);
        let is_wanted = |refund: &responses::Refund| refund.intent_id() == Some(intent_id);
        self.list_refunds(Some(deadline), filtered, is_wanted).await
    }

    async fn list_refunds(
        &self,
        deadline: Option<Deadline>,
        filtered: ListRefund,
        is_wanted: impl Fn(&responses::Refund) -> bool,
    ) -> Result<Option<Vec<Refund>>, Error> {
        let request = |filter, after: Option<&str>| {
            let request = match filter {
                Filter::On => filtered.clone().expand(vec!["data.failure_balance_transaction".to_owned()]),
                Filter::Off => ListRefund::new(),
            };
            match after {
                Some(id) => request.limit(PAGE_SIZE).starting_after(id),
                None => request.limit(PAGE_SIZE),
            }
        };
        let list: Option<Vec<responses::Refund>> = self.list(deadline, request, is_wanted).await?;
        let with_amount = |list: Vec<responses::Refund>| list.into_iter().filter(|refund| refund.amount.is_some());
        Ok(list.map(|list| with_amount(list).map(Refund::from).collect()))
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
            return Err(RefundError::Rejected(Error::new(Code::RefundRejected, REJECTED)));
        }
        Ok(refund.id)
    }
}

/// Stripe's codes of rejections that pass: too little balance, and concurrent requests.
const TEMPORARY: [&str; 4] = ["balance_insufficient", "lock_timeout", "rate_limit", "idempotency_key_in_use"];
/// Longest reason of the provider, in characters.
const MAX_REASON: usize = 200;

const NOT_MADE: &str = "The payment provider didn’t make the refund. Nothing was refunded. Please try again later.";
const REJECTED: &str = "The payment provider rejected the refund. Nothing was refunded.";
const UNKNOWN: &str = "The payment provider doesn’t know this payment, so it can’t be refunded. Nothing was refunded.";
const CHARGED_BACK: &str =
    "The customer’s bank has charged this payment back, so it can’t be refunded. Nothing was refunded.";
const UNCONFIRMED: &str =
    "The payment provider didn’t confirm the refund. Please try again in a minute: it won’t be made twice.";

/// 409: a payment that the provider does not know can't be refunded.
pub fn unknown_payment() -> Error {
    Error::new(Code::RefundRejected, UNKNOWN)
}

fn not_refunded(error: ProviderError) -> RefundError {
    let rejected = |message: &str| Error::new(Code::RefundRejected, message);
    match error {
        error if error.is_charged_back() => RefundError::ChargedBack(rejected(CHARGED_BACK)),
        error if error.is_missing() => RefundError::Rejected(unknown_payment()),
        error if error.code().is_some_and(|code| TEMPORARY.contains(&code)) => not_made(error),
        ProviderError::Rejected { error, .. } => {
            RefundError::Rejected(rejected(&rejection(error.message.as_deref().unwrap_or_default())))
        }
        error @ (ProviderError::Forbidden(_) | ProviderError::CircuitOpen) => not_made(error),
        error => RefundError::Unconfirmed(error.into_error(Code::PaymentProviderUnavailable, UNCONFIRMED)),
    }
}

fn not_made(error: ProviderError) -> RefundError {
    RefundError::NotMade(error.into_error(Code::PaymentProviderUnavailable, NOT_MADE))
}

/// The message of a rejection, with the provider's reason if it gives one.
fn rejection(reason: &str) -> String {
    let reason: String = reason.chars().filter(|c| !c.is_control()).take(MAX_REASON).collect();
    match reason.trim().trim_end_matches('.') {
        "" => REJECTED.to_owned(),
        reason => format!("The payment provider rejected the refund: {reason}. Nothing was refunded."),
    }
}
