//! `/v1/refunds`: create, retrieve, update, list.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::AnyConnection;
use tokio_util::sync::CancellationToken;

use super::call::{Answer, Call};
use super::cards::Sequel;
use super::charge::Charge;
use super::dispute::Dispute;
use super::events::{self, Occurrence, Origin, Type};
use super::expand::{self, Expansion};
use super::fault::{Fault, Halt};
use super::intent::Intent;
use super::metadata::{self, Metadata};
use super::refund::{self, Refund, Status};
use super::{MockStripe, ids, lists, store};
use crate::http::error::Error;
use crate::infra::clock;

/// "Some time later", in Stripe's words: long enough to be seen, and to be waited for.
const SETTLES_AFTER: i64 = 10 * clock::SECOND;
const LOOK: Duration = Duration::from_secs(1);
const REASONS: &[&str] = &["duplicate", "fraudulent", "requested_by_customer"];

#[derive(Clone, Debug)]
struct Wish {
    id: String,
    payment_intent: Option<String>,
    charge: Option<String>,
    amount: Option<i64>,
    reason: Option<String>,
    metadata: Metadata,
    origin: Origin,
}

pub async fn create(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "refund")?;
    let mut form = std::mem::take(&mut call.form);
    let wish = Wish {
        id: ids::new_id("re"),
        payment_intent: form.take_text("payment_intent")?,
        charge: form.take_text("charge")?,
        amount: form.take_integer("amount")?,
        reason: form.take_choice("reason", REASONS)?,
        metadata: metadata::merged(&Metadata::new(), metadata::take_metadata(&mut form)?.unwrap_or_default())?,
        origin: call.origin.clone(),
    };
    // What Stripe takes for other kinds of payments and accounts decides nothing here.
    for unused in ["instructions_email", "refund_application_fee", "reverse_transfer"] {
        form.ignore(unused);
    }
    form.refuse_rest()?;
    if wish.payment_intent.is_none() && wish.charge.is_none() {
        let message = "One of the following params should be provided for this request: payment_intent or charge.";
        return Err(Fault::invalid(message).code("parameter_missing").into());
    }
    call.perform(move |tx| {
        let (wish, expansion) = (wish.clone(), expansion.clone());
        Box::pin(async move {
            let mut shown = refund(tx, wish).await?.to_json();
            expansion.apply(tx, &mut shown).await?;
            Ok(shown)
        })
    })
    .await
}

/// Takes the charge's row first: refunds of one charge are decided one after the other.
async fn refund(tx: &mut AnyConnection, wish: Wish) -> Result<Refund, Halt> {
    let charge_id = charge_of(tx, &wish).await?;
    let mut charge: Charge =
        store::take(tx, &charge_id).await?.ok_or_else(|| Fault::no_such("charge", &charge_id, "charge"))?;
    let mut disputes: Vec<Dispute> = store::list_children(tx, &charge_id).await?;
    if disputes.iter().any(|dispute| !dispute.is_charge_refundable()) {
        let message = format!("Charge {charge_id} has been charged back; cannot issue a refund.");
        return Err(Fault::invalid(message).code("charge_disputed").into());
    }
    let amount = refund::refundable(&charge, wish.amount)?;
    let previous = json!({ "amount_refunded": charge.amount_refunded, "refunded": false });
    charge.amount_refunded += amount;
    let sequel = charge.method.card().map_or(Sequel::None, |card| card.sequel);
    let refund = Refund {
        id: wish.id,
        charge: charge.id.clone(),
        payment_intent: charge.payment_intent.clone(),
        amount,
        currency: charge.currency.clone(),
        created: wish.origin.now_ms / clock::SECOND,
        reason: wish.reason,
        metadata: wish.metadata,
        status: if sequel == Sequel::RefundPending { Status::Pending } else { Status::Succeeded },
    };
    store::save(tx, &charge).await?;
    store::insert(tx, &refund, wish.origin.now_ms).await?;
    if matches!(sequel, Sequel::RefundPending | Sequel::RefundFails) {
        store::insert_later(tx, &refund.id, wish.origin.now_ms + SETTLES_AFTER).await?;
    }
    let mut happened = vec![
        Occurrence::new(Type::RefundCreated, refund.to_json()),
        Occurrence { kind: Type::ChargeRefunded, object: charge.to_json(), previous: Some(previous) },
    ];
    // Who has the money back has no question left.
    for inquiry in disputes.iter_mut().filter(|dispute| charge.refundable() == 0 && dispute.is_open()) {
        happened.push(inquiry.close());
        store::save(tx, inquiry).await?;
    }
    events::emit(tx, &wish.origin, happened).await?;
    Ok(refund)
}

/// Each second looks for refunds whose bank has decided, until `stop`.
pub async fn settle(stripe: MockStripe, stop: CancellationToken) {
    loop {
        if let Err(error) = settle_due(&stripe).await {
            tracing::warn!(%error, "the refunds of the test-mode Stripe cannot be settled");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
    }
}

/// What is pending succeeds, and what seemed to succeed fails.
pub async fn settle_due(stripe: &MockStripe) -> Result<(), Error> {
    let origin = Origin::of_nobody(stripe);
    let due = store::list_due(&mut *stripe.db.read().acquire().await?, origin.now_ms).await?;
    for id in due {
        let told = origin.clone();
        let settled = stripe.db.write_closure(move |tx| {
            let (id, origin) = (id.clone(), told.clone());
            Box::pin(async move { settle_one(tx, &id, &origin).await })
        });
        settled.await?;
    }
    origin.wake_courier();
    Ok(())
}

async fn settle_one(tx: &mut AnyConnection, id: &str, origin: &Origin) -> Result<(), Error> {
    if !store::take_later(tx, id).await? {
        return Ok(());
    }
    let Some(mut refund) = store::take::<Refund>(tx, id).await? else {
        return Ok(());
    };
    let previous = json!({ "status": refund.status });
    let kind = match refund.status {
        Status::Pending => {
            refund.status = Status::Succeeded;
            Type::RefundUpdated
        }
        Status::Succeeded => {
            refund.status = Status::Failed;
            Type::RefundFailed
        }
        Status::Failed => return Ok(()),
    };
    if refund.status == Status::Failed
        && let Some(mut charge) = store::take::<Charge>(tx, &refund.charge).await?
    {
        charge.amount_refunded -= refund.amount;
        store::save(tx, &charge).await?;
    }
    store::save(tx, &refund).await?;
    let settled = Occurrence { kind, object: refund.to_json(), previous: Some(previous) };
    events::emit(tx, origin, vec![settled]).await
}

async fn charge_of(tx: &mut AnyConnection, wish: &Wish) -> Result<String, Halt> {
    let Some(intent_id) = &wish.payment_intent else {
        return Ok(wish.charge.clone().unwrap_or_default());
    };
    let intent: Intent = store::find(tx, intent_id)
        .await?
        .ok_or_else(|| Fault::no_such("payment_intent", intent_id, "payment_intent"))?;
    match intent.latest_charge {
        Some(charge) if intent.amount_received > 0 && wish.charge.as_ref().is_none_or(|id| *id == charge) => Ok(charge),
        _ => {
            let message = format!("This PaymentIntent ({intent_id}) does not have a successful charge to refund.");
            Err(Fault::invalid(message).param("payment_intent").into())
        }
    }
}

pub async fn retrieve(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "refund")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let refund: Refund = expand::load(&mut connection, "refund", &call.id, "refund").await?;
    let mut shown = refund.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(Answer::ok(&shown))
}

/// Metadata is all that can be changed of a refund.
pub async fn update(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let change = metadata::take_metadata(&mut call.form)?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let (id, origin) = (call.id.clone(), call.origin.clone());
    call.perform(move |tx| {
        let (id, change, origin) = (id.clone(), change.clone(), origin.clone());
        Box::pin(async move {
            let mut refund: Refund =
                store::take(tx, &id).await?.ok_or_else(|| Fault::not_found("refund", &id, "refund"))?;
            let Some(change) = change else {
                return Ok(refund.to_json());
            };
            let previous = json!({ "metadata": refund.metadata });
            refund.metadata = metadata::merged(&refund.metadata, change)?;
            store::save(tx, &refund).await?;
            let updated = Occurrence { kind: Type::RefundUpdated, object: refund.to_json(), previous: Some(previous) };
            events::emit(tx, &origin, vec![updated]).await?;
            Ok(refund.to_json())
        })
    })
    .await
}

pub async fn list(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "refund")?;
    let mut stretch = lists::take_stretch(&mut call.form)?;
    let intent_id = call.form.take_text("payment_intent")?;
    let charge_id = call.form.take_text("charge")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    stretch.parent = lists::charge_of(&mut connection, intent_id, charge_id).await?;
    let found: Vec<Refund> = store::list(&mut connection, &stretch.with_one_more()).await?;
    let shown: Vec<Value> = found.iter().map(Refund::to_json).collect();
    let mut page = lists::page("/v1/refunds", shown, &stretch);
    expansion.apply(&mut connection, &mut page).await?;
    Ok(Answer::ok(&page))
}
