//! `/control`: fault injection for tests and load runs. JSON, authorized by the secret key.
//!
//! ```json
//! {
//!   "webhooks": {"delay_ms": 2000, "reorder_ms": 0, "drop_percent": 10, "double_percent": 5,
//!                "types": ["payment_intent.succeeded"]},
//!   "calls": [{"method": "POST", "path": "/v1/refunds", "times": 2, "action": {"fail": {"status": 500}}},
//!             {"path": "/v1/tax", "times": 1, "action": {"hang": {"ms": 3000}}},
//!             {"path": "/v1/payment_intents", "times": 1, "action": {"lose_answer": {"ms": 0}}}]
//! }
//! ```
//!
//! `POST /control/payouts` pays out the balance (`payouts.rs`), and `POST /control/refunds/{id}/fail` lets the customer's
//! bank return a refund (`refunds.rs`).
//!
//! `POST` replaces `webhooks`, if given, for later events, and adds `calls` to the existing rules. `GET` returns both,
//! with the remaining times. `DELETE` resets everything.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Error};

use crate::MockStripe;
use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::auth;
use crate::fault_injection::{self, Rule};
use crate::keys::KeyKind;
use crate::webhook_faults::{self, WebhookFaults};

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Control {
    webhooks: Option<WebhookFaults>,
    calls: Vec<Rule>,
}

pub async fn show(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, CallError> {
    authorize(&stripe, &headers).await?;
    respond(&stripe).await
}

pub async fn set(
    State(stripe): State<MockStripe>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, CallError> {
    authorize(&stripe, &headers).await?;
    let body = body.map_err(|rejection| ApiError::unreadable(&rejection))?;
    let control: Control =
        serde_json::from_slice(&body).map_err(|error| ApiError::invalid(format!("Invalid control: {error}")))?;
    validate(&control)?;
    stripe.db.write(control, |tx, control| Box::pin(write(tx, control))).await?;
    stripe.cache.inject();
    respond(&stripe).await
}

pub async fn clear(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, CallError> {
    authorize(&stripe, &headers).await?;
    stripe.db.write((), |tx, ()| Box::pin(delete(tx))).await?;
    stripe.cache.inject();
    respond(&stripe).await
}

pub async fn authorize(stripe: &MockStripe, headers: &HeaderMap) -> Result<(), CallError> {
    let key = auth::key_in(headers)?;
    match auth::authenticate(stripe, key).await? {
        KeyKind::Secret => Ok(()),
        KeyKind::Publishable => Err(ApiError::secret_key_required().into()),
    }
}

fn validate(control: &Control) -> Result<(), ApiError> {
    if control.webhooks.as_ref().is_some_and(|faults| !faults.is_valid()) {
        return Err(ApiError::invalid("A percentage must be 0 to 100.").param("webhooks"));
    }
    for rule in &control.calls {
        if rule.times < 1 || !rule.path.starts_with("/v1") {
            let message = "A rule needs a path that starts with /v1, and times of at least 1.";
            return Err(ApiError::invalid(message).param("calls"));
        }
        if matches!(rule.action, fault_injection::Action::Fail { status } if !(400..600).contains(&status)) {
            return Err(ApiError::invalid("The status of a failing request must be 400 to 599.").param("calls"));
        }
    }
    Ok(())
}

async fn delete(tx: &mut AnyConnection) -> Result<(), Error> {
    webhook_faults::delete(tx).await?;
    fault_injection::delete_all(tx).await
}

async fn write(tx: &mut AnyConnection, control: &Control) -> Result<(), Error> {
    if let Some(faults) = &control.webhooks {
        webhook_faults::save(tx, faults).await?;
    }
    for rule in &control.calls {
        fault_injection::insert(tx, rule).await?;
    }
    Ok(())
}

async fn respond(stripe: &MockStripe) -> Result<Response, CallError> {
    let mut connection = stripe.db.read().acquire().await?;
    let webhooks = webhook_faults::find(&mut connection).await?;
    let calls: Vec<Value> =
        fault_injection::list(&mut connection).await?.into_iter().map(|(_, rule)| json!(rule)).collect();
    Ok(ApiResponse::ok(&json!({ "webhooks": webhooks, "calls": calls })).into_response())
}
