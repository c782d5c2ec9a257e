//! Stripe's documented test cards: numbers, payment method names, and the result of a payment with each.

mod decline;
mod list;

pub use decline::Decline;
pub use list::CARDS;

/// 3-D Secure behavior of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    NotAsked,
    Required,
    /// Required on session; without it the payment succeeds.
    RequiredOnSession,
    /// Frictionless: the customer sees no challenge.
    Frictionless,
}

/// Radar risk level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Risk {
    Normal,
    Elevated,
}

/// The bank's checks of address and security code. Missing data is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    Pass,
    CvcFails,
    PostalCodeFails,
    Line1Fails,
    AddressFails,
    AddressUnavailable,
}

/// What follows a successful payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// The customer disputes it, once for each claim.
    Disputed(&'static [Claim]),
    /// The issuer reports fraud; no money moves.
    FraudWarning,
    /// A refund starts as `pending` and succeeds later.
    RefundPending,
    /// A refund starts as `succeeded` and fails later.
    RefundFails,
}

/// A dispute that the customer's bank opens.
#[derive(Debug, PartialEq, Eq)]
pub struct Claim {
    pub reason: &'static str,
    /// An `inquiry` withdraws no money.
    pub case_type: &'static str,
    pub network_reason_code: &'static str,
    /// Stripe's `enhanced_eligibility_types`.
    pub eligibility: &'static [&'static str],
}

#[derive(Debug, PartialEq, Eq)]
pub struct TestCard {
    /// The suffix of `pm_card_`; empty where Stripe documents only the number.
    pub name: &'static str,
    /// Also the stored identifier of a payment method: no other card number is ever stored.
    pub number: &'static str,
    pub brand: &'static str,
    pub funding: &'static str,
    pub country: &'static str,
    /// Second network of a co-branded card.
    pub co_brand: Option<&'static str>,
    pub authentication: Authentication,
    /// None: the payment succeeds.
    pub decline: Option<Decline>,
    pub risk: Risk,
    pub checks: Checks,
    pub effect: Effect,
}

impl TestCard {
    pub fn last4(&self) -> &'static str {
        self.number.get(self.number.len().saturating_sub(4)..).unwrap_or_default()
    }

    /// Disputes that follow a payment.
    pub fn claims(&self) -> &'static [Claim] {
        match self.effect {
            Effect::Disputed(claims) => claims,
            _ => &[],
        }
    }
}

/// Finds the card of `pm_card_…` or `tok_…`. Visa cards with special behavior also have names with `visa_`.
pub fn by_payment_method(id: &str) -> Option<&'static TestCard> {
    let name = id.strip_prefix("pm_card_").or_else(|| id.strip_prefix("tok_"))?;
    by_name(name).or_else(|| {
        let short = name.strip_prefix("visa_")?;
        by_name(short).filter(|card| card.decline.is_some() || card.effect != Effect::None)
    })
}

fn by_name(name: &str) -> Option<&'static TestCard> {
    CARDS.iter().find(|card| card.name == name && !name.is_empty())
}

/// `digits` has no spaces.
pub fn by_number(digits: &str) -> Option<&'static TestCard> {
    CARDS.iter().find(|card| card.number == digits)
}

/// Luhn check digit.
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
            assert_eq!(*named, TestCard { name: named.name, ..*card }, "{}", card.name);
        }
    }

    #[test]
    fn the_documented_numbers_do_what_the_documentation_says() {
        use Authentication::{NotAsked, Required};
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
