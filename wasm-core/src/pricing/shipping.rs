//! Shipping cost by the weight of the whole order.
//!
//! ```
//! use wasm_core::pricing::ShippingRates;
//!
//! let rates: ShippingRates = serde_json::from_str(r#"{"us": {"first_pound": 5, "additional_pound": 1.5}}"#)?;
//! assert_eq!(rates.us.first_pound.cents(), 500);
//! assert_eq!(rates.ca, ShippingRates::default().ca);
//! # Ok::<(), serde_json::Error>(())
//! ```

use core::fmt;

use alloc::string::ToString;

use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize};

use crate::codec;
use crate::money::{Cents, Overflow};
use crate::validation::Country;
use crate::weight::Weight;

const HUNDREDTHS_PER_POUND: i64 = 100;

/// Shipping rates by country, from the configuration file. The defaults are the rates below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "us": { "first_pound": 4.95, "additional_pound": 1.25 },
    "ca": { "first_pound": 11.95, "additional_pound": 2.5 },
}))))]
pub struct ShippingRates {
    /// Rate to the United States. Default: $4.95, and $1.25 for each additional pound.
    pub us: Rate,
    /// Rate to Canada. Default: $11.95, and $2.50 for each additional pound.
    pub ca: Rate,
}

/// Shipping rate to a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rate {
    /// Price of the first pound or part of one.
    #[serde(deserialize_with = "configured")]
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub first_pound: Cents,
    /// Price of each additional pound or part of one.
    #[serde(deserialize_with = "configured")]
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub additional_pound: Cents,
}

impl Default for ShippingRates {
    fn default() -> Self {
        Self {
            us: Rate { first_pound: Cents::from_cents(495), additional_pound: Cents::from_cents(125) },
            ca: Rate { first_pound: Cents::from_cents(1195), additional_pound: Cents::from_cents(250) },
        }
    }
}

/// Shipping cost of `weight` to `country`, by started pounds. The first pound is always charged, even for a weight of
/// zero.
///
/// ```
/// use wasm_core::pricing::{ShippingRates, shipping_cost};
/// use wasm_core::validation::Country;
/// use wasm_core::weight::Weight;
///
/// let cost = shipping_cost(Weight::from_hundredths(120), Country::Us, &ShippingRates::default());
/// assert_eq!(cost.map(|cents| cents.cents()), Ok(620));
/// ```
///
/// # Errors
/// [`Overflow`] if the result does not fit.
pub fn shipping_cost(weight: Weight, country: Country, rates: &ShippingRates) -> Result<Cents, Overflow> {
    let rate = match country {
        Country::Us => rates.us,
        Country::Ca => rates.ca,
    };
    let additional_pounds = (weight.hundredths().max(1) - 1) / HUNDREDTHS_PER_POUND;
    rate.first_pound.checked_add(rate.additional_pound.times(additional_pounds)?)
}

/// Deserializes an amount from a configuration file, whose numbers are floats. The shortest text of a float equals the
/// text in the file, as long as that has at most two decimals, so that no float arithmetic is involved.
fn configured<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cents, D::Error> {
    deserializer.deserialize_any(ConfiguredAmount)
}

struct ConfiguredAmount;

const NEGATIVE: &str = "A shipping price cannot be negative.";

impl ConfiguredAmount {
    fn parse<E: Error>(text: &str) -> Result<Cents, E> {
        match Cents::parse(text).map_err(E::custom)? {
            amount if amount < Cents::ZERO => Err(E::custom(NEGATIVE)),
            amount => Ok(amount),
        }
    }
}

impl Visitor<'_> for ConfiguredAmount {
    type Value = Cents;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount of dollars such as 4.95")
    }

    fn visit_f64<E: Error>(self, amount: f64) -> Result<Cents, E> {
        Self::parse(&codec::float_text(amount))
    }

    fn visit_i64<E: Error>(self, amount: i64) -> Result<Cents, E> {
        Self::parse(&amount.to_string())
    }

    fn visit_u64<E: Error>(self, amount: u64) -> Result<Cents, E> {
        Self::parse(&amount.to_string())
    }

    fn visit_str<E: Error>(self, amount: &str) -> Result<Cents, E> {
        Self::parse(amount)
    }
}
