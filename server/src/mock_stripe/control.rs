//! `/test-stripe/control`: misbehaviour on demand, for tests and load runs. JSON, with the secret key.
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
//! `POST` sets `webhooks` as a whole, if it is given, for events from then on, and adds `calls` to the rules
//! there are; `GET` shows both, with the times that are left; `DELETE` ends all of it.

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::AnyConnection;

use super::call::{self, Answer};
use super::events::Type;
use super::fault::{Fault, Halt};
use super::faults::{self, Rule};
use super::keys::KeyKind;
use super::{MockStripe, store};
use crate::http::error::Error;
use crate::http::extract::{JSON_LIMIT, read_body};
use crate::infra::random;

const NAME: &str = "webhook_misbehaviour";

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Orders {
    webhooks: Option<Webhooks>,
    calls: Vec<Rule>,
}

/// How webhooks go wrong; all zero is how they go right.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Webhooks {
    /// Each event comes so much later.
    delay_ms: u32,
    /// Each posting comes later by a random part of this.
    reorder_ms: u32,
    /// So many of a hundred events are never posted.
    drop_percent: u8,
    /// So many of a hundred events are posted twice.
    double_percent: u8,
    /// Only events of these types; empty: of all.
    types: Vec<String>,
}

impl Webhooks {
    /// When an event is posted: never, once or twice.
    pub fn times(&self, kind: Type, now_ms: i64) -> Vec<i64> {
        if !self.types.is_empty() && !self.types.iter().any(|wanted| wanted == kind.word()) {
            return vec![now_ms];
        }
        if falls_under(self.drop_percent) {
            return Vec::new();
        }
        let count = if falls_under(self.double_percent) { 2 } else { 1 };
        (0..count)
            .map(|_| {
                let shuffled = i64::try_from(random::below(u64::from(self.reorder_ms))).unwrap_or_default();
                now_ms + i64::from(self.delay_ms) + shuffled
            })
            .collect()
    }
}

fn falls_under(percent: u8) -> bool {
    random::below(100) < u64::from(percent)
}

pub async fn show(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, Halt> {
    authorize(&stripe, &headers).await?;
    answer(&stripe).await
}

pub async fn set(State(stripe): State<MockStripe>, headers: HeaderMap, request: Request) -> Result<Response, Halt> {
    authorize(&stripe, &headers).await?;
    let body = read_body(request, JSON_LIMIT).await?;
    let orders: Orders =
        serde_json::from_slice(&body).map_err(|error| Fault::invalid(format!("Invalid control: {error}")))?;
    check(&orders)?;
    stripe
        .db
        .write_closure(move |tx| {
            let orders = orders.clone();
            Box::pin(async move { obey(tx, &orders).await })
        })
        .await?;
    stripe.memory.upset();
    answer(&stripe).await
}

pub async fn clear(State(stripe): State<MockStripe>, headers: HeaderMap) -> Result<Response, Halt> {
    authorize(&stripe, &headers).await?;
    stripe
        .db
        .write_closure(|tx| {
            Box::pin(async move {
                store::delete_setting(tx, NAME).await?;
                faults::delete_all(tx).await
            })
        })
        .await?;
    stripe.memory.upset();
    answer(&stripe).await
}

async fn authorize(stripe: &MockStripe, headers: &HeaderMap) -> Result<(), Halt> {
    let shown = call::key_in(headers)?;
    match call::authenticate(stripe, shown).await? {
        KeyKind::Secret => Ok(()),
        KeyKind::Publishable => Err(Fault::secret_key_required().into()),
    }
}

fn check(orders: &Orders) -> Result<(), Fault> {
    if let Some(webhooks) = &orders.webhooks
        && (webhooks.drop_percent > 100 || webhooks.double_percent > 100)
    {
        return Err(Fault::invalid("A percentage is 0 to 100.").param("webhooks"));
    }
    for rule in &orders.calls {
        if rule.times < 1 || !rule.path.starts_with("/v1") {
            let message = "A call needs a path that begins with /v1, and times of at least 1.";
            return Err(Fault::invalid(message).param("calls"));
        }
        if matches!(rule.action, faults::Action::Fail { status } if !(400..600).contains(&status)) {
            return Err(Fault::invalid("A call can fail with 400 to 599.").param("calls"));
        }
    }
    Ok(())
}

async fn obey(tx: &mut AnyConnection, orders: &Orders) -> Result<(), Error> {
    if let Some(webhooks) = &orders.webhooks {
        let text = serde_json::to_string(webhooks).map_err(Error::internal)?;
        store::set_setting(tx, NAME, &text).await?;
    }
    for rule in &orders.calls {
        faults::insert(tx, rule).await?;
    }
    Ok(())
}

async fn answer(stripe: &MockStripe) -> Result<Response, Halt> {
    let mut connection = stripe.db.read().acquire().await?;
    let webhooks = find_webhooks(&mut connection).await?;
    let calls: Vec<Value> = faults::list(&mut connection).await?.into_iter().map(|(_, rule)| json!(rule)).collect();
    Ok(Answer::ok(&json!({ "webhooks": webhooks, "calls": calls })).into_response())
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
