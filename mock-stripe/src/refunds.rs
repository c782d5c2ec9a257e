//! `/v1/refunds`: create and update, and the bank's later decisions.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use sqlx::{AnyConnection, Error};
use tokio_util::sync::CancellationToken;

use crate::api_error::{ApiError, CallError};
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::cards::Effect;
use crate::charge::Charge;
use crate::clock;
use crate::dispute::Dispute;
use crate::early_fraud_warning::EarlyFraudWarning;
use crate::events::{self, Occurrence, Origin, Type};
use crate::expand::Expansion;
use crate::intent::Intent;
use crate::metadata::{self, Metadata};
use crate::refund::{self, Refund, Status};
use crate::store::Resource as _;
use crate::{MockStripe, control, ids, store};

/// Stripe documents "some time later".
const DECISION_DELAY: i64 = 10 * clock::SECOND;
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const REASONS: &[&str] = &["duplicate", "fraudulent", "requested_by_customer"];

#[derive(Clone, Debug)]
struct RefundRequest {
    id: String,
    payment_intent: Option<String>,
    charge: Option<String>,
    amount: Option<i64>,
    reason: Option<String>,
    metadata: Metadata,
    origin: Origin,
}

pub async fn create(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "refund")?;
    let mut form = std::mem::take(&mut call.form);
    let request = RefundRequest {
        id: ids::new_id("re"),
        payment_intent: form.take_text("payment_intent")?,
        charge: form.take_text("charge")?,
        amount: form.take_integer("amount")?,
        reason: form.take_choice("reason", REASONS)?,
        metadata: metadata::merged(&Metadata::new(), metadata::take_metadata(&mut form)?.unwrap_or_default())?,
        origin: call.origin.clone(),
    };
    // Parameters for other payment types and accounts.
    for unused in ["instructions_email", "refund_application_fee", "reverse_transfer"] {
        form.ignore(unused);
    }
    form.reject_unknown()?;
    if request.payment_intent.is_none() && request.charge.is_none() {
        let message = "One of the following params should be provided for this request: payment_intent or charge.";
        return Err(ApiError::invalid(message).code("parameter_missing").into());
    }
    call.perform((request, expansion), |tx, (request, expansion)| {
        Box::pin(async move {
            let mut shown = refund(tx, request).await?.to_json();
            expansion.apply(tx, &mut shown).await?;
            Ok(shown)
        })
    })
    .await
}

/// Locks the charge first, so that refunds of one charge run one at a time.
async fn refund(tx: &mut AnyConnection, request: &RefundRequest) -> Result<Refund, CallError> {
    let charge_id = charge_of(tx, request).await?;
    let mut charge: Charge =
        store::lock(tx, &charge_id).await?.ok_or_else(|| ApiError::no_such("charge", &charge_id, "charge"))?;
    let mut disputes: Vec<Dispute> = store::list_children(tx, &charge_id).await?;
    if disputes.iter().any(|dispute| !dispute.is_charge_refundable()) {
        let message = format!("Charge {charge_id} has been charged back; cannot issue a refund.");
        return Err(ApiError::invalid(message).code("charge_disputed").into());
    }
    let amount = refund::refundable(&charge, request.amount)?;
    let previous = json!({ "amount_refunded": charge.amount_refunded, "refunded": false });
    charge.amount_refunded += amount;
    let effect = charge.method.card().map_or(Effect::None, |card| card.effect);
    let refund = Refund {
        id: request.id.clone(),
        charge: charge.id.clone(),
        payment_intent: charge.payment_intent.clone(),
        amount,
        currency: charge.currency.clone(),
        created: request.origin.now_ms / clock::SECOND,
        reason: request.reason.clone(),
        metadata: request.metadata.clone(),
        status: if effect == Effect::RefundPending { Status::Pending } else { Status::Succeeded },
    };
    store::save(tx, &charge).await?;
    store::insert(tx, &refund, request.origin.now_ms).await?;
    refund.balance_transaction().insert(tx, request.origin.now_ms).await?;
    if matches!(effect, Effect::RefundPending | Effect::RefundFails) {
        store::schedule(tx, &refund.id, request.origin.now_ms + DECISION_DELAY).await?;
    }
    let mut occurrences = vec![
        Occurrence::new(Type::RefundCreated, refund.to_json()),
        Occurrence { kind: Type::ChargeRefunded, object: charge.to_json(), previous: Some(previous) },
    ];
    if charge.refundable() == 0 {
        occurrences.extend(settle_fully_refunded(tx, &charge_id, &mut disputes).await?);
    }
    events::emit(tx, &request.origin, occurrences).await?;
    Ok(refund)
}

/// A full refund closes open inquiries, and leaves nothing to do about an early fraud warning.
async fn settle_fully_refunded(
    tx: &mut AnyConnection,
    charge_id: &str,
    disputes: &mut [Dispute],
) -> Result<Vec<Occurrence>, Error> {
    let mut occurrences = Vec::new();
    for inquiry in disputes.iter_mut().filter(|dispute| dispute.is_open()) {
        occurrences.push(inquiry.close());
        store::save(tx, inquiry).await?;
    }
    for mut warning in store::list_children::<EarlyFraudWarning>(tx, charge_id).await? {
        if let Some(updated) = warning.refunded() {
            occurrences.push(updated);
            store::save(tx, &warning).await?;
        }
    }
    Ok(occurrences)
}

/// Decides pending refunds every second, until `stop`.
pub async fn settle(stripe: &MockStripe, stop: CancellationToken) {
    loop {
        if let Err(error) = settle_due(stripe).await {
            tracing::warn!(%error, "deciding the pending refunds of the mock Stripe failed; it will be retried");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Pending refunds succeed; succeeded ones of a failing card fail.
pub async fn settle_due(stripe: &MockStripe) -> Result<(), Error> {
    let origin = Origin::of_page(stripe);
    let due = store::list_due(&mut *stripe.db.read().acquire().await?, origin.now_ms).await?;
    for id in due {
        stripe.db.write((id, origin.clone()), |tx, (id, origin)| Box::pin(settle_one(tx, id, origin))).await?;
    }
    origin.wake_sender();
    Ok(())
}

async fn settle_one(tx: &mut AnyConnection, id: &str, origin: &Origin) -> Result<(), Error> {
    if !store::claim_scheduled(tx, id).await? {
        return Ok(());
    }
    let Some(mut refund) = store::lock::<Refund>(tx, id).await? else {
        return Ok(());
    };
    match refund.status {
        Status::Pending => {
            let previous = json!({ "status": refund.status });
            refund.status = Status::Succeeded;
            store::save(tx, &refund).await?;
            let object = refund.to_json();
            let settled = Occurrence { kind: Type::RefundUpdated, object, previous: Some(previous) };
            events::emit(tx, origin, vec![settled]).await
        }
        Status::Succeeded => fail(tx, refund, origin).await.map(drop),
        Status::Failed => Ok(()),
    }
}

/// The customer's bank returns the amount: to the balance, and to what is left to refund of the charge.
async fn fail(tx: &mut AnyConnection, mut refund: Refund, origin: &Origin) -> Result<Refund, Error> {
    let previous = json!({ "status": refund.status });
    refund.status = Status::Failed;
    if let Some(mut charge) = store::lock::<Charge>(tx, &refund.charge).await? {
        charge.amount_refunded -= refund.amount;
        store::save(tx, &charge).await?;
    }
    let returned = refund.failure_balance_transaction(origin.now_ms / clock::SECOND);
    returned.insert(tx, origin.now_ms).await?;
    store::save(tx, &refund).await?;
    let failed = Occurrence { kind: Type::RefundFailed, object: refund.to_json(), previous: Some(previous) };
    events::emit(tx, origin, vec![failed]).await?;
    Ok(refund)
}

/// `POST /control/refunds/{id}/fail`: the bank returns a refund, whatever its card. A failed refund stays as it is.
pub async fn fail_now(
    State(stripe): State<MockStripe>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, CallError> {
    control::authorize(&stripe, &headers).await?;
    let origin = Origin::of_page(&stripe);
    let args = (id.clone(), origin.clone());
    let failed = stripe.db.write(args, |tx, (id, origin)| Box::pin(fail_once(tx, id, origin))).await?;
    origin.wake_sender();
    let failed = failed.ok_or_else(|| ApiError::not_found("refund", &id, "refund"))?;
    Ok(ApiResponse::ok(&failed.to_json()).into_response())
}

async fn fail_once(tx: &mut AnyConnection, id: &str, origin: &Origin) -> Result<Option<Refund>, Error> {
    match store::lock::<Refund>(tx, id).await? {
        Some(refund) if refund.status != Status::Failed => fail(tx, refund, origin).await.map(Some),
        found => Ok(found),
    }
}

async fn charge_of(tx: &mut AnyConnection, request: &RefundRequest) -> Result<String, CallError> {
    let Some(intent_id) = &request.payment_intent else {
        return Ok(request.charge.clone().unwrap_or_default());
    };
    let intent: Intent = store::find(tx, intent_id)
        .await?
        .ok_or_else(|| ApiError::no_such("payment_intent", intent_id, "payment_intent"))?;
    match intent.latest_charge {
        Some(charge) if intent.amount_received > 0 && request.charge.as_ref().is_none_or(|id| *id == charge) => {
            Ok(charge)
        }
        _ => {
            let message = format!("This PaymentIntent ({intent_id}) does not have a successful charge to refund.");
            Err(ApiError::invalid(message).param("payment_intent").into())
        }
    }
}

/// Only the metadata of a refund can be changed.
pub async fn update(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let change = metadata::take_metadata(&mut call.form)?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let (id, origin) = (call.id.clone(), call.origin.clone());
    call.perform((id, change, origin), |tx, (id, change, origin)| {
        Box::pin(async move {
            let mut refund: Refund =
                store::lock(tx, id).await?.ok_or_else(|| ApiError::not_found("refund", id, "refund"))?;
            let Some(change) = change else {
                return Ok(refund.to_json());
            };
            let previous = json!({ "metadata": refund.metadata });
            refund.metadata = metadata::merged(&refund.metadata, change.clone())?;
            store::save(tx, &refund).await?;
            let updated = Occurrence { kind: Type::RefundUpdated, object: refund.to_json(), previous: Some(previous) };
            events::emit(tx, origin, vec![updated]).await?;
            Ok(refund.to_json())
        })
    })
    .await
}
