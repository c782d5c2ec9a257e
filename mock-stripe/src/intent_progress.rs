//! Advances a payment intent in a transaction: load, decide, write.

use sqlx::{AnyConnection, Error};

use crate::MockStripe;
use crate::api_error::{ApiError, CallError};
use crate::cards::Effect;
use crate::charge::Charge;
use crate::clock;
use crate::dispute::Dispute;
use crate::early_fraud_warning::EarlyFraudWarning;
use crate::events::{self, Occurrence, Origin, Type};
use crate::ids;
use crate::intent::Intent;
use crate::intent_input::Offered;
use crate::intent_state::{self, Changes, Context, Step, Transition};
use crate::payment_method::PaymentMethod;
use crate::store::{self, Resource as _};

/// The requested change of an intent.
#[derive(Clone, Debug)]
pub struct IntentRequest {
    pub changes: Changes,
    pub offered: Option<Offered>,
    /// None for changes only.
    pub step: Option<Step>,
    pub origin: Origin,
    base_url: String,
}

impl IntentRequest {
    pub fn new(stripe: &MockStripe, origin: &Origin) -> Self {
        Self {
            changes: Changes::default(),
            offered: None,
            step: None,
            origin: origin.clone(),
            base_url: stripe.base_url.clone(),
        }
    }

    fn context(&self, intent: &Intent) -> Context {
        Context {
            now: self.origin.now_ms / clock::SECOND,
            charge_id: ids::new_id("ch"),
            challenge_url: format!("{}/3ds/{}?client_secret={}", self.base_url, intent.id, intent.client_secret),
        }
    }
}

/// Advances a locked intent. An error changes nothing; a declined payment is a result, and is written.
pub async fn advance(
    tx: &mut AnyConnection,
    intent: &Intent,
    request: &IntentRequest,
) -> Result<Transition, CallError> {
    let (transition, new_method) = decide(tx, intent, request).await?;
    store::save(tx, &transition.intent).await?;
    save_effects(tx, &transition, new_method, &request.origin, Vec::new()).await?;
    Ok(transition)
}

/// Creates an intent and advances it.
pub async fn begin(tx: &mut AnyConnection, intent: &Intent, request: &IntentRequest) -> Result<Transition, CallError> {
    let (transition, new_method) = decide(tx, intent, request).await?;
    store::insert(tx, &transition.intent, request.origin.now_ms).await?;
    let created = Occurrence::new(Type::PaymentIntentCreated, intent.to_json());
    save_effects(tx, &transition, new_method, &request.origin, vec![created]).await?;
    Ok(transition)
}

async fn decide(
    tx: &mut AnyConnection,
    intent: &Intent,
    request: &IntentRequest,
) -> Result<(Transition, Option<PaymentMethod>), CallError> {
    let (given, new_method) = match &request.offered {
        None => (None, None),
        Some(Offered::New(method)) => (Some((**method).clone()), Some((**method).clone())),
        Some(Offered::Kept(id)) => (Some(load_method(tx, id).await?), None),
    };
    let context = request.context(intent);
    let change = Step::Change(Box::new(request.changes.clone()));
    let Some(step) = &request.step else {
        let transition = intent_state::decide(intent, change, given.as_ref(), &context)?;
        return Ok((transition, new_method));
    };
    let changed = intent_state::decide(intent, change, None, &context)?.intent;
    let method = match (given, &changed.payment_method) {
        (Some(method), _) => Some(method),
        (None, Some(id)) => Some(load_method(tx, id).await?),
        (None, None) => None,
    };
    let transition = intent_state::decide(&changed, step.clone(), method.as_ref(), &context)?;
    Ok((transition, new_method))
}

async fn load_method(tx: &mut AnyConnection, id: &str) -> Result<PaymentMethod, CallError> {
    match store::find(tx, id).await? {
        Some(method) => Ok(method),
        None => Err(ApiError::no_such("PaymentMethod", id, "payment_method").into()),
    }
}

async fn save_effects(
    tx: &mut AnyConnection,
    transition: &Transition,
    new_method: Option<PaymentMethod>,
    origin: &Origin,
    mut occurrences: Vec<Occurrence>,
) -> Result<(), Error> {
    if let Some(method) = &new_method {
        store::insert(tx, method, origin.now_ms).await?;
    }
    if let Some(charge) = &transition.charge {
        store::insert(tx, charge, origin.now_ms).await?;
        if charge.succeeded() {
            charge.balance_transaction().insert(tx, origin.now_ms).await?;
        }
    }
    for kind in &transition.events {
        match &transition.charge {
            Some(charge) if kind.is_about_the_charge() => {
                occurrences.push(Occurrence::new(*kind, charge.to_json()));
                occurrences.extend(effect(tx, charge, origin).await?);
            }
            _ => occurrences.push(Occurrence::new(*kind, transition.intent.to_json())),
        }
    }
    if occurrences.is_empty() { Ok(()) } else { events::emit(tx, origin, occurrences).await }
}

/// Effects of a successful payment, by card. As at Stripe, they are emitted before the intent's own success.
async fn effect(tx: &mut AnyConnection, charge: &Charge, origin: &Origin) -> Result<Vec<Occurrence>, Error> {
    let mut occurrences = Vec::new();
    let Some(card) = charge.method.card().filter(|_| charge.succeeded()) else {
        return Ok(occurrences);
    };
    for dispute in Dispute::all_of(charge, card.claims(), origin.now_ms) {
        store::insert(tx, &dispute, origin.now_ms).await?;
        occurrences.push(Occurrence::new(Type::ChargeDisputeCreated, dispute.to_json()));
        if let Some(withdrawal) = dispute.withdrawal() {
            withdrawal.insert(tx, origin.now_ms).await?;
            occurrences.push(Occurrence::new(Type::ChargeDisputeFundsWithdrawn, dispute.to_json()));
        }
    }
    if card.effect == Effect::FraudWarning {
        let warning = EarlyFraudWarning::of(charge, origin.now_ms);
        store::insert(tx, &warning, origin.now_ms).await?;
        occurrences.push(Occurrence::new(Type::RadarEarlyFraudWarningCreated, warning.to_json()));
    }
    Ok(occurrences)
}
