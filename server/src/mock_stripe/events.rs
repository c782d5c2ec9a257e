//! What the test-mode Stripe tells the shop and others: an event for each thing that happened and somebody wants to know,
//! written with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use sqlx::AnyConnection;
use tokio::sync::Notify;

use super::{API_VERSION, MockStripe, control, ids, queue};
use crate::http::error::Error;
use crate::infra::clock;

/// Wakes the couriers of this process when an event was committed. A wake too many costs one look at the
/// queue; one too few (another process's event) costs at most the second until the next look.
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
    RadarEarlyFraudWarningCreated,
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
            Self::RadarEarlyFraudWarningCreated => "radar.early_fraud_warning.created",
            Self::RefundCreated => "refund.created",
            Self::RefundFailed => "refund.failed",
            Self::RefundUpdated => "refund.updated",
        }
    }

    /// True where the event shows the charge, not the intent.
    pub fn is_about_the_charge(self) -> bool {
        matches!(self, Self::ChargeFailed | Self::ChargeRefunded | Self::ChargeSucceeded)
    }
}

/// The call that something came of.
#[derive(Clone, Debug)]
pub struct Origin {
    pub now_ms: i64,
    /// None for what a person did on a page.
    pub request_id: Option<String>,
    pub idempotency_key: Option<String>,
    /// What the shop wants to be told of.
    subscribed: &'static [&'static str],
    /// Whether an event waits to be posted because of it.
    has_posted: Arc<AtomicBool>,
}

impl Origin {
    /// No call: somebody on a page.
    pub fn of_nobody(stripe: &MockStripe) -> Self {
        Self {
            now_ms: stripe.clock.now_ms(),
            request_id: None,
            idempotency_key: None,
            subscribed: stripe.subscribed,
            has_posted: Arc::default(),
        }
    }

    pub fn of_call(stripe: &MockStripe, request_id: String, idempotency_key: Option<String>) -> Self {
        Self { request_id: Some(request_id), idempotency_key, ..Self::of_nobody(stripe) }
    }

    /// To be called once what came of it is committed.
    pub fn wake_courier(&self) {
        if self.has_posted.load(Ordering::Relaxed) {
            WAITING.notify_waiters();
        }
    }

    fn is_subscribed(&self, kind: Type) -> bool {
        self.subscribed.iter().any(|wanted| *wanted == "*" || *wanted == kind.word())
    }
}

/// Something that happened to an object.
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

/// Writes an event for each that somebody wants to be told of, and puts it into the queue as the control document has it.
pub async fn emit(tx: &mut AnyConnection, origin: &Origin, happened: Vec<Occurrence>) -> Result<(), Error> {
    let endpoints = queue::list_endpoints(tx).await?;
    let mut wanted = Vec::new();
    for occurrence in happened {
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
    let manners = control::find_webhooks(tx).await?;
    for (occurrence, takers) in wanted {
        let (kind, id) = (occurrence.kind, ids::new_id("evt"));
        queue::insert_event(tx, &id, kind.word(), &body(&id, origin, occurrence), origin.now_ms).await?;
        for endpoint_id in takers {
            for due_at in manners.times(kind, origin.now_ms) {
                queue::insert_delivery(tx, &id, endpoint_id, origin.now_ms, due_at).await?;
            }
        }
    }
    origin.has_posted.store(true, Ordering::Relaxed);
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
