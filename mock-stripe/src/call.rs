//! API requests: authentication, parameters and response headers.

use std::future::Future;
use std::pin::Pin;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, FromRequestParts as _, RawPathParams, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sqlx::AnyConnection;
use tracing::Instrument as _;

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::events::Origin;
use crate::fault_injection::{self, Action};
use crate::form::Form;
use crate::idempotency::{self, Attempt, Work};
use crate::keys::KeyKind;
use crate::{API_VERSION, MockStripe, auth, ids};

pub struct Call {
    pub stripe: MockStripe,
    pub caller: KeyKind,
    pub form: Form,
    /// The id in the path; empty without one.
    pub id: String,
    pub origin: Origin,
    pub method: Method,
    /// Path without the mount prefix.
    pub path: String,
    /// Hash of the parameters.
    pub fingerprint: String,
    /// Requested API version, returned unchanged. Objects always have the shape of [`API_VERSION`].
    version: HeaderValue,
}

impl Call {
    /// # Errors
    /// 403 for a publishable key.
    pub fn require_secret_key(&self) -> Result<(), ApiError> {
        match self.caller {
            KeyKind::Secret => Ok(()),
            KeyKind::Publishable => Err(ApiError::secret_key_required()),
        }
    }

    /// Runs `work` in one transaction, once for each idempotency key. An API error is a response: what was written
    /// before it is committed.
    pub async fn perform<A, F>(&self, args: A, work: F) -> Result<ApiResponse, CallError>
    where
        F: for<'c> Fn(&'c mut AnyConnection, &'c A) -> Work<'c> + Send + Sync,
        A: Send + Sync,
    {
        let attempt = Attempt {
            key: self.origin.idempotency_key.clone(),
            endpoint: format!("{} {}", self.method, self.path),
            fingerprint: self.fingerprint.clone(),
            now_ms: self.origin.now_ms,
            args,
            work,
        };
        let result = self.stripe.db.write(attempt, |tx, attempt| Box::pin(attempt.run(tx))).await?;
        self.origin.wake_sender();
        Ok(result?)
    }
}

impl FromRequest<MockStripe> for Call {
    type Rejection = CallError;

    async fn from_request(request: Request, stripe: &MockStripe) -> Result<Self, CallError> {
        let (mut parts, body) = request.into_parts();
        let id = RawPathParams::from_request_parts(&mut parts, stripe)
            .await
            .ok()
            .and_then(|params| params.iter().next().map(|(_, value)| value.to_owned()))
            .unwrap_or_default();
        let version = version_in(&parts.headers)?;
        let request = Request::from_parts(parts.clone(), body);
        let mut form = parameters(&parts, request).await?;
        let shown = auth::key_in(&parts.headers)?.or(form.take_text("key")?);
        let caller = auth::authenticate(stripe, shown).await?;
        let path = format!("/v1{}", parts.uri.path());
        let idempotency_key = match parts.method {
            Method::POST => idempotency::key_in(&parts.headers)?,
            _ => None,
        };
        Ok(Self {
            fingerprint: idempotency::fingerprint(&form),
            origin: Origin::of_request(stripe, ids::new_id("req"), idempotency_key),
            method: parts.method,
            version,
            stripe: stripe.clone(),
            caller,
            form,
            id,
            path,
        })
    }
}

/// Query and body combined, as Stripe does.
async fn parameters(parts: &Parts, request: Request) -> Result<Form, CallError> {
    let mut encoded = parts.uri.query().unwrap_or_default().to_owned();
    let body = Bytes::from_request(request, &()).await.map_err(|rejection| ApiError::unreadable(&rejection))?;
    if !body.is_empty() {
        require_form(&parts.headers)?;
        let body = std::str::from_utf8(&body).map_err(|_| ApiError::invalid("The body is not UTF-8."))?;
        if !encoded.is_empty() {
            encoded.push('&');
        }
        encoded.push_str(body);
    }
    Ok(Form::parse(&encoded)?)
}

fn require_form(headers: &HeaderMap) -> Result<(), ApiError> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.is_empty() || kind.starts_with("application/x-www-form-urlencoded") {
        return Ok(());
    }
    Err(ApiError::invalid(format!("Invalid request: the body must be application/x-www-form-urlencoded, not {kind}.")))
}

/// Parses the `Stripe-Version` header: a date, optionally with a release name and betas.
fn version_in(headers: &HeaderMap) -> Result<HeaderValue, ApiError> {
    let Some(version) = headers.get("stripe-version") else {
        return Ok(HeaderValue::from_static(API_VERSION));
    };
    let text = version.to_str().unwrap_or_default();
    let release = text.split(';').next().unwrap_or_default().trim();
    let (day, name) = release.split_once('.').unwrap_or((release, "acacia"));
    let is_day = day.len() == 10
        && day
            .bytes()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    if is_day && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Ok(version.clone());
    }
    Err(ApiError::invalid(format!("Invalid Stripe API version: {text}")))
}

/// Wraps a handler as a route: applies injected faults, completes the request even if the client disconnects, and adds
/// Stripe's headers.
pub fn endpoint<F, Fut>(
    handler: F,
) -> impl Fn(Call) -> Pin<Box<dyn Future<Output = Response> + Send>> + Clone + Send + Sync + 'static
where
    F: Fn(Call) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<ApiResponse, CallError>> + Send + 'static,
{
    move |call| {
        let handler = handler.clone();
        Box::pin(async move {
            let (origin, version) = (call.origin.clone(), call.version.clone());
            let mut response = serve(call, handler).await.unwrap_or_else(IntoResponse::into_response);
            add_headers(&mut response, &origin, version);
            response
        })
    }
}

async fn serve<F, Fut>(call: Call, handler: F) -> Result<Response, CallError>
where
    F: Fn(Call) -> Fut + Send + 'static,
    Fut: Future<Output = Result<ApiResponse, CallError>> + Send + 'static,
{
    let in_progress = match &call.origin.idempotency_key {
        Some(key) => Some(call.stripe.in_progress.enter(key)?),
        None => None,
    };
    let action = fault_injection::take(&call.stripe, &call.method, &call.path).await?;
    if let Some(Action::Fail { status }) = action {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        return Err(ApiError::injected(status).into());
    }
    let work = async move {
        if let Some(Action::Hang { ms }) = action {
            fault_injection::pause(ms).await;
        }
        let response = handler(call).await;
        drop(in_progress);
        response
    };
    let response = tokio::spawn(work.in_current_span()).await.map_err(|panic| ApiError::internal(&panic))?;
    if let Some(Action::LoseAnswer { ms }) = action {
        fault_injection::pause(ms).await;
        return Ok(truncated_response());
    }
    response.map(IntoResponse::into_response)
}

/// A truncated response: the client cannot know the result of the request.
fn truncated_response() -> Response {
    let gone = futures_util::stream::once(async {
        Err::<Bytes, _>(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
    });
    Response::new(Body::from_stream(gone))
}

fn add_headers(response: &mut Response, origin: &Origin, version: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert("stripe-version", version);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let texts = [("request-id", &origin.request_id), ("idempotency-key", &origin.idempotency_key)];
    for (name, text) in texts {
        if let Some(Ok(value)) = text.as_deref().map(HeaderValue::from_str) {
            headers.insert(name, value);
        }
    }
}

pub async fn unknown_url(request: Request) -> ApiError {
    ApiError::unknown_url(request.method().as_str(), &format!("/v1{}", request.uri().path()))
}
