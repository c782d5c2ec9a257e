//! The bank's 3-D Secure page, where the customer approves a payment or fails it. Plain HTML without scripts.
//!
//! The client secret in the address protects the page. It is sent only to the page itself and, as Stripe does, to the
//! shop's return address.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, Error};
use url::{Host, Url};
use wasm_core::money::Cents;

use crate::MockStripe;
use crate::api_error::CallError;
use crate::events::Origin;
use crate::form::Form;
use crate::intent::{Intent, Status};
use crate::intent_progress::{self, IntentRequest};
use crate::intent_state::{ChallengeResult, Step};
use crate::store;

const STYLE: &str = "body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;\
color:#1c2530;background:#f6f7f9}main{background:#fff;border:1px solid #d5dae1;border-radius:.75rem;padding:1.5rem}\
h1{font-size:1.25rem;margin:0 0 .5rem}form{display:flex;gap:.75rem;margin-top:1.5rem}\
button{font:inherit;padding:.6rem 1.2rem;border-radius:.5rem;border:1px solid #1c2530;background:#fff;\
color:#1c2530;cursor:pointer}button[value=complete]{background:#1c2530;color:#fff}\
button:focus-visible{outline:3px solid #6aa3ff;outline-offset:2px}";

/// Shows the challenge, or redirects if none is pending.
pub async fn show(
    State(stripe): State<MockStripe>,
    Path(id): Path<String>,
    address: Uri,
) -> Result<Response, Response> {
    let secret = secret_in(&address).ok_or_else(unknown)?;
    let intent = find(&stripe, &id, &secret).await?.ok_or_else(unknown)?;
    Ok(match intent.status {
        Status::RequiresAction => challenge_page(&intent),
        _ => redirect(&intent),
    })
}

/// Records the customer's choice and redirects to the shop.
pub async fn submit_challenge(
    State(stripe): State<MockStripe>,
    Path(id): Path<String>,
    address: Uri,
    body: Bytes,
) -> Result<Response, Response> {
    let secret = secret_in(&address).ok_or_else(unknown)?;
    let choice = choice_in(&body).ok_or_else(no_choice)?;
    find(&stripe, &id, &secret).await?;
    let origin = Origin::of_page(&stripe);
    let mut request = IntentRequest::new(&stripe, &origin);
    request.step = Some(Step::Authenticate(choice));
    let intent = stripe
        .db
        .write((id, secret, request), |tx, (id, secret, request)| Box::pin(advance(tx, id, secret, request)))
        .await
        .map_err(|error| unavailable(&error))?
        .ok_or_else(unknown)?;
    origin.wake_sender();
    Ok(redirect(&intent))
}

/// None for an unknown intent or a wrong secret.
///
/// # Errors
/// A page, even if the intent has an untrusted return address.
async fn find(stripe: &MockStripe, id: &str, secret: &str) -> Result<Option<Intent>, Response> {
    let mut connection = stripe.db.read().acquire().await.map_err(|error| unavailable(&error))?;
    let intent: Option<Intent> = store::find(&mut connection, id).await.map_err(|error| unavailable(&error))?;
    let intent = intent.filter(|intent| intent.is_known_by(secret));
    match intent {
        Some(intent) if has_untrusted_address(stripe, &intent) => Err(untrusted_address()),
        intent => Ok(intent),
    }
}

/// None for an unknown intent or a wrong secret. A late choice changes nothing.
async fn advance(
    tx: &mut AnyConnection,
    id: &str,
    secret: &str,
    request: &IntentRequest,
) -> Result<Option<Intent>, Error> {
    let intent: Option<Intent> = store::lock(tx, id).await?;
    let Some(intent) = intent.filter(|intent| intent.is_known_by(secret)) else {
        return Ok(None);
    };
    match intent_progress::advance(tx, &intent, request).await {
        Ok(transition) => Ok(Some(transition.intent)),
        Err(CallError::Api(_)) => Ok(Some(intent)),
        Err(CallError::Internal(error)) => Err(error),
    }
}

fn secret_in(address: &Uri) -> Option<String> {
    let mut query = Form::parse(address.query()?).ok()?;
    query.take_text("client_secret").ok()?
}

fn choice_in(body: &[u8]) -> Option<ChallengeResult> {
    let mut form = Form::parse(std::str::from_utf8(body).ok()?).ok()?;
    match form.take_text("outcome").ok()?.as_deref() {
        Some("complete") => Some(ChallengeResult::Complete),
        Some("fail") => Some(ChallengeResult::Fail),
        _ => None,
    }
}

/// Prevents an open redirect: whether the return address is neither the shop's nor a loopback address. Any holder of
/// the publishable key can choose the return address of an intent.
fn has_untrusted_address(stripe: &MockStripe, intent: &Intent) -> bool {
    let Some(address) = intent.return_url.as_deref() else {
        return false;
    };
    let shop = Url::parse(&stripe.base_url).map(|url| url.origin()).ok();
    !Url::parse(address).is_ok_and(|url| Some(url.origin()) == shop || is_loopback(&url))
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// The shop's return address with the result of the payment.
fn return_address(intent: &Intent) -> Option<Url> {
    let mut url = Url::parse(intent.return_url.as_deref()?).ok()?;
    let status = if intent.status == Status::Succeeded { "succeeded" } else { "failed" };
    url.query_pairs_mut()
        .append_pair("payment_intent", &intent.id)
        .append_pair("payment_intent_client_secret", &intent.client_secret)
        .append_pair("redirect_status", status);
    Some(url)
}

fn redirect(intent: &Intent) -> Response {
    if let Some(url) = return_address(intent)
        && let Ok(location) = HeaderValue::from_str(url.as_str())
    {
        let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, NO_STORE)];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    let message = match intent.status {
        Status::Succeeded => "The payment went through. You can close this page.",
        _ => "The payment failed. You can close this page and try again in the shop.",
    };
    page(StatusCode::OK, "Test bank", message, "", None)
}

fn challenge_page(intent: &Intent) -> Response {
    let message = format!(
        "The shop asks for {} {}. This is test mode: no money moves.",
        Cents::from_cents(intent.amount),
        intent.currency.to_uppercase()
    );
    let form = format!(
        "<form method=\"post\" action=\"?client_secret={}\">\
         <button name=\"outcome\" value=\"complete\">Complete</button>\
         <button name=\"outcome\" value=\"fail\">Fail</button></form>",
        intent.client_secret
    );
    page(StatusCode::OK, "Approve this payment?", &message, &form, return_address(intent))
}

fn unknown() -> Response {
    page(StatusCode::NOT_FOUND, "Test bank", "There is nothing to approve here.", "", None)
}

fn untrusted_address() -> Response {
    let message =
        "The return address of this payment doesn't belong to the shop, so the test bank doesn't redirect to it.";
    page(StatusCode::BAD_REQUEST, "Test bank", message, "", None)
}

fn no_choice() -> Response {
    page(StatusCode::BAD_REQUEST, "Test bank", "Press Complete or Fail.", "", None)
}

fn unavailable(error: &Error) -> Response {
    tracing::error!(%error, "rendering the page of the test bank failed");
    let message = "The bank is unavailable right now. Please reload this page in a moment.";
    page(StatusCode::SERVICE_UNAVAILABLE, "Test bank", message, "", None)
}

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// `form` is trusted HTML; the other texts contain no user input.
fn page(status: StatusCode, title: &str, message: &str, form: &str, return_to: Option<Url>) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1><p>{message}</p>{form}</main></body></html>"
    );
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
    if let Ok(policy) = HeaderValue::from_str(&policy(return_to.as_ref())) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// `form-action` also applies to the redirect after the form, so it allows the shop's origin.
fn policy(return_to: Option<&Url>) -> String {
    let style = BASE64.encode(Sha256::digest(STYLE.as_bytes()));
    let shop = return_to.map(|url| format!(" {}", url.origin().ascii_serialization())).unwrap_or_default();
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action 'self'{shop}; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}
