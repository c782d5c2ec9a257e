//! Weight: whole hundredths of a pound, with checked arithmetic.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::codec;
use crate::decimal;
use crate::money::Overflow;

/// Weight in hundredths of a pound (avoirdupois). In JSON it is a number of pounds with at most two decimals, read
/// from its decimal text like `Cents`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(i64);

impl Weight {
    /// Zero pounds.
    pub const ZERO: Self = Self(0);

    /// The weight of `hundredths` hundredths of a pound.
    ///
    /// ```
    /// use wasm_core::weight::Weight;
    ///
    /// assert_eq!(Weight::from_hundredths(60).to_string(), "0.60 lb");
    /// ```
    #[must_use]
    pub const fn from_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// The weight in hundredths of a pound.
    #[must_use]
    pub const fn hundredths(self) -> i64 {
        self.0
    }

    /// The sum.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn checked_add(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_add(other.0).map(Self).ok_or(Overflow)
    }

    /// The weight multiplied by `count`.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn times(self, count: i64) -> Result<Self, Overflow> {
        self.0.checked_mul(count).map(Self).ok_or(Overflow)
    }

    /// Parses pounds with at most two decimals: `0.6`.
    ///
    /// # Errors
    /// [`ParseWeightError`] for any other text.
    pub fn parse(text: &str) -> Result<Self, ParseWeightError> {
        decimal::parse(text).map(Self).ok_or(ParseWeightError)
    }
}

/// Formatted for display: `0.60 lb`.
impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lb", decimal::text(self.0))
    }
}

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        codec::write_decimal(self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&codec::decimal_text(deserializer)?).map_err(D::Error::custom)
    }
}

/// Text that is not a number of pounds with at most two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseWeightError;

impl fmt::Display for ParseWeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Enter a weight in pounds with at most two decimals, like 0.6.")
    }
}

impl core::error::Error for ParseWeightError {}
