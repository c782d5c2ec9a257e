//! The bank's page: where a cardholder approves a payment, or does not. Plain HTML, without script.
//!
//! The client secret in the address is what protects it; the page sends it nowhere but back to itself and, as
//! Stripe does, to the shop's return address.

use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;
use url::Url;
use wasm_core::money::Cents;

use super::MockStripe;
use super::events::Origin;
use super::fault::Halt;
use super::form::Form;
use super::intent::{Intent, Status};
use super::intent_progress::{self, Wish};
use super::intent_state::{Step, Verdict};
use super::store;
use crate::config::is_loopback;
use crate::http::error::Error;
use crate::http::extract::read_body;

const LIMIT: usize = 4 * 1024;

const STYLE: &str = "body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:3rem auto;padding:0 1rem;\
color:#1c2530;background:#f6f7f9}main{background:#fff;border:1px solid #d5dae1;border-radius:.75rem;padding:1.5rem}\
h1{font-size:1.25rem;margin:0 0 .5rem}form{display:flex;gap:.75rem;margin-top:1.5rem}\
button{font:inherit;padding:.6rem 1.2rem;border-radius:.5rem;border:1px solid #1c2530;background:#fff;\
color:#1c2530;cursor:pointer}button[value=complete]{background:#1c2530;color:#fff}\
button:focus-visible{outline:3px solid #6aa3ff;outline-offset:2px}";

/// The page with the question, or straight on if nobody asks any more.
pub async fn show(
    State(stripe): State<MockStripe>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Response> {
    let mut connection = stripe.db.read().acquire().await.map_err(|error| broken(&error.into()))?;
    let intent = store::find(&mut connection, &id).await.map_err(|error| broken(&error))?;
    let intent = authorized(intent, &request).ok_or_else(unknown)?;
    if leads_elsewhere(&stripe, &intent) {
        return Err(elsewhere());
    }
    Ok(match intent.status {
        Status::RequiresAction => question(&intent),
        _ => onward(&intent),
    })
}

/// The cardholder's answer; then back to the shop.
pub async fn answer(
    State(stripe): State<MockStripe>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Response> {
    let secret = secret_in(&request).ok_or_else(unknown)?;
    let body = read_body(request, LIMIT).await.map_err(|error| broken(&error))?;
    let verdict = verdict_in(&body).ok_or_else(undecided)?;
    let mut connection = stripe.db.read().acquire().await.map_err(|error| broken(&error.into()))?;
    let intent: Option<Intent> = store::find(&mut connection, &id).await.map_err(|error| broken(&error))?;
    drop(connection);
    if intent.is_some_and(|intent| intent.is_known_by(&secret) && leads_elsewhere(&stripe, &intent)) {
        return Err(elsewhere());
    }
    let origin = Origin::of_nobody(&stripe);
    let mut wish = Wish::new(&stripe, &origin);
    wish.step = Some(Step::Authenticate(verdict));
    let intent = stripe
        .db
        .write_closure(move |tx| {
            let (id, secret, wish) = (id.clone(), secret.clone(), wish.clone());
            Box::pin(async move { settle(tx, &id, &secret, &wish).await })
        })
        .await
        .map_err(|error| broken(&error))?
        .ok_or_else(unknown)?;
    origin.wake_courier();
    Ok(onward(&intent))
}

/// `None` for an unknown intent or a wrong secret. An answer that comes too late changes nothing.
async fn settle(tx: &mut AnyConnection, id: &str, secret: &str, wish: &Wish) -> Result<Option<Intent>, Error> {
    let intent: Option<Intent> = store::take(tx, id).await?;
    let Some(intent) = intent.filter(|intent| intent.is_known_by(secret)) else {
        return Ok(None);
    };
    match intent_progress::advance(tx, &intent, wish).await {
        Ok(decided) => Ok(Some(decided.intent)),
        Err(Halt::Refused(_)) => Ok(Some(intent)),
        Err(Halt::Failed(error)) => Err(error),
    }
}

fn authorized(intent: Option<Intent>, request: &Request) -> Option<Intent> {
    let secret = secret_in(request)?;
    intent.filter(|intent| intent.is_known_by(&secret))
}

fn secret_in(request: &Request) -> Option<String> {
    let mut query = Form::parse(request.uri().query()?).ok()?;
    query.take_text("client_secret").ok()?
}

fn verdict_in(body: &[u8]) -> Option<Verdict> {
    let mut form = Form::parse(std::str::from_utf8(body).ok()?).ok()?;
    match form.take_text("outcome").ok()?.as_deref() {
        Some("complete") => Some(Verdict::Complete),
        Some("fail") => Some(Verdict::Fail),
        _ => None,
    }
}

/// Whether this page, which is at the shop's address, would lead to neither the shop nor a developer's own machine: whoever
/// has the publishable key chooses the return address of an intent of their own.
fn leads_elsewhere(stripe: &MockStripe, intent: &Intent) -> bool {
    let Some(address) = intent.return_url.as_deref() else {
        return false;
    };
    let shop = Url::parse(&stripe.public_url).map(|url| url.origin()).ok();
    !Url::parse(address).is_ok_and(|url| Some(url.origin()) == shop || is_loopback(&url))
}

/// Where the shop waits for the cardholder, with what became of the payment.
fn return_address(intent: &Intent) -> Option<Url> {
    let mut url = Url::parse(intent.return_url.as_deref()?).ok()?;
    let status = if intent.status == Status::Succeeded { "succeeded" } else { "failed" };
    url.query_pairs_mut()
        .append_pair("payment_intent", &intent.id)
        .append_pair("payment_intent_client_secret", &intent.client_secret)
        .append_pair("redirect_status", status);
    Some(url)
}

fn onward(intent: &Intent) -> Response {
    if let Some(url) = return_address(intent)
        && let Ok(location) = HeaderValue::from_str(url.as_str())
    {
        let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, NO_STORE)];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    let sentence = match intent.status {
        Status::Succeeded => "The payment went through. You can close this page.",
        _ => "The payment was not made. You can close this page and try again in the shop.",
    };
    page(StatusCode::OK, "Test bank", sentence, "", None)
}

fn question(intent: &Intent) -> Response {
    let sentence = format!(
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
    page(StatusCode::OK, "Approve this payment?", &sentence, &form, return_address(intent))
}

fn unknown() -> Response {
    page(StatusCode::NOT_FOUND, "Test bank", "There is nothing to approve here.", "", None)
}

fn elsewhere() -> Response {
    let sentence = "The return address of this payment is not one of the shop's, so the test bank does not lead there.";
    page(StatusCode::BAD_REQUEST, "Test bank", sentence, "", None)
}

fn undecided() -> Response {
    page(StatusCode::BAD_REQUEST, "Test bank", "Press Complete or Fail.", "", None)
}

fn broken(error: &Error) -> Response {
    tracing::error!(%error, "the test bank's page failed");
    let sentence = "The bank cannot be reached right now. Please reload this page in a moment.";
    page(StatusCode::SERVICE_UNAVAILABLE, "Test bank", sentence, "", None)
}

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// `form` is our own HTML; the other texts hold nothing that a caller chose.
fn page(status: StatusCode, title: &str, sentence: &str, form: &str, leads_to: Option<Url>) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><title>{title}</title><style>{STYLE}</style></head>\
         <body><main><h1>{title}</h1><p>{sentence}</p>{form}</main></body></html>"
    );
    let mut response = (status, html).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
    if let Ok(policy) = HeaderValue::from_str(&policy(leads_to.as_ref())) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// `form-action` is also asked about the redirect that follows the form, so it names the shop's origin.
fn policy(leads_to: Option<&Url>) -> String {
    let style = BASE64.encode(Sha256::digest(STYLE.as_bytes()));
    let shop = leads_to.map(|url| format!(" {}", url.origin().ascii_serialization())).unwrap_or_default();
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; form-action 'self'{shop}; base-uri 'none'; \
         frame-ancestors 'none'"
    )
}
