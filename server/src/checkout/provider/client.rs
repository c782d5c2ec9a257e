//! Requests to the provider, with deadline, retries and circuit breaker.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::de::DeserializeOwned;
use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_shared::{ApiErrors, ApiErrorsCode};
use stripe_types::RangeQueryTs;
use tokio::time::Instant;

use super::responses::{self, Listed};
use crate::error::{Code, Error};
use crate::infra::circuit_breaker::{Change, CircuitBreaker, Permit};
use crate::infra::clock::{Clock, SECOND};
use crate::infra::random;

/// Largest page size of the provider.
pub(super) const PAGE_SIZE: i64 = 100;

/// The shop's only currency.
pub const CURRENCY: &str = "usd";

const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(2_500);
const TOTAL_TIMEOUT: Duration = Duration::from_millis(5_500);
const MIN_ATTEMPT: Duration = Duration::from_millis(50);
const MAX_ATTEMPTS: u32 = 2;
/// Consecutive failed requests, each with all its attempts, that open the circuit breaker.
const FAILURE_THRESHOLD: u32 = 5;
/// Seconds in `Retry-After`.
const RETRY_AFTER: u64 = 30;

pub struct Provider {
    client: Client,
    is_live: bool,
    clock: Clock,
    breaker: CircuitBreaker,
    pub webhook_secret: String,
}

/// The time until which the requests on behalf of one client request must finish.
#[derive(Clone, Copy)]
pub struct Deadline {
    at: Instant,
}

impl Deadline {
    pub fn start() -> Self {
        Self { at: Instant::now() + TOTAL_TIMEOUT }
    }

    /// Timeout of the next attempt. None when there is no time left.
    fn attempt_timeout(self) -> Option<Duration> {
        let remaining = self.at.saturating_duration_since(Instant::now());
        (remaining > MIN_ATTEMPT).then(|| remaining.min(ATTEMPT_TIMEOUT))
    }
}

impl Provider {
    /// `api_base` is the address before `/v1`, with or without a trailing slash.
    ///
    /// # Errors
    /// A message for the operator.
    pub fn new(api_base: &str, secret_key: &str, webhook_secret: String, clock: Clock) -> Result<Self, String> {
        let client = ClientBuilder::new(secret_key)
            .url(format!("{}/", api_base.trim_end_matches('/')))
            .build()
            .map_err(|error| format!("STRIPE_SECRET_KEY or STRIPE_API_BASE: {error}"))?;
        let (is_live, breaker) = (!secret_key.contains("_test_"), CircuitBreaker::after(FAILURE_THRESHOLD));
        Ok(Self { client, is_live, clock, breaker, webhook_secret })
    }

    /// Whether the keys are those of live mode, in which real money moves.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    pub(super) async fn send<R, T>(
        &self,
        deadline: Deadline,
        request: R,
        key: Option<String>,
    ) -> Result<T, ProviderError>
    where
        R: StripeRequest,
        T: DeserializeOwned,
    {
        if self.breaker.permit(self.clock.now_ms()) == Permit::FailFast {
            return Err(ProviderError::CircuitOpen);
        }
        let result = self.send_with_retries(deadline, request, key).await;
        let change = match &result {
            Ok(_) | Err(ProviderError::Rejected(_) | ProviderError::Forbidden(_)) => self.breaker.succeeded(),
            Err(ProviderError::Unreachable(_)) => self.breaker.failed(self.clock.now_ms()),
            // There was a response, but maybe not from the provider.
            Err(ProviderError::InvalidResponse(_) | ProviderError::DeadlineExceeded | ProviderError::CircuitOpen) => {
                Change::None
            }
        };
        match change {
            Change::None => {}
            Change::Opened => {
                tracing::error!("circuit breaker opened: the payment provider is down, checkouts are rejected");
            }
            Change::Closed => tracing::info!("circuit breaker closed: the payment provider responds again"),
        }
        result
    }

    /// Reads every page of a list, newest first. None if the provider has no such list. `request` builds the request for
    /// the page after an id. Without a shared deadline each page has its own.
    pub(super) async fn list<R, T>(
        &self,
        deadline: Option<Deadline>,
        request: impl Fn(Option<&str>) -> R,
    ) -> Result<Option<Vec<T>>, Error>
    where
        R: StripeRequest,
        T: DeserializeOwned + Listed,
    {
        let mut objects: Vec<T> = Vec::new();
        let mut ids = BTreeSet::new();
        loop {
            let page = request(objects.last().map(Listed::id));
            let page: responses::List<T> = match self.send(deadline.unwrap_or_else(Deadline::start), page, None).await {
                Ok(page) => page,
                Err(error) if objects.is_empty() => return optional(Err(error)),
                // A partial list is an error.
                Err(error) => return Err(unavailable(error)),
            };
            let before = objects.len();
            objects.extend(page.data.into_iter().filter(|object| ids.insert(object.id().to_owned())));
            // A provider that ignores the cursor returns the same page again.
            if !page.has_more || objects.len() == before {
                return Ok(Some(objects));
            }
        }
    }

    /// Sends the client's own request, but deserializes into `T`: the client's types require every member that Stripe
    /// documents.
    async fn send_with_retries<R, T>(
        &self,
        deadline: Deadline,
        request: R,
        key: Option<String>,
    ) -> Result<T, ProviderError>
    where
        R: StripeRequest,
        T: DeserializeOwned,
    {
        let strategy = match key.map(IdempotencyKey::new) {
            Some(Ok(key)) => RequestStrategy::Idempotent(key),
            Some(Err(error)) => return Err(ProviderError::Unreachable(error.to_string())),
            None => RequestStrategy::Once,
        };
        let mut failed_attempts = 0;
        loop {
            let timeout = deadline.attempt_timeout().ok_or(ProviderError::DeadlineExceeded)?;
            let attempt = request.build().customize().request_strategy(strategy.clone()).send(&self.client);
            let error = match tokio::time::timeout(timeout, attempt).await {
                Ok(Ok(response)) => return responses::read(&response).map_err(ProviderError::InvalidResponse),
                Ok(Err(error)) => classify(error)?,
                Err(_) => Some(ProviderError::Unreachable("the request timed out".to_owned())),
            };
            if let Some(error) = error {
                failed_attempts += 1;
                if failed_attempts == MAX_ATTEMPTS {
                    return Err(error);
                }
            }
            tokio::time::sleep(Duration::from_millis(50 + random::below(150))).await;
        }
    }
}

/// Decides on a retry: `Err` is final, `Some` counts as a failed attempt, and `None` is retried until the deadline.
fn classify(error: StripeError) -> Result<Option<ProviderError>, ProviderError> {
    match error {
        StripeError::Stripe(_, status) if is_busy(status) => Ok(None),
        StripeError::Stripe(error, 401 | 403) => Err(ProviderError::Forbidden(error)),
        StripeError::Stripe(error, status) if (400..500).contains(&status) => Err(ProviderError::Rejected(error)),
        error @ StripeError::JSONDeserialize(_) => Ok(Some(ProviderError::InvalidResponse(error.to_string()))),
        error => Ok(Some(ProviderError::Unreachable(error.to_string()))),
    }
}

/// 409: a request with the same idempotency key is in progress. 429: rate limited.
fn is_busy(status: u16) -> bool {
    matches!(status, 409 | 429)
}

pub(super) enum ProviderError {
    Rejected(Box<ApiErrors>),
    /// The key is invalid or lacks the permission. Such an error says nothing about the object.
    Forbidden(Box<ApiErrors>),
    /// A response that is not one of Stripe's API.
    InvalidResponse(String),
    Unreachable(String),
    /// Other requests, or waiting for a busy provider, used up the time.
    DeadlineExceeded,
    CircuitOpen,
}

impl ProviderError {
    /// Whether the object does not exist. Another 404 may only mean that the address is wrong.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Rejected(error) if error.code == Some(ApiErrorsCode::ResourceMissing))
    }

    /// Whether a refund is impossible because of a dispute.
    pub(super) fn is_charged_back(&self) -> bool {
        matches!(self, Self::Rejected(error) if error.code == Some(ApiErrorsCode::ChargeDisputed))
    }

    pub(super) fn into_error(self, code: Code, message: &str) -> Error {
        let cause = match self {
            Self::Rejected(error) | Self::Forbidden(error) => format!(
                "rejected: {} {}",
                error.code.map(|code| code.to_string()).unwrap_or_default(),
                error.message.unwrap_or_default()
            ),
            Self::InvalidResponse(cause) | Self::Unreachable(cause) => cause,
            Self::DeadlineExceeded => "deadline exceeded".to_owned(),
            Self::CircuitOpen => "circuit breaker open".to_owned(),
        };
        Error::new(code, message).with_cause(cause).retry_after(RETRY_AFTER)
    }
}

/// None if the provider rejects the request or has no such endpoint.
pub(super) fn optional<T>(result: Result<T, ProviderError>) -> Result<Option<T>, Error> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(ProviderError::Rejected(_) | ProviderError::InvalidResponse(_)) => Ok(None),
        Err(error) => Err(unavailable(error)),
    }
}

/// List parameter for objects that were created at this time or later.
pub(super) fn created_since(ms: i64) -> RangeQueryTs {
    RangeQueryTs::gte(ms / SECOND)
}

pub(super) fn unavailable(error: ProviderError) -> Error {
    error.into_error(
        Code::PaymentProviderUnavailable,
        "Payments are unavailable right now. Nothing was charged. Please try again in a minute.",
    )
}
