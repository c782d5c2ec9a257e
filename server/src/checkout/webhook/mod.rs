//! Stripe's signed events: checked, stored, answered; then applied, again and again until it works.

mod note;
mod signature;
pub mod store;

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use serde::Deserialize;
use wasm_core::money::Cents;
use wasm_core::orders::DisputeStatus;

pub use self::note::{Note, Noted};
use super::finalize::{Finalized, Made, finalize};
use super::provider::{Budget, dispute_status_of};
use super::{disputes, reconcile, refund};
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::extract::read_body;
use crate::infra::clock::SECOND;
use crate::shop::Shop;

/// Who the history names when nobody did it by hand.
pub const SHOP: &str = "shop";

/// What the shop acts on, and all that it needs to be told of.
pub const SUBSCRIBED: [&str; 8] = [
    "payment_intent.succeeded",
    "payment_intent.canceled",
    "charge.refunded",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.updated",
    "charge.dispute.closed",
];

const BODY_LIMIT: usize = 512 * 1024;

#[derive(Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: EventObject,
}

/// The members that lead to one of our payments, whatever kind of object it is.
#[derive(Deserialize)]
struct EventObject {
    id: Option<String>,
    payment_intent: Option<serde_json::Value>,
    /// Of a charge.
    amount_refunded: Option<i64>,
    status: Option<serde_json::Value>,
}

impl Event {
    fn payment_intent_id(&self) -> Option<&str> {
        let object = &self.data.object;
        if self.kind.starts_with("payment_intent.") {
            return object.id.as_deref();
        }
        let intent = object.payment_intent.as_ref()?;
        intent.as_str().or_else(|| intent.get("id")?.as_str())
    }

    /// What it tells of: the same for every event about one dispute or one refund.
    fn subject(&self) -> &str {
        self.data.object.id.as_deref().unwrap_or(&self.id)
    }

    /// What goes into the database; PostgreSQL keeps no text with U+0000 in it.
    fn names(&self) -> impl Iterator<Item = &str> {
        [self.id.as_str(), &self.kind].into_iter().chain(self.payment_intent_id())
    }

    fn tells_of_a_refund(&self) -> bool {
        self.kind == "charge.refunded" || self.kind.starts_with("refund.") || self.kind.starts_with("charge.refund.")
    }

    fn tells_of_a_dispute(&self) -> bool {
        self.kind.starts_with("charge.dispute.")
    }

    /// How the dispute stood when the event was made. Without a word for it only its end is uncertain.
    fn told_dispute(&self) -> Option<DisputeStatus> {
        match self.data.object.status.as_ref().and_then(serde_json::Value::as_str) {
            Some(word) => Some(dispute_status_of(word)),
            None if self.kind == "charge.dispute.closed" => None,
            None => Some(DisputeStatus::Open),
        }
    }
}

error_responses!(WebhookErrors: [NONE] InvalidRequest BodyTooLarge UnsupportedMediaType);

/// Answers as soon as the event is safely stored; an event seen before is answered and left alone.
#[utoipa::path(
    post,
    path = "/api/webhooks/stripe",
    tag = "Checkout",
    operation_id = "receive_webhook",
    params(("stripe-signature" = String, Header, description = "Over the body, by the secret that Stripe and the shop share.")),
    request_body = serde_json::Value,
    responses((status = 200, description = "The event is stored."), WebhookErrors),
)]
pub async fn receive(State(shop): State<Arc<Shop>>, request: Request) -> Result<StatusCode, Error> {
    let signature =
        request.headers().get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let bytes = read_body(request, BODY_LIMIT).await?;
    let body = std::str::from_utf8(&bytes).map_err(|_| bad_signature())?.to_owned();
    verify(&shop, &body, &signature)?;
    let event: Event = serde_json::from_str(&body).map_err(|_| unreadable())?;
    if event.names().any(|name| name.contains('\0')) {
        return Err(unreadable());
    }

    let now = shop.clock.now_ms();
    let (id, kind, text) = (event.id.clone(), event.kind.clone(), body.clone());
    let is_new = shop
        .db
        .write_closure(move |tx| {
            let (id, kind, text) = (id.clone(), kind.clone(), text.clone());
            Box::pin(async move { store::insert_event(tx, &id, &kind, &text, now).await })
        })
        .await?;
    if is_new {
        let shop = shop.clone();
        shop.tasks.clone().spawn(async move { apply_logged(&shop, &body).await });
    }
    Ok(StatusCode::OK)
}

fn unreadable() -> Error {
    Error::new(Code::InvalidRequest, "The event cannot be read.")
}

fn verify(shop: &Shop, body: &str, header: &str) -> Result<(), Error> {
    let now_seconds = shop.clock.now_ms() / SECOND;
    let mut secrets = shop.provider.webhook_secret.split(',').map(str::trim);
    let is_ours = secrets.any(|secret| signature::is_good(header, body, secret, now_seconds));
    if is_ours { Ok(()) } else { Err(bad_signature()) }
}

fn bad_signature() -> Error {
    Error::new(Code::InvalidRequest, "The signature does not fit.")
}

/// Applies all events that are stored but not yet applied: what failed before, and what a crash left. One that fails
/// again waits for another time.
pub async fn apply_pending(shop: &Arc<Shop>) -> Result<(), Error> {
    let now = shop.clock.now_ms();
    while !shop.stopping.is_cancelled() {
        let pending =
            shop.db.write_closure(move |tx| Box::pin(async move { store::claim_events(tx, now).await })).await?;
        if pending.is_empty() {
            break;
        }
        for (_, body) in pending {
            apply_logged(shop, &body).await;
        }
    }
    Ok(())
}

async fn apply_logged(shop: &Arc<Shop>, body: &str) {
    let applied = match serde_json::from_str::<Event>(body) {
        Ok(event) => apply(shop, &event).await,
        Err(error) => Err(Error::internal(error)),
    };
    if let Err(error) = applied {
        tracing::warn!(%error, "an event could not be applied; it will be tried again");
    }
}

/// What the event leads to and the note that it is dealt with are one transaction; the provider is asked before it.
async fn apply(shop: &Arc<Shop>, event: &Event) -> Result<(), Error> {
    let note = Note::of(&event.id, shop.clock.now_ms());
    match act(shop, event, &note).await? {
        Noted::Here => Ok(()),
        Noted::NotYet => note.write_alone(shop).await,
    }
}

/// The event says which payment to look at, the provider says how it stands. Its own words are taken only for what a
/// provider that keeps no charges, refunds or disputes cannot be asked.
async fn act(shop: &Arc<Shop>, event: &Event, note: &Note) -> Result<Noted, Error> {
    let Some(intent_id) = event.payment_intent_id() else {
        return Ok(Noted::NotYet);
    };
    if event.kind == "payment_intent.succeeded" {
        return settled(finalize(shop, intent_id, note).await);
    }
    if event.tells_of_a_refund() || event.tells_of_a_dispute() {
        // News that overtakes its payment is not lost for want of the order.
        settled(finalize(shop, intent_id, &Note::none()).await)?;
    }
    match event.kind.as_str() {
        "payment_intent.canceled" => reconcile::settle_intent(shop, intent_id, note).await,
        "refund.failed" => refund::mark_failed(shop, intent_id, event.subject(), note).await,
        _ if event.tells_of_a_dispute() => {
            disputes::follow(shop, intent_id, event.subject(), event.told_dispute(), note).await
        }
        _ if event.tells_of_a_refund() => {
            let told = event.data.object.amount_refunded.map(Cents::from_cents);
            refund::follow_provider(shop, Budget::start(), intent_id, told, note).await
        }
        _ => Ok(Noted::NotYet),
    }
}

/// A payment that is not ours, or that went back, is settled; everything else is tried again.
pub fn settled(result: Result<Finalized, Error>) -> Result<Noted, Error> {
    match result {
        Ok(Finalized { made_now: Made::Now, .. }) => Ok(Noted::Here),
        Ok(Finalized { made_now: Made::Before, .. }) => Ok(Noted::NotYet),
        Err(error) if matches!(error.code(), Code::NotFound | Code::IntentExpired) => {
            tracing::info!(%error, "a payment needs nothing more");
            Ok(Noted::NotYet)
        }
        Err(error) => Err(error),
    }
}
