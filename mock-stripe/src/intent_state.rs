//! State machine of a payment intent, without I/O.
//!
//! `requires_payment_method → requires_confirmation → requires_action → succeeded`, with `canceled` from all but the
//! last. A declined payment returns to `requires_payment_method`, for another card.

use serde_json::json;

use crate::api_error::ApiError;
use crate::cards::{Authentication, Decline};
use crate::charge::{Authenticated, Charge};
use crate::events::Type;
use crate::intent::{Intent, Status};
use crate::metadata::{self, Metadata};
use crate::payment_method::PaymentMethod;
use crate::postal::Shipping;

/// A requested step.
#[derive(Clone, Debug)]
pub enum Step {
    Change(Box<Changes>),
    /// Pays with the attached or the given method.
    Confirm {
        return_url: Option<String>,
        presence: Presence,
    },
    /// The customer's choice on the bank's page.
    Authenticate(ChallengeResult),
    Cancel {
        reason: Option<String>,
    },
}

/// Whether the customer can complete a challenge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    #[default]
    There,
    /// On session, but the caller wants an error instead of a challenge.
    NotAsked,
    /// Stripe's `off_session`.
    Away,
}

/// Changed members; `Some(None)` clears one.
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
pub enum ChallengeResult {
    Complete,
    Fail,
}

/// External values of a decision.
#[derive(Clone, Debug)]
pub struct Context {
    /// In seconds.
    pub now: i64,
    /// Id of a new charge.
    pub charge_id: String,
    /// The bank's page for this intent.
    pub challenge_url: String,
}

/// The new state of the intent, and its effects.
#[derive(Debug)]
pub struct Transition {
    pub intent: Intent,
    pub charge: Option<Charge>,
    pub events: Vec<Type>,
    /// The error of a declined payment. Everything above is written as well.
    pub error: Option<ApiError>,
}

impl Transition {
    fn without_effects(intent: Intent) -> Self {
        Self { intent, charge: None, events: Vec::new(), error: None }
    }
}

/// # Errors
/// A rejection that changes nothing.
pub fn decide(
    intent: &Intent,
    step: Step,
    method: Option<&PaymentMethod>,
    context: &Context,
) -> Result<Transition, ApiError> {
    match step {
        Step::Change(changes) => change(intent, *changes, method),
        Step::Confirm { return_url, presence } => confirm(intent, return_url, presence, method, context),
        Step::Authenticate(choice) => authenticate(intent, choice, method, context),
        Step::Cancel { reason } => cancel(intent, reason, context),
    }
}

fn unexpected(message: String) -> ApiError {
    ApiError::invalid(message).code("payment_intent_unexpected_state")
}

/// `method` replaces the attached one, if given.
fn change(intent: &Intent, changes: Changes, method: Option<&PaymentMethod>) -> Result<Transition, ApiError> {
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
    // The approved payment differs from the changed one.
    let stale = next.amount != intent.amount || next.payment_method != intent.payment_method;
    if stale && !intent.status.is_final() && next.payment_method.is_some() {
        next.status = Status::RequiresConfirmation;
        next.challenge_url = None;
    }
    Ok(Transition::without_effects(next))
}

fn confirm(
    intent: &Intent,
    return_url: Option<String>,
    presence: Presence,
    method: Option<&PaymentMethod>,
    context: &Context,
) -> Result<Transition, ApiError> {
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
    let card = method.card().ok_or_else(|| ApiError::no_such("PaymentMethod", &method.id, "payment_method"))?;
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
        return Ok(attempt(next, method, Authenticated::No, Some(Decline::AuthenticationRequired), context));
    }
    if asks {
        next.status = Status::RequiresAction;
        next.challenge_url = Some(context.challenge_url.clone());
        let mut transition = Transition::without_effects(next);
        transition.events.push(Type::PaymentIntentRequiresAction);
        return Ok(transition);
    }
    let authenticated = match card.authentication {
        Authentication::Frictionless => Authenticated::Frictionless,
        _ => Authenticated::No,
    };
    Ok(attempt(next, method, authenticated, method.decline(), context))
}

fn authenticate(
    intent: &Intent,
    choice: ChallengeResult,
    method: Option<&PaymentMethod>,
    context: &Context,
) -> Result<Transition, ApiError> {
    let (Status::RequiresAction, Some(method)) = (intent.status, method) else {
        let word = intent.status.word();
        return Err(unexpected(format!("This PaymentIntent is not waiting for its cardholder: it is {word}.")));
    };
    let mut next = intent.clone();
    next.challenge_url = None;
    if choice == ChallengeResult::Complete {
        return Ok(attempt(next, method, Authenticated::Yes, method.decline(), context));
    }
    let error = ApiError::invalid(
        "The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new \
         PaymentMethod to attempt to fulfill this PaymentIntent again.",
    )
    .code("payment_intent_authentication_failure")
    .with("payment_method", method.to_json());
    next.status = Status::RequiresPaymentMethod;
    next.payment_method = None;
    next.last_payment_error = Some(error.members());
    let mut transition = Transition::without_effects(next);
    transition.events.push(Type::PaymentIntentPaymentFailed);
    transition.error = Some(error);
    Ok(transition)
}

/// Requests the payment from the customer's bank.
fn attempt(
    mut intent: Intent,
    method: &PaymentMethod,
    authentication: Authenticated,
    decline: Option<Decline>,
    context: &Context,
) -> Transition {
    let charge = Charge {
        id: context.charge_id.clone(),
        payment_intent: intent.id.clone(),
        amount: intent.amount,
        amount_refunded: 0,
        currency: intent.currency.clone(),
        created: context.now,
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
        return Transition {
            intent,
            charge: Some(charge),
            events: vec![Type::ChargeSucceeded, Type::PaymentIntentSucceeded],
            error: None,
        };
    };
    let mut error = ApiError::card(decline.message())
        .code(decline.code())
        .with("decline_code", json!(decline.decline_code()))
        .with("charge", json!(charge.id))
        .with("payment_method", method.to_json());
    if let Some(param) = decline.param() {
        error = error.param(param);
    }
    intent.status = Status::RequiresPaymentMethod;
    intent.payment_method = None;
    intent.last_payment_error = Some(error.members());
    Transition {
        intent,
        charge: Some(charge),
        events: vec![Type::ChargeFailed, Type::PaymentIntentPaymentFailed],
        error: Some(error),
    }
}

fn cancel(intent: &Intent, reason: Option<String>, context: &Context) -> Result<Transition, ApiError> {
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
    next.canceled_at = Some(context.now);
    next.cancellation_reason = reason;
    next.challenge_url = None;
    let mut transition = Transition::without_effects(next);
    transition.events.push(Type::PaymentIntentCanceled);
    Ok(transition)
}
