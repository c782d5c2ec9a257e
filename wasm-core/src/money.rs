//! Money: US dollars in whole cents, with checked arithmetic. No other code computes with amounts.

use alloc::string::String;
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::codec;
use crate::decimal;

/// Amount in whole US cents. Refunds are negative.
///
/// In JSON it is a number of dollars with at most two decimals, read from its decimal text and never through a float.
/// It therefore needs `serde_json` (or JavaScript values), and does not work inside `#[serde(flatten)]` or an untagged
/// enum that is deserialized, because serde buffers their numbers as floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cents(i64);

impl Cents {
    /// Zero dollars.
    pub const ZERO: Self = Self(0);

    /// The amount of `cents` hundredths of a dollar.
    #[must_use]
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// The amount in hundredths of a dollar.
    #[must_use]
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// The sum.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn checked_add(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_add(other.0).map(Self).ok_or(Overflow)
    }

    /// The difference.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn checked_sub(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_sub(other.0).map(Self).ok_or(Overflow)
    }

    /// The amount multiplied by `count`.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn times(self, count: i64) -> Result<Self, Overflow> {
        self.0.checked_mul(count).map(Self).ok_or(Overflow)
    }

    /// Parses dollars with at most two decimals: `24.99`, `24.9`, `24`, `-0.05`.
    ///
    /// ```
    /// use wasm_core::money::Cents;
    ///
    /// let price = Cents::parse("24.99")?;
    /// assert_eq!(price.times(2), Ok(Cents::from_cents(4998)));
    /// assert_eq!(price.to_string(), "$24.99");
    /// # Ok::<(), wasm_core::money::ParseMoneyError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParseMoneyError`] for any other text, such as a third decimal, an exponent, a currency symbol or a comma.
    pub fn parse(text: &str) -> Result<Self, ParseMoneyError> {
        decimal::parse(text).map(Self).ok_or(ParseMoneyError)
    }

    /// Parses an amount as typed into a field: like [`Cents::parse`], with spaces around it and a dollar sign before it.
    ///
    /// # Errors
    /// [`ParseMoneyError`] for any other text.
    pub fn parse_typed(typed: &str) -> Result<Self, ParseMoneyError> {
        let typed = typed.trim();
        Self::parse(typed.strip_prefix('$').unwrap_or(typed))
    }

    /// Dollars with two decimals and no symbol: `24.99`. [`Cents::parse`] parses it.
    #[must_use]
    pub fn decimal(self) -> String {
        decimal::text(self.0)
    }
}

/// Formatted for display: `$1,234.50`, `-$1.00`.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        f.write_str(if self.0 < 0 { "-$" } else { "$" })?;
        write_grouped(f, magnitude / 100)?;
        write!(f, ".{:02}", magnitude % 100)
    }
}

fn write_grouped(f: &mut fmt::Formatter<'_>, whole: u64) -> fmt::Result {
    if whole < 1000 {
        return write!(f, "{whole}");
    }
    write_grouped(f, whole / 1000)?;
    write!(f, ",{:03}", whole % 1000)
}

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        codec::write_decimal(self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&codec::decimal_text(deserializer)?).map_err(D::Error::custom)
    }
}

/// Arithmetic overflow: the result does not fit an `i64` of hundredths (about 92 quadrillion dollars).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The amount is too large.")
    }
}

impl core::error::Error for Overflow {}

/// Text that is not an amount of dollars with at most two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoneyError;

impl fmt::Display for ParseMoneyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Enter an amount in dollars with at most two decimals, like 24.99.")
    }
}

impl core::error::Error for ParseMoneyError {}
