//! Stripe's documented test cards: their numbers, the payment methods named after them, and what becomes of a
//! payment with each.

use serde::{Deserialize, Serialize};

/// Why a payment is declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decline {
    Generic,
    InsufficientFunds,
    LostCard,
    StolenCard,
    ExpiredCard,
    IncorrectCvc,
    ProcessingError,
    VelocityExceeded,
    Fraudulent,
}

impl Decline {
    /// Stripe's `code`.
    pub fn code(self) -> &'static str {
        match self {
            Self::ExpiredCard => "expired_card",
            Self::IncorrectCvc => "incorrect_cvc",
            Self::ProcessingError => "processing_error",
            _ => "card_declined",
        }
    }

    /// Stripe's `decline_code`.
    pub fn decline_code(self) -> &'static str {
        match self {
            Self::Generic => "generic_decline",
            Self::InsufficientFunds => "insufficient_funds",
            Self::LostCard => "lost_card",
            Self::StolenCard => "stolen_card",
            Self::ExpiredCard => "expired_card",
            Self::IncorrectCvc => "incorrect_cvc",
            Self::ProcessingError => "processing_error",
            Self::VelocityExceeded => "card_velocity_exceeded",
            Self::Fraudulent => "fraudulent",
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::Generic | Self::LostCard | Self::StolenCard | Self::Fraudulent => "Your card was declined.",
            Self::InsufficientFunds => "Your card has insufficient funds.",
            Self::ExpiredCard => "Your card has expired.",
            Self::IncorrectCvc => "Your card's security code is incorrect.",
            Self::ProcessingError => "An error occurred while processing your card. Try again in a little bit.",
            Self::VelocityExceeded => {
                "Your card was declined for making repeated attempts too frequently or exceeding its amount limit."
            }
        }
    }

    /// Which input is at fault, where one is.
    pub fn param(self) -> Option<&'static str> {
        match self {
            Self::ExpiredCard => Some("exp_month"),
            Self::IncorrectCvc => Some("cvc"),
            _ => None,
        }
    }

    /// True where Stripe itself blocks the payment before any bank sees it.
    pub fn is_blocked(self) -> bool {
        self == Self::Fraudulent
    }
}

/// Whether the cardholder's bank wants to hear from the cardholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    NotAsked,
    Required,
}
use Authentication::{NotAsked, Required};

#[derive(Debug, PartialEq, Eq)]
pub struct TestCard {
    /// What follows `pm_card_`.
    pub name: &'static str,
    /// Also what a payment method is kept by: no other number than these is ever kept.
    pub number: &'static str,
    pub brand: &'static str,
    pub funding: &'static str,
    pub country: &'static str,
    pub authentication: Authentication,
    /// `None`: the payment succeeds.
    pub decline: Option<Decline>,
}

impl TestCard {
    pub fn last4(&self) -> &'static str {
        self.number.get(self.number.len().saturating_sub(4)..).unwrap_or_default()
    }
}

const fn good(name: &'static str, number: &'static str, brand: &'static str, funding: &'static str) -> TestCard {
    TestCard { name, number, brand, funding, country: "US", authentication: NotAsked, decline: None }
}

const fn visa(
    name: &'static str,
    number: &'static str,
    authentication: Authentication,
    decline: Option<Decline>,
) -> TestCard {
    TestCard { name, number, brand: "visa", funding: "credit", country: "US", authentication, decline }
}

/// In Stripe's own order. A name that stands here twice means the first of its numbers.
pub static CARDS: &[TestCard] = &[
    good("visa", "4242424242424242", "visa", "credit"),
    good("us", "4242424242424242", "visa", "credit"),
    good("visa_debit", "4000056655665556", "visa", "debit"),
    good("mastercard", "5555555555554444", "mastercard", "credit"),
    good("mastercard", "2223003122003222", "mastercard", "credit"),
    good("mastercard_debit", "5200828282828210", "mastercard", "debit"),
    good("mastercard_prepaid", "5105105105105100", "mastercard", "prepaid"),
    good("amex", "378282246310005", "amex", "credit"),
    good("amex", "371449635398431", "amex", "credit"),
    good("discover", "6011111111111117", "discover", "credit"),
    good("discover", "6011000990139424", "discover", "credit"),
    good("diners", "3056930009020004", "diners", "credit"),
    good("diners", "36227206271667", "diners", "credit"),
    good("jcb", "3566002020360505", "jcb", "credit"),
    good("unionpay", "6200000000000005", "unionpay", "credit"),
    TestCard { country: "CA", ..good("ca", "4000001240000000", "visa", "credit") },
    visa("chargeDeclined", "4000000000000002", NotAsked, Some(Decline::Generic)),
    visa("chargeDeclinedInsufficientFunds", "4000000000009995", NotAsked, Some(Decline::InsufficientFunds)),
    visa("chargeDeclinedLostCard", "4000000000009987", NotAsked, Some(Decline::LostCard)),
    visa("chargeDeclinedStolenCard", "4000000000009979", NotAsked, Some(Decline::StolenCard)),
    visa("chargeDeclinedExpiredCard", "4000000000000069", NotAsked, Some(Decline::ExpiredCard)),
    visa("chargeDeclinedIncorrectCvc", "4000000000000127", NotAsked, Some(Decline::IncorrectCvc)),
    visa("chargeDeclinedProcessingError", "4000000000000119", NotAsked, Some(Decline::ProcessingError)),
    visa("chargeDeclinedVelocityLimitExceeded", "4000000000006975", NotAsked, Some(Decline::VelocityExceeded)),
    visa("chargeCustomerFail", "4000000000000341", NotAsked, Some(Decline::Generic)),
    visa("radarBlock", "4100000000000019", NotAsked, Some(Decline::Fraudulent)),
    visa("authenticationRequiredOnSetup", "4000002500003155", Required, None),
    visa("authenticationRequired", "4000002760003184", Required, None),
    visa("threeDSecure2Required", "4000000000003220", Required, None),
    visa("threeDSecureRequired", "4000000000003063", Required, None),
    visa(
        "authenticationRequiredChargeDeclinedInsufficientFunds",
        "4000008260003178",
        Required,
        Some(Decline::InsufficientFunds),
    ),
    visa("threeDSecureRequiredChargeDeclined", "4000008400001629", Required, Some(Decline::Generic)),
    visa("threeDSecureRequiredProcessingError", "4000008400001280", Required, Some(Decline::ProcessingError)),
    visa("threeDSecureOptional", "4000000000003055", NotAsked, None),
];

/// The card of `pm_card_…` or `tok_…`; declined cards are also known with `visa_` before their name.
pub fn by_payment_method(id: &str) -> Option<&'static TestCard> {
    let name = id.strip_prefix("pm_card_").or_else(|| id.strip_prefix("tok_"))?;
    by_name(name).or_else(|| {
        let short = name.strip_prefix("visa_")?;
        by_name(short).filter(|card| card.decline.is_some())
    })
}

fn by_name(name: &str) -> Option<&'static TestCard> {
    CARDS.iter().find(|card| card.name == name)
}

/// `digits` without spaces.
pub fn by_number(digits: &str) -> Option<&'static TestCard> {
    CARDS.iter().find(|card| card.number == digits)
}

/// Luhn's check digit, which every card number ends with.
pub fn has_valid_check_digit(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte.saturating_sub(b'0'));
            match digit * 2 {
                _ if place % 2 == 0 => digit,
                doubled if doubled > 9 => doubled - 9,
                doubled => doubled,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_card_has_a_valid_number_and_names_for_one_number_mean_the_same() {
        for card in CARDS {
            assert!(has_valid_check_digit(card.number), "{}", card.name);
            let named = by_number(card.number).unwrap();
            assert_eq!((named.authentication, named.decline), (card.authentication, card.decline));
        }
    }

    #[test]
    fn the_documented_numbers_do_what_the_documentation_says() {
        let outcome = |number| {
            let card = by_number(number).unwrap();
            (card.authentication, card.decline.map(|decline| (decline.code(), decline.decline_code())))
        };
        assert_eq!(outcome("4242424242424242"), (NotAsked, None));
        assert_eq!(outcome("4000000000000002"), (NotAsked, Some(("card_declined", "generic_decline"))));
        assert_eq!(outcome("4000000000009995"), (NotAsked, Some(("card_declined", "insufficient_funds"))));
        assert_eq!(outcome("4000000000000069"), (NotAsked, Some(("expired_card", "expired_card"))));
        assert_eq!(outcome("4000000000000127"), (NotAsked, Some(("incorrect_cvc", "incorrect_cvc"))));
        assert_eq!(outcome("4000002500003155"), (Required, None));
        assert_eq!(outcome("4000000000003220"), (Required, None));
        assert_eq!(outcome("4000008400001629"), (Required, Some(("card_declined", "generic_decline"))));
        assert_eq!(by_number("4111111111111111"), None);
    }

    #[test]
    fn a_declined_card_answers_to_both_of_its_names() {
        let short = by_payment_method("pm_card_chargeDeclined").unwrap();
        assert_eq!(by_payment_method("pm_card_visa_chargeDeclined"), Some(short));
        assert_eq!(by_payment_method("tok_chargeDeclined"), Some(short));
        assert_eq!(by_payment_method("pm_card_visa_visa"), None);
        assert_eq!(by_payment_method("pm_visa"), None);
    }

    #[test]
    fn one_wrong_digit_is_noticed() {
        assert!(has_valid_check_digit("4242424242424242"));
        assert!(!has_valid_check_digit("4242424242424241"));
        assert!(!has_valid_check_digit("4242424242422442"));
    }
}
