//! Stripe webhooks: a signed event is verified, stored and acknowledged, then applied, with retries until that
//! succeeds.

mod event;
mod signature;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use tracing::Instrument as _;
use wasm_core::money::Cents;

use self::event::Event;
use super::finalize::{finalize, handled};
use super::metrics::{EventOutcome, OrderSource};
use super::provider::Deadline;
use super::webhook_events::{Handled, ProcessedEvent, store};
use super::{disputes, fraud_warnings, lost_payments, refunds, sync};
use crate::checkout::Checkout;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::body_limits::BodyLimits;
use crate::http::extract::read_body;
use crate::infra::clock::SECOND;

/// Every event type that the shop processes; a webhook endpoint needs no others.
pub const SUBSCRIBED: [&str; 15] = [
    "payment_intent.succeeded",
    "payment_intent.canceled",
    "charge.refunded",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
    "radar.early_fraud_warning.created",
    "radar.early_fraud_warning.updated",
    "payout.paid",
    "payout.failed",
    "payout.reconciliation_completed",
];

const BODY_LIMITS: BodyLimits = BodyLimits::of_bytes(512 * 1024);

error_responses!(WebhookErrors: [NONE] InvalidRequest BodyTooLarge UnsupportedMediaType);

/// Receive a Stripe event
///
/// Returns 200 once the event is stored; it is applied afterward. An event that is delivered again returns 200 and has
/// no further effect. A missing or invalid signature, and an id in another form than Stripe's, is a 400.
#[utoipa::path(
    post,
    path = "/api/webhooks/stripe",
    tag = "Checkout",
    operation_id = "receive_stripe_event",
    params((
        "stripe-signature" = String,
        Header,
        description = "Stripe's signature of the body (`t=SECONDS,v1=HMAC`).",
        example = "t=1798135200,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    )),
    request_body(content = serde_json::Value, example = json!({
        "id": "evt_3PqLkX2eZvKYlo2C1f9Nd0aB",
        "type": "payment_intent.succeeded",
        "data": { "object": { "id": "pi_3PqLkX2eZvKYlo2C1f9Nd0aB", "object": "payment_intent" } },
    })),
    responses((status = 200, description = "The event is stored."), WebhookErrors),
)]
pub async fn receive(State(state): State<Arc<Checkout>>, request: Request) -> Result<StatusCode, Error> {
    let signature =
        request.headers().get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let bytes = read_body(request, BODY_LIMITS).await?;
    let body = std::str::from_utf8(&bytes).map_err(|_| invalid_signature())?.to_owned();
    verify(&state, &body, &signature)?;
    let event: Event = serde_json::from_str(&body).map_err(|_| invalid_event())?;
    if !event.has_valid_ids() || event.stored_fields().any(|field| field.contains('\0')) {
        return Err(invalid_event());
    }
    let (needed, kind) = (event.is_processed().then_some(body), counted_kind(&event.kind));
    let args = (event.id, event.kind, needed.clone(), state.clock.now_ms());
    let insert = state
        .db
        .write(args, |tx, (id, kind, body, now)| Box::pin(store::insert_event(tx, id, kind, body.as_deref(), *now)));
    match (insert.await?, needed) {
        (false, _) => state.metrics.count_event(kind, EventOutcome::Duplicate),
        (true, None) => state.metrics.count_event(kind, EventOutcome::Ignored),
        (true, Some(body)) => {
            let state = state.clone();
            state.tasks.clone().spawn(async move { apply_logged(&state, &body).await });
        }
    }
    Ok(StatusCode::OK)
}

/// The type of an event in a metric.
fn counted_kind(kind: &str) -> &'static str {
    SUBSCRIBED.into_iter().find(|known| *known == kind).unwrap_or("other")
}

fn invalid_event() -> Error {
    Error::new(Code::InvalidRequest, "The event is invalid.")
}

fn verify(state: &Checkout, body: &str, header: &str) -> Result<(), Error> {
    let now_seconds = state.clock.now_ms() / SECOND;
    let mut secrets = state.provider.webhook_secret.split(',').map(str::trim);
    let is_valid = secrets.any(|secret| signature::is_valid(header, body, secret, now_seconds));
    if is_valid { Ok(()) } else { Err(invalid_signature()) }
}

fn invalid_signature() -> Error {
    Error::new(Code::InvalidRequest, "The signature is invalid.")
}

/// Applies all stored events that are due: those that failed before, and those that a crash left. An event that fails
/// again is retried later.
pub async fn apply_pending(state: &Arc<Checkout>) -> Result<(), Error> {
    let now = state.clock.now_ms();
    while !state.stopping.is_cancelled() {
        let pending = state.db.write(now, |tx, now| Box::pin(store::claim_events(tx, *now))).await?;
        if pending.is_empty() {
            break;
        }
        for (_, body) in pending {
            apply_logged(state, &body).await;
        }
    }
    Ok(())
}

async fn apply_logged(state: &Arc<Checkout>, body: &str) {
    let (kind, applied) = match serde_json::from_str::<Event>(body) {
        Ok(event) => {
            let span = tracing::info_span!("webhook_event", event = event.id, kind = event.kind);
            (counted_kind(&event.kind), apply(state, &event).instrument(span).await)
        }
        Err(error) => (counted_kind(""), Err(Error::internal(error))),
    };
    match applied {
        Ok(()) => state.metrics.count_event(kind, EventOutcome::Applied),
        Err(error) => {
            state.metrics.count_event(kind, EventOutcome::Failed);
            tracing::warn!(%error, "applying a webhook event failed; it will be retried");
        }
    }
}

/// Applies the event and marks it as processed in one transaction. Requests to the provider come before it.
async fn apply(state: &Arc<Checkout>, event: &Event) -> Result<(), Error> {
    let processed = ProcessedEvent::new(&event.id, state.clock.now_ms());
    match dispatch(state, event, &processed).await? {
        Handled::Marked => Ok(()),
        Handled::Unmarked => processed.mark_alone(&state.db).await,
    }
}

/// The event names the payment; its state is read from the provider. The event's own values are a fallback for a
/// provider that has no endpoint for charges, refunds, disputes or early fraud warnings; an object that the provider does
/// not know is an alert.
async fn dispatch(state: &Arc<Checkout>, event: &Event, processed: &ProcessedEvent) -> Result<Handled, Error> {
    if event.is_payout() {
        state.payouts_changed.notify_one();
    }
    let Some(intent_id) = event.payment_intent_id() else {
        return Ok(Handled::Unmarked);
    };
    if event.kind == "payment_intent.succeeded" {
        return match finalize(state, intent_id, processed, OrderSource::Webhook).await {
            Err(error) if error.code() == Code::NotFound => {
                lost_payments::examine_by_id(state, intent_id).await.map(|()| Handled::Unmarked)
            }
            finalized => handled(finalized),
        };
    }
    if event.is_refund() || event.is_dispute() || event.is_fraud_warning() {
        // Such an event may arrive before that of its payment: the order must exist first.
        handled(finalize(state, intent_id, &ProcessedEvent::none(), OrderSource::Webhook).await)?;
    }
    match event.kind.as_str() {
        "payment_intent.canceled" => sync::sync_checkout(state, intent_id, processed, OrderSource::Webhook).await,
        _ if event.is_dispute() => {
            disputes::sync_from_event(state, intent_id, event.subject(), event.dispute(), processed).await
        }
        _ if event.is_fraud_warning() => {
            let reported = event.fraud_warning();
            fraud_warnings::sync_from_event(state, intent_id, event.subject(), reported, processed).await
        }
        _ if event.is_refund() => match event.failed_refund() {
            Some(failed) => refunds::sync_failed(state, intent_id, failed, processed).await,
            None => {
                let reported = event.amount_refunded().map(Cents::from_cents);
                refunds::sync_refund(state, Deadline::start(), intent_id, reported, processed).await
            }
        },
        _ => Ok(Handled::Unmarked),
    }
}
