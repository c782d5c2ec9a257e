//! Delivery times in business days: until an order ships, and in transit to each country.
//!
//! ```
//! use wasm_core::delivery::DayRange;
//!
//! assert_eq!(DayRange::parse("3-5").unwrap().to_string(), "3–5 business days");
//! assert_eq!(DayRange::parse("1").unwrap().to_string(), "1 business day");
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::validation::{Country, Message};

const MAX_DAYS: u8 = 90;
const DEFAULT_CUTOFF_HOUR: u8 = 15;

/// Who pays to send back a light that is not faulty. The seller pays for one that is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ReturnShipping {
    #[default]
    Customer,
    Shop,
}

impl ReturnShipping {
    /// As a sentence for customers.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Customer => "You pay return shipping unless the light is defective.",
            Self::Shop => "We pay return shipping.",
        }
    }

    /// Return window and who pays return shipping: `30-day returns. We pay return shipping.`
    #[must_use]
    pub fn terms(self, days: u32) -> String {
        format!("{days}-day returns. {}", self.sentence())
    }
}

/// Range of business days, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({ "min": 1, "max": 2 }))))]
pub struct DayRange {
    /// Fewest business days.
    pub min: u8,
    /// Most business days.
    pub max: u8,
}

/// Business days in transit, by country.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "US": { "min": 3, "max": 5 },
    "CA": { "min": 5, "max": 10 },
}))))]
pub struct TransitTimes {
    /// To the United States.
    #[serde(rename = "US")]
    pub us: DayRange,
    /// To Canada.
    #[serde(rename = "CA")]
    pub ca: DayRange,
}

/// Delivery times of every product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "handling": { "min": 1, "max": 2 },
    "transit": { "US": { "min": 3, "max": 5 }, "CA": { "min": 5, "max": 10 } },
    "cutoff_hour": 15,
}))))]
pub struct DeliveryTimes {
    /// Business days from the order to its shipment.
    pub handling: DayRange,
    /// Business days from the shipment to its arrival.
    pub transit: TransitTimes,
    /// Hour of the day in the shop's time zone, from 0 to 24, from which an order counts as one of the next business
    /// day. 24 is none.
    #[serde(default = "default_cutoff_hour")]
    pub cutoff_hour: u8,
}

const fn default_cutoff_hour() -> u8 {
    DEFAULT_CUTOFF_HOUR
}

impl Default for DeliveryTimes {
    fn default() -> Self {
        Self {
            handling: DayRange { min: 1, max: 2 },
            transit: TransitTimes { us: DayRange { min: 3, max: 5 }, ca: DayRange { min: 5, max: 10 } },
            cutoff_hour: DEFAULT_CUTOFF_HOUR,
        }
    }
}

impl TransitTimes {
    /// The business days in transit to `country`.
    #[must_use]
    pub const fn to(&self, country: Country) -> DayRange {
        match country {
            Country::Us => self.us,
            Country::Ca => self.ca,
        }
    }
}

impl DayRange {
    /// Parses `3-5` (or `3–5`, as displayed), or `3` for a single number of days.
    ///
    /// # Errors
    /// A message for any other text, for days above 90, and for a range that ends before it starts.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let (min, max) = text.split_once('-').or_else(|| text.split_once('–')).unwrap_or((text, text));
        match (days(min), days(max)) {
            (Some(min), Some(max)) if min <= max && max <= MAX_DAYS => Ok(Self { min, max }),
            _ => Err("Enter business days from 0 to 90, like \"3-5\" or \"3\".".to_owned()),
        }
    }
}

/// Checks the hour from which an order counts as one of the next business day.
///
/// # Errors
/// A message for an hour above 24.
pub fn check_cutoff_hour(hour: u8) -> Result<(), Message> {
    if hour <= 24 { Ok(()) } else { Err("Enter an hour from 0 to 24.".to_owned()) }
}

fn days(text: &str) -> Option<u8> {
    let days: i64 = text.trim().parse().ok()?;
    days.try_into().ok()
}

/// Formatted for display: `3–5 business days`.
impl fmt::Display for DayRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min, self.max) {
            (1, 1) => f.write_str("1 business day"),
            (min, max) if min == max => write!(f, "{max} business days"),
            (min, max) => write!(f, "{min}–{max} business days"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::DayRange;

    #[test]
    fn a_range_of_days_is_two_numbers_up_to_90_or_one() {
        for (typed, shown) in [
            ("1-2", "1–2 business days"),
            (" 5 - 10 ", "5–10 business days"),
            ("3", "3 business days"),
            ("1", "1 business day"),
            ("2-2", "2 business days"),
            ("1–2", "1–2 business days"),
            ("0-90", "0–90 business days"),
        ] {
            assert_eq!(DayRange::parse(typed).unwrap().to_string(), shown, "{typed}");
        }
        for typed in ["", "-", "2-1", "1-91", "-1", "1-2-3", "one", "1.5", "1–2–3", "256"] {
            assert!(DayRange::parse(typed).is_err(), "{typed}");
        }
    }
}
