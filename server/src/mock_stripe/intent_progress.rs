//! Takes a payment intent one step on inside a transaction: load what the decision needs, decide, write what
//! came of it.

use sqlx::AnyConnection;

use super::MockStripe;
use super::cards::Sequel;
use super::charge::Charge;
use super::dispute::Dispute;
use super::early_fraud_warning::EarlyFraudWarning;
use super::events::{self, Occurrence, Origin, Type};
use super::fault::{Fault, Halt};
use super::ids;
use super::intent::Intent;
use super::intent_input::Offered;
use super::intent_state::{self, Changes, Decided, Moment, Step};
use super::payment_method::PaymentMethod;
use super::store;
use crate::http::error::Error;
use crate::infra::clock;

/// What a call asks for, besides the intent it asks it of.
#[derive(Clone, Debug)]
pub struct Wish {
    pub changes: Changes,
    pub offered: Option<Offered>,
    /// None: only the changes.
    pub step: Option<Step>,
    pub origin: Origin,
    pub public_url: String,
}

impl Wish {
    pub fn new(stripe: &MockStripe, origin: &Origin) -> Self {
        Self {
            changes: Changes::default(),
            offered: None,
            step: None,
            origin: origin.clone(),
            public_url: stripe.public_url.clone(),
        }
    }

    fn moment(&self, intent: &Intent) -> Moment {
        Moment {
            now: self.origin.now_ms / clock::SECOND,
            charge_id: ids::new_id("ch"),
            challenge_url: format!(
                "{}/test-stripe/3ds/{}?client_secret={}",
                self.public_url, intent.id, intent.client_secret
            ),
        }
    }
}

/// Takes on an intent whose row this transaction holds. A refusal here has changed nothing; one inside what
/// was decided is an outcome, and has been kept.
pub async fn advance(tx: &mut AnyConnection, intent: &Intent, wish: &Wish) -> Result<Decided, Halt> {
    let (decided, new_method) = decide(tx, intent, wish).await?;
    store::save(tx, &decided.intent).await?;
    keep(tx, &decided, new_method, &wish.origin, Vec::new()).await?;
    Ok(decided)
}

/// Makes an intent and takes it on at once.
pub async fn begin(tx: &mut AnyConnection, intent: &Intent, wish: &Wish) -> Result<Decided, Halt> {
    let (decided, new_method) = decide(tx, intent, wish).await?;
    store::insert(tx, &decided.intent, wish.origin.now_ms).await?;
    let created = Occurrence::new(Type::PaymentIntentCreated, intent.to_json());
    keep(tx, &decided, new_method, &wish.origin, vec![created]).await?;
    Ok(decided)
}

async fn decide(
    tx: &mut AnyConnection,
    intent: &Intent,
    wish: &Wish,
) -> Result<(Decided, Option<PaymentMethod>), Halt> {
    let (given, new_method) = match &wish.offered {
        None => (None, None),
        Some(Offered::New(method)) => (Some((**method).clone()), Some((**method).clone())),
        Some(Offered::Kept(id)) => (Some(load_method(tx, id).await?), None),
    };
    let moment = wish.moment(intent);
    let change = Step::Change(Box::new(wish.changes.clone()));
    let Some(step) = &wish.step else {
        let decided = intent_state::decide(intent, change, given.as_ref(), &moment)?;
        return Ok((decided, new_method));
    };
    let changed = intent_state::decide(intent, change, None, &moment)?.intent;
    let method = match (given, &changed.payment_method) {
        (Some(method), _) => Some(method),
        (None, Some(id)) => Some(load_method(tx, id).await?),
        (None, None) => None,
    };
    let decided = intent_state::decide(&changed, step.clone(), method.as_ref(), &moment)?;
    Ok((decided, new_method))
}

async fn load_method(tx: &mut AnyConnection, id: &str) -> Result<PaymentMethod, Halt> {
    match store::find(tx, id).await? {
        Some(method) => Ok(method),
        None => Err(Fault::no_such("PaymentMethod", id, "payment_method").into()),
    }
}

async fn keep(
    tx: &mut AnyConnection,
    decided: &Decided,
    new_method: Option<PaymentMethod>,
    origin: &Origin,
    mut happened: Vec<Occurrence>,
) -> Result<(), Error> {
    if let Some(method) = &new_method {
        store::insert(tx, method, origin.now_ms).await?;
    }
    if let Some(charge) = &decided.charge {
        store::insert(tx, charge, origin.now_ms).await?;
    }
    for kind in &decided.events {
        match &decided.charge {
            Some(charge) if kind.is_about_the_charge() => {
                happened.push(Occurrence::new(*kind, charge.to_json()));
                happened.extend(sequel(tx, charge, origin).await?);
            }
            _ => happened.push(Occurrence::new(*kind, decided.intent.to_json())),
        }
    }
    if happened.is_empty() { Ok(()) } else { events::emit(tx, origin, happened).await }
}

/// What the card brings about as soon as its payment has succeeded: as at Stripe, told before the intent's own success.
async fn sequel(tx: &mut AnyConnection, charge: &Charge, origin: &Origin) -> Result<Vec<Occurrence>, Error> {
    let mut happened = Vec::new();
    let Some(card) = charge.method.card().filter(|_| charge.succeeded()) else {
        return Ok(happened);
    };
    for dispute in Dispute::all_of(charge, card.claims(), origin.now_ms) {
        store::insert(tx, &dispute, origin.now_ms).await?;
        happened.push(Occurrence::new(Type::ChargeDisputeCreated, dispute.to_json()));
        if dispute.has_withdrawn() {
            happened.push(Occurrence::new(Type::ChargeDisputeFundsWithdrawn, dispute.to_json()));
        }
    }
    if card.sequel == Sequel::FraudWarning {
        let warning = EarlyFraudWarning::of(charge, origin.now_ms);
        store::insert(tx, &warning, origin.now_ms).await?;
        happened.push(Occurrence::new(Type::RadarEarlyFraudWarningCreated, warning.to_json()));
    }
    Ok(happened)
}
