//! Calls to the payment provider: one client for Stripe, for whatever stands behind `STRIPE_API_BASE`, and for
//! the embedded test-mode Stripe.
//!
//! Every write carries an idempotency key, so that asking again after a lost answer does nothing twice. All
//! calls of one request share a [`Budget`]. A provider that does not answer is left alone for a while: whoever would
//! ask is refused at once, and one caller every ten seconds finds out whether it is over. Nothing is lost by that, as
//! what is not settled is compared with the provider again and again. Of the answers only what the shop needs is
//! read, by [`answer`].

mod dispute;
mod intent;
mod refund;
mod responses;
mod tax;

use std::collections::BTreeSet;
use std::time::Duration;

use serde::de::DeserializeOwned;
use stripe::{Client, ClientBuilder, IdempotencyKey, RequestStrategy, StripeError, StripeRequest};
use stripe_shared::{ApiErrors, ApiErrorsCode};
use stripe_types::RangeQueryTs;
use tokio::time::Instant;

pub use dispute::{Dispute, status_of as dispute_status_of};
pub use intent::{Cancellation, Intent, IntentState, NewIntent, NewPayment};
pub use refund::Refund;
pub use tax::TaxLine;

use self::intent::known;
use self::responses::Listed;
use crate::http::error::{Code, Error};
use crate::infra::circuit_breaker::{Change, CircuitBreaker, Permit};
use crate::infra::clock::{Clock, SECOND};

/// As many as a page may have.
const PAGE: i64 = 100;

/// The one currency of the shop.
pub const CURRENCY: &str = "usd";

const CALL: Duration = Duration::from_millis(2_500);
const REQUEST: Duration = Duration::from_millis(5_500);
const ATTEMPTS: u32 = 2;
/// Calls in a row that nobody answered, each with all its attempts, before the provider is left alone.
const FAILURES: u32 = 5;

pub struct Provider {
    client: Client,
    live: bool,
    clock: Clock,
    breaker: CircuitBreaker,
    pub webhook_secret: String,
}

/// What remains of the time in which one request may call the provider.
#[derive(Clone, Copy)]
pub struct Budget {
    ends: Instant,
}

impl Budget {
    pub fn start() -> Self {
        Self { ends: Instant::now() + REQUEST }
    }

    fn call(self) -> Option<Duration> {
        let left = self.ends.saturating_duration_since(Instant::now());
        (left > Duration::from_millis(50)).then(|| left.min(CALL))
    }
}

impl Provider {
    /// `api_base` is the address before `/v1`, with or without a slash at its end.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub fn new(api_base: &str, secret_key: &str, webhook_secret: String, clock: Clock) -> Result<Self, String> {
        let client = ClientBuilder::new(secret_key)
            .url(format!("{}/", api_base.trim_end_matches('/')))
            .build()
            .map_err(|error| format!("STRIPE_SECRET_KEY or STRIPE_API_BASE: {error}"))?;
        let (live, breaker) = (!secret_key.contains("_test_"), CircuitBreaker::after(FAILURES));
        Ok(Self { client, live, clock, breaker, webhook_secret })
    }

    async fn send<R, T>(&self, budget: Budget, request: R, key: Option<String>) -> Result<T, Failure>
    where
        R: StripeRequest,
        T: DeserializeOwned,
    {
        if self.breaker.permit(self.clock.now_ms()) == Permit::FailFast {
            return Err(Failure::LeftAlone);
        }
        let answer = self.ask(budget, request, key).await;
        let change = match &answer {
            Ok(_) | Err(Failure::Refused(_) | Failure::Forbidden(_)) => self.breaker.succeeded(),
            Err(Failure::Unreachable(_)) => self.breaker.failed(self.clock.now_ms()),
            // Somebody answered, and whether it was the provider is not known.
            Err(Failure::Unreadable(_) | Failure::OutOfTime | Failure::LeftAlone) => Change::None,
        };
        match change {
            Change::None => {}
            Change::Opened => tracing::error!("the payment provider is left alone: checkouts are refused"),
            Change::Closed => tracing::info!("the payment provider answers again"),
        }
        answer
    }

    /// Every page of a list, newest first; `None` from a provider that does not list such objects. `request` is given
    /// the id after which the page begins. Each page has a budget of its own, unless there is one for all of them.
    async fn list<R, T>(
        &self,
        budget: Option<Budget>,
        request: impl Fn(Option<&str>) -> R,
    ) -> Result<Option<Vec<T>>, Error>
    where
        R: StripeRequest,
        T: DeserializeOwned + Listed,
    {
        let mut found: Vec<T> = Vec::new();
        let mut ids = BTreeSet::new();
        loop {
            let page = request(found.last().map(Listed::id));
            let answer = self.send(budget.unwrap_or_else(Budget::start), page, None).await;
            let page: responses::List<T> = match answer {
                Ok(page) => page,
                Err(failure) if found.is_empty() => return known(Err(failure)),
                // Half a list is none.
                Err(failure) => return Err(unavailable(failure)),
            };
            let before = found.len();
            found.extend(page.data.into_iter().filter(|object| ids.insert(object.id().to_owned())));
            // A provider that does not know the cursor gives the same page for ever.
            if !page.has_more || found.len() == before {
                return Ok(Some(found));
            }
        }
    }

    /// Asks with the client's own request, but reads into `T`: the client's types demand every member that
    /// Stripe documents, also those that nobody here looks at.
    async fn ask<R, T>(&self, budget: Budget, request: R, key: Option<String>) -> Result<T, Failure>
    where
        R: StripeRequest,
        T: DeserializeOwned,
    {
        let strategy = match key.map(IdempotencyKey::new) {
            Some(Ok(key)) => RequestStrategy::Idempotent(key),
            Some(Err(error)) => return Err(Failure::Unreachable(error.to_string())),
            None => RequestStrategy::Once,
        };
        let mut failed = 0;
        loop {
            let Some(time) = budget.call() else {
                return Err(Failure::OutOfTime);
            };
            let call = request.build().customize().request_strategy(strategy.clone()).send(&self.client);
            let failure = match tokio::time::timeout(time, call).await {
                Ok(Ok(answer)) => return responses::read(&answer).map_err(Failure::Unreadable),
                Ok(Err(StripeError::Stripe(_, status))) if is_busy(status) => None,
                Ok(Err(StripeError::Stripe(error, 401 | 403))) => return Err(Failure::Forbidden(error)),
                Ok(Err(StripeError::Stripe(error, status))) if (400..500).contains(&status) => {
                    return Err(Failure::Refused(error));
                }
                Ok(Err(error @ StripeError::JSONDeserialize(_))) => Some(Failure::Unreadable(error.to_string())),
                Ok(Err(error)) => Some(Failure::Unreachable(error.to_string())),
                Err(_) => Some(Failure::Unreachable("no answer in time".to_owned())),
            };
            if let Some(failure) = failure {
                failed += 1;
                if failed == ATTEMPTS {
                    return Err(failure);
                }
            }
            tokio::time::sleep(Duration::from_millis(50 + crate::infra::random::below(150))).await;
        }
    }
}

/// 409: the same idempotency key is still being worked on. 429: too many calls. Both pass by waiting.
fn is_busy(status: u16) -> bool {
    matches!(status, 409 | 429)
}

enum Failure {
    Refused(Box<ApiErrors>),
    /// The key is not good, or not for this: nothing is said of what was asked for.
    Forbidden(Box<ApiErrors>),
    /// An answer came, but not one of Stripe's.
    Unreadable(String),
    Unreachable(String),
    /// Other calls of the same request, or waiting for the provider to be less busy, took all of it.
    OutOfTime,
    LeftAlone,
}

impl Failure {
    /// The provider says that there is no such object. Another 404 may only mean that the address is wrong.
    fn is_missing(&self) -> bool {
        matches!(self, Self::Refused(error) if error.code == Some(ApiErrorsCode::ResourceMissing))
    }

    fn into_error(self, code: Code, sentence: &str) -> Error {
        let cause = match self {
            Self::Refused(error) | Self::Forbidden(error) => format!(
                "refused: {} {}",
                error.code.map(|code| code.to_string()).unwrap_or_default(),
                error.message.unwrap_or_default()
            ),
            Self::Unreadable(cause) | Self::Unreachable(cause) => cause,
            Self::OutOfTime => "no time left".to_owned(),
            Self::LeftAlone => "not asked, because it did not answer before".to_owned(),
        };
        Error::new(code, sentence).with_cause(cause).retry_after(30)
    }
}

/// From this instant on, as lists are asked for it.
fn created_since(ms: i64) -> RangeQueryTs {
    RangeQueryTs::gte(ms / SECOND)
}

fn unavailable(failure: Failure) -> Error {
    failure.into_error(
        Code::PaymentProviderUnavailable,
        "Payments cannot be taken right now. Nothing was charged; please try again in a minute.",
    )
}
