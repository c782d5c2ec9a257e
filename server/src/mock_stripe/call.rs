//! One call to the API: who calls, with which parameters, and how it is answered.

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

use super::events::Origin;
use super::fault::{Fault, Halt};
use super::faults::{self, Action};
use super::form::Form;
use super::idempotency::{self, InProgress};
use super::keys::KeyKind;
use super::{API_VERSION, MockStripe, ids};
use crate::http::error::Error;
use crate::http::extract::read_body;

/// The largest body of a call, in bytes.
const LIMIT: usize = 64 * 1024;

pub struct Call {
    pub stripe: MockStripe,
    pub caller: KeyKind,
    pub form: Form,
    /// The id in the path; empty when the path has none.
    pub id: String,
    pub origin: Origin,
    pub method: Method,
    /// Without the prefix this API is mounted at.
    pub path: String,
    /// Tells whether two calls have the same parameters.
    pub fingerprint: String,
    /// What the caller speaks: told back, whatever it is. The objects are always those of [`API_VERSION`].
    version: HeaderValue,
    in_progress: InProgress,
}

impl Call {
    /// # Errors
    /// 403 for the holder of a publishable key.
    pub fn require_secret_key(&self) -> Result<(), Fault> {
        match self.caller {
            KeyKind::Secret => Ok(()),
            KeyKind::Publishable => Err(Fault::secret_key_required()),
        }
    }

    async fn from_parts<S>(request: Request, state: &S) -> Result<Self, Halt>
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
            origin: Origin::of_call(&stripe, ids::new_id("req"), idempotency_key),
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
    type Rejection = Halt;

    async fn from_request(request: Request, state: &S) -> Result<Self, Halt> {
        Self::from_parts(request, state).await
    }
}

/// Query and body together, as Stripe reads them.
async fn parameters(parts: &Parts, request: Request) -> Result<Form, Halt> {
    let mut encoded = parts.uri.query().unwrap_or_default().to_owned();
    let body = read_body(request, LIMIT).await?;
    if !body.is_empty() {
        require_form(&parts.headers)?;
        let body = std::str::from_utf8(&body).map_err(|_| Fault::invalid("The body is not UTF-8."))?;
        if !encoded.is_empty() {
            encoded.push('&');
        }
        encoded.push_str(body);
    }
    Ok(Form::parse(&encoded)?)
}

fn require_form(headers: &HeaderMap) -> Result<(), Fault> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if kind.is_empty() || kind.starts_with("application/x-www-form-urlencoded") {
        return Ok(());
    }
    Err(Fault::invalid(format!("Invalid request: the body must be application/x-www-form-urlencoded, not {kind}.")))
}

/// The `Stripe-Version` header: a day, perhaps with a release's name and with betas.
fn version_in(headers: &HeaderMap) -> Result<HeaderValue, Fault> {
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
    Err(Fault::invalid(format!("Invalid Stripe API version: {text}")))
}

/// The key of `Authorization: Bearer …`, or the user name of `Basic …`.
pub fn key_in(headers: &HeaderMap) -> Result<Option<String>, Fault> {
    let Some(value) = headers.get(AUTHORIZATION) else {
        return Ok(None);
    };
    let unreadable = || Fault::unauthorized("Invalid Authorization header.");
    let text = value.to_str().map_err(|_| unreadable())?;
    let (scheme, credentials) = text.split_once(' ').ok_or_else(unreadable)?;
    if scheme.eq_ignore_ascii_case("bearer") {
        return Ok(Some(credentials.trim().to_owned()));
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return Err(unreadable());
    }
    let decoded = BASE64.decode(credentials.trim()).map_err(|_| unreadable())?;
    let decoded = String::from_utf8(decoded).map_err(|_| unreadable())?;
    let user = decoded.split(':').next().unwrap_or_default();
    Ok(Some(user.to_owned()))
}

pub async fn authenticate(stripe: &MockStripe, shown: Option<String>) -> Result<KeyKind, Halt> {
    let Some(shown) = shown else {
        return Err(Fault::unauthorized(
            "You did not provide an API key. You need to provide your API key in the Authorization header, using \
             Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
        )
        .into());
    };
    let keys = stripe.memory.keys(&stripe.db, &stripe.clock).await?;
    keys.kind_of(&shown).ok_or_else(|| Fault::unauthorized("Invalid API Key provided.").into())
}

/// What a handler answers with.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub body: String,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Fresh,
    /// The kept answer of an earlier call with the same idempotency key.
    Replayed,
}

impl Answer {
    pub fn ok(value: &Value) -> Self {
        Self { status: StatusCode::OK, body: value.to_string(), source: Source::Fresh }
    }

    pub fn refused(fault: &Fault) -> Self {
        Self { status: fault.status(), body: fault.body().to_string(), source: Source::Fresh }
    }
}

impl IntoResponse for Answer {
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

/// Makes a route of a handler: its call is spoiled if a test wants that, runs to its end even if the caller
/// hangs up, and is answered with Stripe's headers.
pub fn served<F, Fut>(
    handler: F,
) -> impl Fn(Call) -> Pin<Box<dyn Future<Output = Response> + Send>> + Clone + Send + Sync + 'static
where
    F: Fn(Call) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = Result<Answer, Halt>> + Send + 'static,
{
    move |call| {
        let handler = handler.clone();
        Box::pin(async move {
            let (origin, version) = (call.origin.clone(), call.version.clone());
            let mut response = serve(call, handler).await.unwrap_or_else(IntoResponse::into_response);
            dress(&mut response, &origin, version);
            response
        })
    }
}

async fn serve<F, Fut>(call: Call, handler: F) -> Result<Response, Halt>
where
    F: Fn(Call) -> Fut + Send + 'static,
    Fut: Future<Output = Result<Answer, Halt>> + Send + 'static,
{
    let in_progress = match &call.origin.idempotency_key {
        Some(key) => Some(call.in_progress.enter(key)?),
        None => None,
    };
    let action = faults::take(&call.stripe, &call.method, &call.path).await?;
    if let Some(Action::Fail { status }) = action {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        return Err(Fault::provoked(status).into());
    }
    let work = async move {
        if let Some(Action::Hang { ms }) = action {
            faults::pause(ms).await;
        }
        let answer = handler(call).await;
        drop(in_progress);
        answer
    };
    let answer = tokio::spawn(work.in_current_span()).await.map_err(Error::internal)?;
    if let Some(Action::LoseAnswer { ms }) = action {
        faults::pause(ms).await;
        return Ok(broken_off());
    }
    answer.map(IntoResponse::into_response)
}

/// An answer whose body ends in the middle, so that the caller cannot know what became of the call.
fn broken_off() -> Response {
    let gone = futures_util::stream::once(async {
        Err::<axum::body::Bytes, _>(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
    });
    Response::new(Body::from_stream(gone))
}

fn dress(response: &mut Response, origin: &Origin, version: HeaderValue) {
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

pub async fn unknown_url(request: Request) -> Fault {
    Fault::unknown_url(request.method().as_str(), &format!("/v1{}", request.uri().path()))
}
