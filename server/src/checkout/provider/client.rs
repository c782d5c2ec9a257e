//! Requests to the provider, with deadline, retries and circuit breaker.

use std::time::Duration;

use serde::de::DeserializeOwned;
use stripe::StripeRequest;
use tokio::time::Instant;

use super::metrics::ProviderMetrics;
use super::responses;
use super::transport::{ApiError, Transport, TransportError, describe};
use crate::error::{Code, Error};
use crate::infra::circuit_breaker::{Change, CircuitBreaker, Permit};
use crate::infra::clock::Clock;
use crate::infra::random;

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
    pub(super) transport: Transport,
    is_live: bool,
    clock: Clock,
    breaker: CircuitBreaker,
    pub metrics: ProviderMetrics,
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
        let transport = Transport::new(api_base, secret_key)?;
        let (is_live, breaker) = (!secret_key.contains("_test_"), CircuitBreaker::after(FAILURE_THRESHOLD));
        let metrics = ProviderMetrics::new().map_err(|error| error.to_string())?;
        Ok(Self { transport, is_live, clock, breaker, metrics, webhook_secret })
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
        let (call, started) = (describe(&request.build()), Instant::now());
        let result = self.send_with_retries(deadline, request, key).await;
        self.metrics.count(&call, result.as_ref().err().map_or("ok", ProviderError::outcome), started.elapsed());
        if let Err(error) = &result {
            error.log(&call);
        }
        let change = match &result {
            Ok(_) | Err(ProviderError::Rejected { .. } | ProviderError::Forbidden(_)) => self.breaker.succeeded(),
            Err(ProviderError::Unreachable(_)) => self.breaker.failed(self.clock.now_ms()),
            // There was a response, but maybe not from the provider.
            Err(
                ProviderError::InvalidResponse { .. }
                | ProviderError::NoEndpoint
                | ProviderError::DeadlineExceeded
                | ProviderError::CircuitOpen,
            ) => Change::None,
        };
        match change {
            Change::None => {}
            Change::Opened => {
                self.metrics.set_circuit_open(true);
                tracing::error!("circuit breaker opened: the payment provider is down, checkouts are rejected");
            }
            Change::Closed => {
                self.metrics.set_circuit_open(false);
                tracing::info!("circuit breaker closed: the payment provider responds again");
            }
        }
        result
    }

    /// Deserializes into `T`: the client's own types require every member that Stripe documents.
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
        let mut failed_attempts = 0;
        loop {
            let timeout = deadline.attempt_timeout().ok_or(ProviderError::DeadlineExceeded)?;
            let attempt = self.transport.send(request.build(), key.as_deref());
            let error = match tokio::time::timeout(timeout, attempt).await {
                Ok(Ok(body)) => match responses::read(&body) {
                    Ok(response) => return Ok(response),
                    Err(responses::ReadError::NotJson) => Some(ProviderError::invalid("a response that is not JSON")),
                    Err(responses::ReadError::Members(cause)) => return Err(ProviderError::invalid(cause)),
                },
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
fn classify(error: TransportError) -> Result<Option<ProviderError>, ProviderError> {
    match error {
        TransportError::Api { status, .. } if is_busy(status) => Ok(None),
        TransportError::Api { status: 401 | 403, error } => Err(ProviderError::Forbidden(error)),
        // Stripe's error for an unrecognized request URL has no code.
        TransportError::Api { status: 404, error } if error.code.is_none() => Err(ProviderError::NoEndpoint),
        TransportError::Api { status, error } if (400..500).contains(&status) => {
            Err(ProviderError::Rejected { status, error })
        }
        TransportError::Api { status, error } => {
            let message = error.message.unwrap_or_default();
            Ok(Some(ProviderError::Unreachable(format!("status {status}: {message}"))))
        }
        // A page is from a proxy.
        TransportError::Other { status: 404 | 405, is_page: false } => Err(ProviderError::NoEndpoint),
        TransportError::Other { status, .. } => Ok(Some(ProviderError::InvalidResponse {
            status: Some(status),
            cause: format!("a response with status {status} that is not Stripe's"),
        })),
        TransportError::Unreachable(cause) => Ok(Some(ProviderError::Unreachable(cause))),
    }
}

/// 409: a request with the same idempotency key is in progress. 429: rate limited.
fn is_busy(status: u16) -> bool {
    matches!(status, 409 | 429)
}

pub(super) enum ProviderError {
    Rejected {
        status: u16,
        error: ApiError,
    },
    /// The key is invalid or lacks the permission. Such an error says nothing about the object.
    Forbidden(ApiError),
    /// The provider has no such endpoint: it implements a part of Stripe's API.
    NoEndpoint,
    /// A response that is not one of Stripe's API.
    InvalidResponse {
        /// Of an error response.
        status: Option<u16>,
        cause: String,
    },
    Unreachable(String),
    /// Other requests, or waiting for a busy provider, used up the time.
    DeadlineExceeded,
    CircuitOpen,
}

impl ProviderError {
    pub(super) fn invalid(cause: impl Into<String>) -> Self {
        Self::InvalidResponse { status: None, cause: cause.into() }
    }

    /// Stripe's code of a rejected request.
    pub(super) fn code(&self) -> Option<&str> {
        match self {
            Self::Rejected { error, .. } => error.code.as_deref(),
            _ => None,
        }
    }

    /// Whether the object does not exist. Another 404 may only mean that the address is wrong.
    pub(super) fn is_missing(&self) -> bool {
        self.code() == Some("resource_missing")
    }

    /// Whether a refund is impossible because of a dispute.
    pub(super) fn is_charged_back(&self) -> bool {
        self.code() == Some("charge_disputed")
    }

    /// Whether a parameter may be unknown to the provider.
    pub(super) fn is_bad_request(&self) -> bool {
        matches!(self, Self::Rejected { status: 400, .. } | Self::InvalidResponse { status: Some(400), .. })
            && !self.is_missing()
    }

    pub(super) fn into_error(self, code: Code, message: &str) -> Error {
        Error::new(code, message).with_cause(self.cause()).retry_after(RETRY_AFTER)
    }

    /// The word of a metric.
    fn outcome(&self) -> &'static str {
        match self {
            Self::Rejected { .. } => "rejected",
            Self::Forbidden(_) => "forbidden",
            Self::NoEndpoint => "no_endpoint",
            Self::InvalidResponse { .. } => "invalid_response",
            Self::Unreachable(_) => "unreachable",
            Self::DeadlineExceeded => "deadline_exceeded",
            Self::CircuitOpen => "circuit_open",
        }
    }

    fn cause(&self) -> String {
        match self {
            Self::Rejected { error, .. } | Self::Forbidden(error) => {
                let part = |text: &Option<String>| text.clone().unwrap_or_default();
                format!("rejected: {} {}", part(&error.code), part(&error.message))
            }
            Self::NoEndpoint => "the payment provider has no such endpoint".to_owned(),
            Self::InvalidResponse { cause, .. } | Self::Unreachable(cause) => cause.clone(),
            Self::DeadlineExceeded => "deadline exceeded".to_owned(),
            Self::CircuitOpen => "circuit breaker open".to_owned(),
        }
    }

    /// A rejection or a missing endpoint may be expected, so it is up to the caller whether it is a failure.
    fn log(&self, call: &str) {
        let cause = self.cause();
        match self {
            Self::Rejected { .. } | Self::NoEndpoint | Self::CircuitOpen => {
                tracing::debug!(call, cause, "payment provider request rejected");
            }
            Self::Forbidden(_) | Self::InvalidResponse { .. } | Self::Unreachable(_) | Self::DeadlineExceeded => {
                tracing::warn!(call, cause, "payment provider request failed");
            }
        }
    }
}

/// None if the provider has no such endpoint. Anything else that fails is an error: it may hide what there is.
pub(super) fn optional<T>(result: Result<T, ProviderError>) -> Result<Option<T>, Error> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(ProviderError::NoEndpoint) => Ok(None),
        Err(error) => Err(unavailable(error)),
    }
}

/// The result of a request for one object.
pub enum Lookup<T> {
    Found(T),
    /// The provider does not know the object.
    Unknown,
    /// The provider has no such objects.
    NoEndpoint,
}

pub(super) fn lookup<T>(result: Result<T, ProviderError>) -> Result<Lookup<T>, Error> {
    match result {
        Err(error) if error.is_missing() => Ok(Lookup::Unknown),
        result => Ok(optional(result)?.map_or(Lookup::NoEndpoint, Lookup::Found)),
    }
}

pub(super) fn unavailable(error: ProviderError) -> Error {
    error.into_error(
        Code::PaymentProviderUnavailable,
        "Payments are unavailable right now. Nothing was charged. Please try again in a minute.",
    )
}
