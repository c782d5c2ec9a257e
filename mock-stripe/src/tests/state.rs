//! The state machine of an intent.

use crate::api_error::ApiError;
use crate::charge::Authenticated;
use crate::events::Type;
use crate::form::Form;
use crate::intent::{Intent, Status};
use crate::intent_input;
use crate::intent_state::{ChallengeResult, Changes, Context, Presence, Step, Transition, decide};
use crate::payment_method::PaymentMethod;

const NOW: i64 = 1_795_219_200_000;

fn intent() -> Intent {
    let form = Form::parse("amount=1000&currency=usd").unwrap();
    intent_input::creation(form, NOW).unwrap().intent
}

fn card(name: &str) -> PaymentMethod {
    PaymentMethod::named(name, NOW).unwrap()
}

fn step(intent: &Intent, step: Step, method: Option<&PaymentMethod>) -> Result<Transition, ApiError> {
    let context =
        Context { now: NOW / 1000, charge_id: "ch_1".to_owned(), challenge_url: "https://bank.example/".to_owned() };
    decide(intent, step, method, &context)
}

fn confirm(intent: &Intent, method: &PaymentMethod) -> Transition {
    step(intent, Step::Confirm { return_url: None, presence: Presence::There }, Some(method)).unwrap()
}

fn amount(cents: i64) -> Step {
    Step::Change(Box::new(Changes { amount: Some(cents), ..Changes::default() }))
}

#[test]
fn a_good_card_pays_at_once() {
    let transition = confirm(&intent(), &card("pm_card_visa"));
    assert_eq!((transition.intent.status, transition.intent.amount_received), (Status::Succeeded, 1000));
    assert_eq!(transition.events, [Type::ChargeSucceeded, Type::PaymentIntentSucceeded]);
    assert_eq!(transition.charge.unwrap().authentication, Authenticated::No);
    assert!(transition.error.is_none());
}

#[test]
fn a_decline_goes_back_to_the_start_and_keeps_why() {
    let transition = confirm(&intent(), &card("pm_card_chargeDeclined"));
    assert_eq!((transition.intent.status, transition.intent.amount_received), (Status::RequiresPaymentMethod, 0));
    assert_eq!(transition.intent.payment_method, None);
    assert_eq!(transition.intent.last_payment_error.unwrap()["decline_code"], "generic_decline");
    assert_eq!(transition.events, [Type::ChargeFailed, Type::PaymentIntentPaymentFailed]);
    assert!(transition.error.is_some());
}

#[test]
fn a_card_that_must_be_approved_takes_nothing_until_it_is() {
    let method = card("pm_card_threeDSecure2Required");
    let waiting = confirm(&intent(), &method);
    assert_eq!(waiting.intent.status, Status::RequiresAction);
    assert_eq!(waiting.events, [Type::PaymentIntentRequiresAction]);
    assert!(waiting.charge.is_none() && waiting.intent.challenge_url.is_some());

    let approved = step(&waiting.intent, Step::Authenticate(ChallengeResult::Complete), Some(&method)).unwrap();
    assert_eq!(approved.intent.status, Status::Succeeded);
    assert_eq!(approved.charge.unwrap().authentication, Authenticated::Yes);
    assert!(approved.intent.challenge_url.is_none());

    let refused = step(&waiting.intent, Step::Authenticate(ChallengeResult::Fail), Some(&method)).unwrap();
    assert_eq!(refused.intent.status, Status::RequiresPaymentMethod);
    assert!(refused.charge.is_none() && refused.intent.challenge_url.is_none());
}

#[test]
fn a_changed_amount_must_be_approved_anew() {
    let method = card("pm_card_threeDSecure2Required");
    let waiting = confirm(&intent(), &method).intent;
    let changed = step(&waiting, amount(2000), None).unwrap().intent;
    assert_eq!((changed.status, changed.challenge_url.as_ref()), (Status::RequiresConfirmation, None));
    assert!(step(&changed, Step::Authenticate(ChallengeResult::Complete), Some(&method)).is_err());
}

#[test]
fn nothing_leaves_the_two_final_states() {
    let paid = confirm(&intent(), &card("pm_card_visa")).intent;
    let canceled = step(&intent(), Step::Cancel { reason: None }, None).unwrap().intent;
    let method = card("pm_card_visa");
    for last in [paid, canceled] {
        for attempt in [
            Step::Confirm { return_url: None, presence: Presence::There },
            Step::Authenticate(ChallengeResult::Complete),
            Step::Authenticate(ChallengeResult::Fail),
            Step::Cancel { reason: None },
            amount(2000),
        ] {
            let refused = step(&last, attempt.clone(), Some(&method)).unwrap_err();
            assert_eq!(refused.members()["code"], "payment_intent_unexpected_state", "{attempt:?}");
        }
        let described = Changes { description: Some(Some("x".to_owned())), ..Changes::default() };
        let described = step(&last, Step::Change(Box::new(described)), None).unwrap().intent;
        assert_eq!(described.status, last.status);
    }
}

#[test]
fn without_a_payment_method_nothing_is_confirmed() {
    let refused = step(&intent(), Step::Confirm { return_url: None, presence: Presence::There }, None).unwrap_err();
    assert_eq!(refused.members()["code"], "payment_intent_unexpected_state");
    let attached = step(&intent(), Step::Change(Box::default()), Some(&card("pm_card_visa"))).unwrap();
    assert_eq!(attached.intent.status, Status::RequiresConfirmation);
}
