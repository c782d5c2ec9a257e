//! What the test-mode Stripe tells the shop: one event for each thing that happened, written with it.

use std::sync::LazyLock;

use serde_json::{Value, json};
use sqlx::AnyConnection;
use tokio::sync::Notify;

use super::{API_VERSION, control, ids, queue};
use crate::clock;
use crate::error::Error;

/// Wakes the couriers of this process when an event was committed. A wake too many costs one look at the
/// queue; one too few (another process's event) costs at most the second until the next look.
static WAITING: LazyLock<Notify> = LazyLock::new(Notify::new);

pub fn waiting() -> &'static Notify {
    &WAITING
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    ChargeFailed,
    ChargeRefunded,
    ChargeSucceeded,
    PaymentIntentCanceled,
    PaymentIntentCreated,
    PaymentIntentPaymentFailed,
    PaymentIntentRequiresAction,
    PaymentIntentSucceeded,
    RefundCreated,
    RefundUpdated,
}

impl Type {
    pub fn word(self) -> &'static str {
        match self {
            Self::ChargeFailed => "charge.failed",
            Self::ChargeRefunded => "charge.refunded",
            Self::ChargeSucceeded => "charge.succeeded",
            Self::PaymentIntentCanceled => "payment_intent.canceled",
            Self::PaymentIntentCreated => "payment_intent.created",
            Self::PaymentIntentPaymentFailed => "payment_intent.payment_failed",
            Self::PaymentIntentRequiresAction => "payment_intent.requires_action",
            Self::PaymentIntentSucceeded => "payment_intent.succeeded",
            Self::RefundCreated => "refund.created",
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
}

/// Writes an event about `object` and puts it into the queue, as the control document has it.
pub async fn emit(
    tx: &mut AnyConnection,
    origin: &Origin,
    kind: Type,
    object: Value,
    previous: Option<Value>,
) -> Result<(), Error> {
    let id = ids::new_id("evt");
    let mut data = json!({ "object": object });
    if let Some(previous) = previous {
        data["previous_attributes"] = previous;
    }
    let body = json!({
        "id": id,
        "object": "event",
        "api_version": API_VERSION,
        "created": origin.now_ms / clock::SECOND,
        "data": data,
        "livemode": false,
        "pending_webhooks": 1,
        "request": { "id": origin.request_id, "idempotency_key": origin.idempotency_key },
        "type": kind.word(),
    });
    queue::insert_event(tx, &id, kind.word(), &body.to_string(), origin.now_ms).await?;
    let endpoints = queue::list_endpoints(tx).await?;
    let others = endpoints.iter().filter(|endpoint| endpoint.wants(kind.word())).map(|endpoint| Some(&*endpoint.id));
    for endpoint_id in std::iter::once(None).chain(others) {
        for due_at in control::delivery_times(tx, kind, origin.now_ms).await? {
            queue::insert_delivery(tx, &id, endpoint_id, origin.now_ms, due_at).await?;
        }
    }
    Ok(())
}
