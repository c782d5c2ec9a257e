//! `/test-stripe/control`: fault injection for tests and load runs. JSON, authorized by the secret key.
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
//! `POST` replaces `webhooks`, if given, for later events, and adds `calls` to the existing rules. `GET` returns both,
//! with the remaining times. `DELETE` resets everything.

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::api_error::{ApiError, CallError};
use super::call::{self, ApiResponse};
use super::events::Type;
use super::fault_injection::{self, Rule};
use super::keys::KeyKind;
use super::{MockStripe, store};
use crate::http::error::Error;
use crate::http::extract::{JSON_LIMIT, read_body};
use crate::infra::random;

const NAME: &str = "webhook_misbehaviour";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Control {
    webhooks: Option<Webhooks>,
    calls: Vec<Rule>,
}

/// Faults of webhook deliveries; the default has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Webhooks {
    /// Delay of every event.
    delay_ms: u32,
    /// Maximum random extra delay of a delivery.
    reorder_ms: u32,
    /// Percentage of events that are never delivered.
    drop_percent: u8,
    /// Percentage of events that are delivered twice.
    double_percent: u8,
    /// Affected event types; empty for all.
    types: Vec<String>,
}

impl Webhooks {
    /// Delivery times of an event: none, one or two.
    pub fn times(&self, kind: Type, now_ms: i64) -> Vec<i64> {
        if !self.types.is_empty() && !self.types.iter().any(|wanted| wanted == kind.word()) {
            return vec![now_ms];
        }
        if happens_with(self.drop_percent) {
            return Vec::new();
        }
        let count = if happens_with(self.double_percent) { 2 } else { 1 };
        (0..count)
            .map(|_| {
                let shuffled = i64::try_from(random::below(u64::from(self.reorder_ms))).unwrap_or_default();
                now_ms + i64::from(self.delay_ms) + shuffled
            })
            .collect()
    }
}

fn happens_with(percent: u8) -> bool {
    random::below(100) < u64::from(percent)
}

pub async fn show(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, CallError> {
    authorize(&stripe, &headers).await?;
    respond(&stripe).await
}

pub async fn set(
    State(stripe): State<MockStripe>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, CallError> {
    authorize(&stripe, &headers).await?;
    let body = read_body(request, JSON_LIMIT).await?;
    let control: Control =
        serde_json::from_slice(&body).map_err(|error| ApiError::invalid(format!("Invalid control: {error}")))?;
    validate(&control)?;
    stripe.db.write(control, |tx, control| Box::pin(write(tx, control))).await?;
    stripe.memory.inject();
    respond(&stripe).await
}

pub async fn clear(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, CallError> {
    authorize(&stripe, &headers).await?;
    stripe.db.write((), |tx, ()| Box::pin(delete(tx))).await?;
    stripe.memory.inject();
    respond(&stripe).await
}

async fn authorize(stripe: &MockStripe, headers: &HeaderMap) -> Result<(), CallError> {
    let shown = call::key_in(headers)?;
    match call::authenticate(stripe, shown).await? {
        KeyKind::Secret => Ok(()),
        KeyKind::Publishable => Err(ApiError::secret_key_required().into()),
    }
}

fn validate(control: &Control) -> Result<(), ApiError> {
    if let Some(webhooks) = &control.webhooks
        && (webhooks.drop_percent > 100 || webhooks.double_percent > 100)
    {
        return Err(ApiError::invalid("A percentage must be 0 to 100.").param("webhooks"));
    }
    for rule in &control.calls {
        if rule.times < 1 || !rule.path.starts_with("/v1") {
            let message = "A call needs a path that starts with /v1, and times of at least 1.";
            return Err(ApiError::invalid(message).param("calls"));
        }
        if matches!(rule.action, fault_injection::Action::Fail { status } if !(400..600).contains(&status)) {
            return Err(ApiError::invalid("The status of a failing call must be 400 to 599.").param("calls"));
        }
    }
    Ok(())
}

async fn delete(tx: &mut AnyConnection) -> Result<(), Error> {
    store::delete_setting(tx, NAME).await?;
    fault_injection::delete_all(tx).await
}

async fn write(tx: &mut AnyConnection, control: &Control) -> Result<(), Error> {
    if let Some(webhooks) = &control.webhooks {
        let text = serde_json::to_string(webhooks).map_err(Error::internal)?;
        store::set_setting(tx, NAME, &text).await?;
    }
    for rule in &control.calls {
        fault_injection::insert(tx, rule).await?;
    }
    Ok(())
}

async fn respond(stripe: &MockStripe) -> Result<Response, CallError> {
    let mut connection = stripe.db.read().acquire().await?;
    let webhooks = find_webhooks(&mut connection).await?;
    let calls: Vec<Value> =
        fault_injection::list(&mut connection).await?.into_iter().map(|(_, rule)| json!(rule)).collect();
    Ok(ApiResponse::ok(&json!({ "webhooks": webhooks, "calls": calls })).into_response())
}

pub async fn find_webhooks(connection: &mut AnyConnection) -> Result<Webhooks, Error> {
    match store::find_setting(connection, NAME).await? {
        Some(text) => serde_json::from_str(&text).map_err(Error::internal),
        None => Ok(Webhooks::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untroubled_event_is_posted_once_and_at_once() {
        assert_eq!(Webhooks::default().times(Type::RefundCreated, 5), [5]);
    }

    #[test]
    fn events_are_dropped_doubled_and_delayed_as_told() {
        let dropped = Webhooks { drop_percent: 100, ..Webhooks::default() };
        assert!(dropped.times(Type::RefundCreated, 5).is_empty());
        let doubled = Webhooks { double_percent: 100, delay_ms: 10, ..Webhooks::default() };
        assert_eq!(doubled.times(Type::RefundCreated, 5), [15, 15]);
        let shuffled = Webhooks { reorder_ms: 50, ..Webhooks::default() };
        let times = shuffled.times(Type::RefundCreated, 5);
        assert!(times.len() == 1 && (5..55).contains(&times[0]), "{times:?}");
    }

    #[test]
    fn other_types_are_left_alone() {
        let picky = Webhooks { drop_percent: 100, types: vec!["charge.refunded".to_owned()], ..Webhooks::default() };
        assert!(picky.times(Type::ChargeRefunded, 5).is_empty());
        assert_eq!(picky.times(Type::RefundCreated, 5), [5]);
    }
}
