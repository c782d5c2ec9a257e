//! The card of a payment, as a customer recognizes it.

use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

/// Card that paid an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({ "brand": "visa", "last4": "4242" }))))]
pub struct Card {
    /// The payment provider's code: `visa`, `mastercard`, `amex` and others.
    pub brand: String,
    /// Last four digits of the number.
    pub last4: String,
}

impl Card {
    /// A card from values of the payment provider. None if they are no card: an order never fails for that.
    #[must_use]
    pub fn parse(brand: &str, last4: &str) -> Option<Self> {
        let is_code = (1..=MAX_BRAND).contains(&brand.len())
            && brand.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let is_number = last4.len() == 4 && last4.bytes().all(|byte| byte.is_ascii_digit());
        (is_code && is_number).then(|| Self { brand: brand.into(), last4: last4.into() })
    }

    /// For display.
    ///
    /// ```
    /// use wasm_core::orders::Card;
    ///
    /// let label = |brand| Card::parse(brand, "4242").map(|card| card.label());
    /// assert_eq!(label("visa").as_deref(), Some("Visa ending in 4242"));
    /// assert_eq!(label("unknown").as_deref(), Some("Card ending in 4242"));
    /// ```
    #[must_use]
    pub fn label(&self) -> String {
        format!("{} ending in {}", self.brand_name(), self.last4)
    }

    fn brand_name(&self) -> &'static str {
        match self.brand.as_str() {
            "amex" => "American Express",
            "diners" => "Diners Club",
            "discover" => "Discover",
            "jcb" => "JCB",
            "mastercard" => "Mastercard",
            "unionpay" => "UnionPay",
            "visa" => "Visa",
            _ => "Card",
        }
    }
}

/// Maximum length of a brand's code.
const MAX_BRAND: usize = 32;

#[cfg(test)]
mod tests {
    use super::Card;

    #[test]
    fn only_a_code_and_four_digits_are_a_card() {
        assert!(Card::parse("cartes_bancaires", "0000").is_some());
        for (brand, last4) in [("", "4242"), ("Visa", "4242"), ("visa ", "4242"), ("visa", "424"), ("visa", "42421")] {
            assert_eq!(Card::parse(brand, last4), None, "{brand} {last4}");
        }
        assert_eq!(Card::parse("visa", "４２"), None);
        assert_eq!(Card::parse(&"x".repeat(33), "4242"), None);
    }
}
