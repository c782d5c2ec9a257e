//! API requests: authentication, parameters and response headers.

use std::future::Future;
use std::pin::Pin;

use axum::body::Body;
use axum::extract::{FromRef, FromRequest, FromRequestParts as _, RawPathParams, Request};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::Value;
use tracing::Instrument as _;

use super::api_error::{ApiError, CallError};
use super::events::Origin;
use super::fault_injection::{self, Action};
use super::form::Form;
use super::idempotency::{self, InProgress};
use super::keys::KeyKind;
use super::{API_VERSION, MockStripe, ids};
use crate::http::error::Error;
use crate::http::extract::read_body;

/// Maximum body size in bytes.
const BODY_LIMIT: usize = 64 * 1024;

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
    in_progress: InProgress,
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

    async fn from_parts<S>(request: Request, state: &S) -> Result<Self, CallError>
    where
        S: Send + Sync,
        MockStripe: FromRef<S>,
    {
        let stripe = MockStripe::from_ref(state);
        let (mut parts, body) = request.into_parts();
        let id = RawPathParams::from_request_parts(&mut parts, state)
            .await
            .ok()
            .and_then(|params| params.iter().next().map(|(_, value)| value.to_owned()))
            .unwrap_or_default();
        let version = version_in(&parts.headers)?;
        let request = Request::from_parts(parts.clone(), body);
        let mut form = parameters(&parts, request).await?;
        let shown = key_in(&parts.headers)?.or(form.take_text("key")?);
        let caller = authenticate(&stripe, shown).await?;
        let path = format!("/v1{}", parts.uri.path());
        let idempotency_key = match parts.method {
            Method::POST => idempotency::key_in(&parts.headers)?,
            _ => None,
        };
        Ok(Self {
            fingerprint: idempotency::fingerprint(&form),
            origin: Origin::of_request(&stripe, ids::new_id("req"), idempotency_key),
            in_progress: parts.extensions.get::<InProgress>().cloned().unwrap_or_default(),
            method: parts.method,
            version,
            stripe,
            caller,
            form,
            id,
            path,
        })
    }
}

impl<S> FromRequest<S> for Call
where
    S: Send + Sync,
    MockStripe: FromRef<S>,
{
    type Rejection = CallError;

    async fn from_request(request: Request, state: &S) -> Result<Self, CallError> {
        Self::from_parts(request, state).await
    }
}

/// Query and body combined, as Stripe does.
async fn parameters(parts: &Parts, request: Request) -> Result<Form, CallError> {
    let mut encoded = parts.uri.query().unwrap_or_default().to_owned();
    let body = read_body(request, BODY_LIMIT).await?;
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

/// Reads the key of `Authorization: Bearer …`, or the user name of `Basic …`.
pub fn key_in(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let Some(value) = headers.get(AUTHORIZATION) else {
        return Ok(None);
    };
    let invalid = || ApiError::unauthorized("Invalid Authorization header.");
    let text = value.to_str().map_err(|_| invalid())?;
    let (scheme, credentials) = text.split_once(' ').ok_or_else(invalid)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Ok(Some(credentials.trim().to_owned()));
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(invalid());
    }
    let decoded = BASE64.decode(credentials.trim()).map_err(|_| invalid())?;
    let decoded = String::from_utf8(decoded).map_err(|_| invalid())?;
    let user = decoded.split(':').next().unwrap_or_default();
    Ok(Some(user.to_owned()))
}

pub async fn authenticate(stripe: &MockStripe, shown: Option<String>) -> Result<KeyKind, CallError> {
    let Some(shown) = shown else {
        return Err(ApiError::unauthorized(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using \
             Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
        )
        .into());
    };
    let keys = stripe.memory.keys(&stripe.db, &stripe.clock).await?;
    keys.kind_of(&shown).ok_or_else(|| ApiError::unauthorized("Invalid API Key provided.").into())
}

/// A handler's response.
#[derive(Clone, Debug)]
pub struct ApiResponse {
    pub status: StatusCode,
    pub body: String,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Fresh,
    /// The stored response of an earlier request with the same idempotency key.
    Replayed,
}

impl ApiResponse {
    pub fn ok(value: &Value) -> Self {
        Self { status: StatusCode::OK, body: value.to_string(), source: Source::Fresh }
    }

    pub fn from_error(error: &ApiError) -> Self {
        Self { status: error.status(), body: error.body().to_string(), source: Source::Fresh }
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if self.source == Source::Replayed {
            headers.insert("idempotent-replayed", HeaderValue::from_static("true"));
        }
        response
    }
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
        Some(key) => Some(call.in_progress.enter(key)?),
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
    let response = tokio::spawn(work.in_current_span()).await.map_err(Error::internal)?;
    if let Some(Action::LoseAnswer { ms }) = action {
        fault_injection::pause(ms).await;
        return Ok(truncated_response());
    }
    response.map(IntoResponse::into_response)
}

/// A truncated response: the client cannot know the result of the request.
fn truncated_response() -> Response {
    let gone = futures_util::stream::once(async {
        Err::<axum::body::Bytes, _>(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
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
