//! Modifiers amounts, whole numbers and optional members are read from JSON.

use alloc::string::{String, ToString};
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// A member that may be absent but not `null`: absent keeps what is there, `null` would mean nothing.
/// Used as `#[serde(default, deserialize_with = "present")]`.
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A text that may be absent (kept), or `null` or empty (cleared): both of the latter are read as the empty text.
pub(crate) fn clearable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|text| Some(text.unwrap_or_default()))
}

/// A whole number, also with a decimal point: to JSON Schema `5.0` is the integer 5, and some clients write it so.
/// Used as `#[serde(deserialize_with = "whole_number")]`.
///
/// # Errors
/// For anything else, and for what an `i64` cannot hold.
pub fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    WholeNumber::deserialize(deserializer).map(|number| number.0)
}

/// [`whole_number`], where the member may also be absent or `null`.
/// Used as `#[serde(default, deserialize_with = "optional_whole_number")]`.
///
/// # Errors
/// As [`whole_number`].
pub fn optional_whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Option::<WholeNumber>::deserialize(deserializer).map(|number| number.map(|number| number.0))
}

/// [`whole_number`], where the member may be absent but not `null`: see [`present`].
pub(crate) fn present_whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    whole_number(deserializer).map(Some)
}

struct WholeNumber(i64);

impl<'de> Deserialize<'de> for WholeNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_i64(WholeNumberVisitor).map(Self)
    }
}

struct WholeNumberVisitor;

impl Visitor<'_> for WholeNumberVisitor {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        i64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
        // Its text has no exponent, and a point only where there are decimals.
        number.to_string().parse().map_err(|_| E::invalid_value(Unexpected::Float(number), &self))
    }
}
