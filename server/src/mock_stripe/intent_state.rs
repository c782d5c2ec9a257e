//! What may happen to a payment intent: Stripe's state machine, without any input or output.
//!
//! `requires_payment_method → requires_confirmation → requires_action → succeeded`, with `canceled` from all
//! but the last. A declined card leads back to `requires_payment_method`, and the next card may try.

use serde_json::json;

use super::cards::{Authentication, Decline};
use super::charge::{Authenticated, Charge};
use super::events::Type;
use super::fault::Fault;
use super::intent::{Intent, Status};
use super::metadata::{self, Metadata};
use super::payment_method::PaymentMethod;
use super::postal::Shipping;

/// What is asked of an intent.
#[derive(Clone, Debug)]
pub enum Step {
    Change(Box<Changes>),
    /// Pay, with the method that is attached or has just been given.
    Confirm {
        return_url: Option<String>,
        presence: Presence,
    },
    /// The cardholder's answer on the bank's page.
    Authenticate(Verdict),
    Cancel {
        reason: Option<String>,
    },
}

/// Whether the cardholder can be asked by their bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    #[default]
    There,
    /// There, but the caller wants an error in place of the bank's page.
    NotAsked,
    /// Stripe's `off_session`.
    Away,
}

/// Members that a caller may set; `Some(None)` clears one.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    pub amount: Option<i64>,
    pub currency: Option<String>,
    pub description: Option<Option<String>>,
    pub metadata: Option<Metadata>,
    pub receipt_email: Option<Option<String>>,
    pub setup_future_usage: Option<Option<String>>,
    pub shipping: Option<Shipping>,
    pub statement_descriptor: Option<Option<String>>,
    pub statement_descriptor_suffix: Option<Option<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Complete,
    Fail,
}

/// What the outside gives to a decision.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Seconds.
    pub now: i64,
    /// For the charge, should there be one.
    pub charge_id: String,
    /// The bank's page for this intent.
    pub challenge_url: String,
}

/// The intent afterwards, and what came of it.
#[derive(Debug)]
pub struct Decided {
    pub intent: Intent,
    pub charge: Option<Charge>,
    pub events: Vec<Type>,
    /// The card was declined: everything above is kept, and this is the answer.
    pub refusal: Option<Fault>,
}

impl Decided {
    fn quiet(intent: Intent) -> Self {
        Self { intent, charge: None, events: Vec::new(), refusal: None }
    }
}

/// # Errors
/// A refusal that changes nothing.
pub fn decide(intent: &Intent, step: Step, method: Option<&PaymentMethod>, moment: &Moment) -> Result<Decided, Fault> {
    match step {
        Step::Change(changes) => change(intent, *changes, method),
        Step::Confirm { return_url, presence } => confirm(intent, return_url, presence, method, moment),
        Step::Authenticate(verdict) => authenticate(intent, verdict, method, moment),
        Step::Cancel { reason } => cancel(intent, reason, moment),
    }
}

fn unexpected(message: String) -> Fault {
    Fault::invalid(message).code("payment_intent_unexpected_state")
}

/// `method` is a newly given one; without it the attached one stays.
fn change(intent: &Intent, changes: Changes, method: Option<&PaymentMethod>) -> Result<Decided, Fault> {
    let fixed = [
        ("amount", changes.amount.is_some_and(|amount| amount != intent.amount)),
        ("currency", changes.currency.as_ref().is_some_and(|currency| *currency != intent.currency)),
        ("payment_method", method.is_some()),
    ];
    if let Some((name, _)) = fixed.iter().find(|(_, wanted)| *wanted && intent.status.is_final()) {
        return Err(unexpected(format!(
            "This PaymentIntent's {name} could not be updated because it has a status of {}. You may only update \
             the {name} of a PaymentIntent with one of the following statuses: requires_payment_method, \
             requires_confirmation, requires_action.",
            intent.status.word()
        )));
    }
    let mut next = intent.clone();
    if let Some(metadata) = changes.metadata {
        next.metadata = metadata::merged(&intent.metadata, metadata)?;
    }
    next.amount = changes.amount.unwrap_or(next.amount);
    next.currency = changes.currency.unwrap_or(next.currency);
    next.description = changes.description.unwrap_or(next.description);
    next.receipt_email = changes.receipt_email.unwrap_or(next.receipt_email);
    next.setup_future_usage = changes.setup_future_usage.unwrap_or(next.setup_future_usage);
    next.shipping = changes.shipping.or(next.shipping);
    next.statement_descriptor = changes.statement_descriptor.unwrap_or(next.statement_descriptor);
    next.statement_descriptor_suffix = changes.statement_descriptor_suffix.unwrap_or(next.statement_descriptor_suffix);
    if let Some(method) = method {
        next.payment_method = Some(method.id.clone());
    }
    // What the cardholder was asked to approve is no longer what would be taken.
    let stale = next.amount != intent.amount || next.payment_method != intent.payment_method;
    if stale && !intent.status.is_final() && next.payment_method.is_some() {
        next.status = Status::RequiresConfirmation;
        next.challenge_url = None;
    }
    Ok(Decided::quiet(next))
}

fn confirm(
    intent: &Intent,
    return_url: Option<String>,
    presence: Presence,
    method: Option<&PaymentMethod>,
    moment: &Moment,
) -> Result<Decided, Fault> {
    match intent.status {
        Status::Succeeded => {
            return Err(unexpected(
                "You cannot confirm this PaymentIntent because it has already succeeded after being previously \
                 confirmed."
                    .to_owned(),
            ));
        }
        Status::Canceled => {
            return Err(unexpected(
                "You cannot confirm this PaymentIntent because it has a status of canceled. Only a PaymentIntent \
                 with one of the following statuses may be confirmed: requires_confirmation, requires_action."
                    .to_owned(),
            ));
        }
        Status::RequiresPaymentMethod | Status::RequiresConfirmation | Status::RequiresAction => {}
    }
    let Some(method) = method else {
        return Err(unexpected(
            "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update \
             the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with \
             a payment method or ConfirmationToken."
                .to_owned(),
        ));
    };
    let card = method.card().ok_or_else(|| Fault::no_such("PaymentMethod", &method.id, "payment_method"))?;
    let mut next = intent.clone();
    next.payment_method = Some(method.id.clone());
    next.return_url = return_url.or(next.return_url);
    next.last_payment_error = None;
    let asks = match card.authentication {
        Authentication::Required => true,
        Authentication::RequiredOnSession => presence != Presence::Away,
        Authentication::NotAsked | Authentication::Frictionless => false,
    };
    if asks && presence != Presence::There {
        return Ok(attempt(next, method, Authenticated::No, Some(Decline::AuthenticationRequired), moment));
    }
    if asks {
        next.status = Status::RequiresAction;
        next.challenge_url = Some(moment.challenge_url.clone());
        let mut decided = Decided::quiet(next);
        decided.events.push(Type::PaymentIntentRequiresAction);
        return Ok(decided);
    }
    let authenticated = match card.authentication {
        Authentication::Frictionless => Authenticated::Frictionless,
        _ => Authenticated::No,
    };
    Ok(attempt(next, method, authenticated, method.decline(), moment))
}

fn authenticate(
    intent: &Intent,
    verdict: Verdict,
    method: Option<&PaymentMethod>,
    moment: &Moment,
) -> Result<Decided, Fault> {
    let (Status::RequiresAction, Some(method)) = (intent.status, method) else {
        let word = intent.status.word();
        return Err(unexpected(format!("This PaymentIntent is not waiting for its cardholder: it is {word}.")));
    };
    let mut next = intent.clone();
    next.challenge_url = None;
    if verdict == Verdict::Complete {
        return Ok(attempt(next, method, Authenticated::Yes, method.decline(), moment));
    }
    let refusal = Fault::invalid(
        "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new \
         PaymentMethod to attempt to fulfill this PaymentIntent again.",
    )
    .code("payment_intent_authentication_failure")
    .with("payment_method", method.to_json());
    next.status = Status::RequiresPaymentMethod;
    next.payment_method = None;
    next.last_payment_error = Some(refusal.members());
    let mut decided = Decided::quiet(next);
    decided.events.push(Type::PaymentIntentPaymentFailed);
    decided.refusal = Some(refusal);
    Ok(decided)
}

/// Asks the cardholder's bank for the money.
fn attempt(
    mut intent: Intent,
    method: &PaymentMethod,
    authentication: Authenticated,
    decline: Option<Decline>,
    moment: &Moment,
) -> Decided {
    let charge = Charge {
        id: moment.charge_id.clone(),
        payment_intent: intent.id.clone(),
        amount: intent.amount,
        amount_refunded: 0,
        currency: intent.currency.clone(),
        created: moment.now,
        description: intent.description.clone(),
        metadata: intent.metadata.clone(),
        receipt_email: intent.receipt_email.clone(),
        shipping: intent.shipping.clone(),
        statement_descriptor: intent.statement_descriptor.clone(),
        statement_descriptor_suffix: intent.statement_descriptor_suffix.clone(),
        method: method.clone(),
        authentication,
        decline,
        disputed: decline.is_none() && method.card().is_some_and(|card| !card.claims().is_empty()),
    };
    intent.latest_charge = Some(charge.id.clone());
    let Some(decline) = decline else {
        intent.status = Status::Succeeded;
        intent.amount_received = intent.amount;
        return Decided {
            intent,
            charge: Some(charge),
            events: vec![Type::ChargeSucceeded, Type::PaymentIntentSucceeded],
            refusal: None,
        };
    };
    let mut refusal = Fault::card(decline.message())
        .code(decline.code())
        .with("decline_code", json!(decline.decline_code()))
        .with("charge", json!(charge.id))
        .with("payment_method", method.to_json());
    if let Some(param) = decline.param() {
        refusal = refusal.param(param);
    }
    intent.status = Status::RequiresPaymentMethod;
    intent.payment_method = None;
    intent.last_payment_error = Some(refusal.members());
    Decided {
        intent,
        charge: Some(charge),
        events: vec![Type::ChargeFailed, Type::PaymentIntentPaymentFailed],
        refusal: Some(refusal),
    }
}

fn cancel(intent: &Intent, reason: Option<String>, moment: &Moment) -> Result<Decided, Fault> {
    if intent.status.is_final() {
        return Err(unexpected(format!(
            "You cannot cancel this PaymentIntent because it has a status of {}. Only a PaymentIntent with one of \
             the following statuses may be canceled: requires_payment_method, requires_capture, \
             requires_confirmation, requires_action, processing.",
            intent.status.word()
        )));
    }
    let mut next = intent.clone();
    next.status = Status::Canceled;
    next.canceled_at = Some(moment.now);
    next.cancellation_reason = reason;
    next.challenge_url = None;
    let mut decided = Decided::quiet(next);
    decided.events.push(Type::PaymentIntentCanceled);
    Ok(decided)
}
