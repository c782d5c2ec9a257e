//! Events: written in the transaction of their cause, for every subscribed endpoint.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use sqlx::{AnyConnection, Error};
use tokio::sync::Notify;

use crate::clock;
use crate::{API_VERSION, MockStripe, ids, queue, webhook_faults};

/// Wakes the webhook senders of this process after a commit. A spurious wake costs one query; a missed one, as for
/// another process's event, delays delivery by at most a second.
static WAITING: LazyLock<Notify> = LazyLock::new(Notify::new);

pub fn waiting() -> &'static Notify {
    &WAITING
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    ChargeDisputeClosed,
    ChargeDisputeCreated,
    ChargeDisputeFundsReinstated,
    ChargeDisputeFundsWithdrawn,
    ChargeDisputeUpdated,
    ChargeFailed,
    ChargeRefunded,
    ChargeSucceeded,
    PaymentIntentCanceled,
    PaymentIntentCreated,
    PaymentIntentPaymentFailed,
    PaymentIntentRequiresAction,
    PaymentIntentSucceeded,
    PayoutCreated,
    PayoutPaid,
    PayoutReconciliationCompleted,
    RadarEarlyFraudWarningCreated,
    RadarEarlyFraudWarningUpdated,
    RefundCreated,
    RefundFailed,
    RefundUpdated,
}

impl Type {
    pub fn word(self) -> &'static str {
        match self {
            Self::ChargeDisputeClosed => "charge.dispute.closed",
            Self::ChargeDisputeCreated => "charge.dispute.created",
            Self::ChargeDisputeFundsReinstated => "charge.dispute.funds_reinstated",
            Self::ChargeDisputeFundsWithdrawn => "charge.dispute.funds_withdrawn",
            Self::ChargeDisputeUpdated => "charge.dispute.updated",
            Self::ChargeFailed => "charge.failed",
            Self::ChargeRefunded => "charge.refunded",
            Self::ChargeSucceeded => "charge.succeeded",
            Self::PaymentIntentCanceled => "payment_intent.canceled",
            Self::PaymentIntentCreated => "payment_intent.created",
            Self::PaymentIntentPaymentFailed => "payment_intent.payment_failed",
            Self::PaymentIntentRequiresAction => "payment_intent.requires_action",
            Self::PaymentIntentSucceeded => "payment_intent.succeeded",
            Self::PayoutCreated => "payout.created",
            Self::PayoutPaid => "payout.paid",
            Self::PayoutReconciliationCompleted => "payout.reconciliation_completed",
            Self::RadarEarlyFraudWarningCreated => "radar.early_fraud_warning.created",
            Self::RadarEarlyFraudWarningUpdated => "radar.early_fraud_warning.updated",
            Self::RefundCreated => "refund.created",
            Self::RefundFailed => "refund.failed",
            Self::RefundUpdated => "refund.updated",
        }
    }

    /// Whether the event's object is the charge instead of the intent.
    pub fn is_about_the_charge(self) -> bool {
        matches!(self, Self::ChargeFailed | Self::ChargeRefunded | Self::ChargeSucceeded)
    }
}

/// The API request that caused an event.
#[derive(Clone, Debug)]
pub struct Origin {
    pub now_ms: i64,
    /// None for an action on a page.
    pub request_id: Option<String>,
    pub idempotency_key: Option<String>,
    /// Event types that the shop subscribes to.
    subscribed: &'static [&'static str],
    /// Whether it has put an event into the queue.
    has_events: Arc<AtomicBool>,
}

impl Origin {
    /// For an action on a page, without an API request.
    pub fn of_page(stripe: &MockStripe) -> Self {
        Self {
            now_ms: stripe.clock.now_ms(),
            request_id: None,
            idempotency_key: None,
            subscribed: stripe.subscribed,
            has_events: Arc::default(),
        }
    }

    pub fn of_request(stripe: &MockStripe, request_id: String, idempotency_key: Option<String>) -> Self {
        Self { request_id: Some(request_id), idempotency_key, ..Self::of_page(stripe) }
    }

    /// Must be called after the commit.
    pub fn wake_sender(&self) {
        if self.has_events.load(Ordering::Relaxed) {
            WAITING.notify_waiters();
        }
    }

    fn is_subscribed(&self, kind: Type) -> bool {
        self.subscribed.iter().any(|wanted| *wanted == "*" || *wanted == kind.word())
    }
}

/// A change of an object that may become an event.
pub struct Occurrence {
    pub kind: Type,
    pub object: Value,
    pub previous: Option<Value>,
}

impl Occurrence {
    pub fn new(kind: Type, object: Value) -> Self {
        Self { kind, object, previous: None }
    }
}

/// Writes an event for each change that has a subscriber, and queues its deliveries with the injected faults.
pub async fn emit(tx: &mut AnyConnection, origin: &Origin, occurrences: Vec<Occurrence>) -> Result<(), Error> {
    let endpoints = queue::list_endpoints(tx).await?;
    let mut wanted = Vec::new();
    for occurrence in occurrences {
        let others = endpoints.iter().filter(|endpoint| endpoint.wants(occurrence.kind.word()));
        let shop = origin.is_subscribed(occurrence.kind).then_some(None);
        let takers: Vec<Option<&str>> = shop.into_iter().chain(others.map(|endpoint| Some(&*endpoint.id))).collect();
        if !takers.is_empty() {
            wanted.push((occurrence, takers));
        }
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let injected = webhook_faults::find(tx).await?;
    for (occurrence, takers) in wanted {
        let (kind, id) = (occurrence.kind, ids::new_id("evt"));
        queue::insert_event(tx, &id, kind.word(), &body(&id, origin, occurrence), origin.now_ms).await?;
        for endpoint_id in takers {
            for due_at in injected.times(kind.word(), origin.now_ms) {
                queue::insert_delivery(tx, &id, endpoint_id, origin.now_ms, due_at).await?;
            }
        }
    }
    origin.has_events.store(true, Ordering::Relaxed);
    Ok(())
}

fn body(id: &str, origin: &Origin, occurrence: Occurrence) -> String {
    let mut data = json!({ "object": occurrence.object });
    if let Some(previous) = occurrence.previous {
        data["previous_attributes"] = previous;
    }
    json!({
        "id": id,
        "object": "event",
        "api_version": API_VERSION,
        "created": origin.now_ms / clock::SECOND,
        "data": data,
        "livemode": false,
        "pending_webhooks": 1,
        "request": { "id": origin.request_id, "idempotency_key": origin.idempotency_key },
        "type": occurrence.kind.word(),
    })
    .to_string()
}
