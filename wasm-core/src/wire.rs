//! Deserializers of optional members and whole numbers in JSON.

use alloc::string::{String, ToString};
use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// Member of a patch that may be absent but not `null`. An absent member leaves the field unchanged.
/// Used as `#[serde(default, deserialize_with = "non_null")]`.
///
/// # Errors
/// For `null`, and for a value of the wrong type.
pub fn non_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// Member whose default stands for `null`.
/// Used as `#[serde(default, deserialize_with = "null_as_default")]`.
pub(crate) fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::<T>::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Text of a patch that may be absent (unchanged), `null` or empty. `null` reads as the empty text, which clears it.
///
/// # Errors
/// For any other value.
pub fn clearable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::<String>::deserialize(deserializer).map(|text| Some(text.unwrap_or_default()))
}

/// Integer that may have a decimal point: JSON Schema considers `5.0` an integer, and some clients send it.
/// Used as `#[serde(deserialize_with = "whole_number")]`.
///
/// # Errors
/// For any other value, and for integers beyond an `i64`.
pub fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    WholeNumber::deserialize(deserializer).map(|number| number.0)
}

/// [`whole_number`] that may be absent or `null`.
/// Used as `#[serde(default, deserialize_with = "optional_whole_number")]`.
///
/// # Errors
/// As [`whole_number`].
pub fn optional_whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Option::<WholeNumber>::deserialize(deserializer).map(|number| number.map(|number| number.0))
}

/// [`whole_number`] that may be absent but not `null`: see [`non_null`].
///
/// # Errors
/// As [`whole_number`], and for `null`.
pub fn non_null_whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
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
        // Its text has no exponent, and a decimal point only before decimals.
        number.to_string().parse().map_err(|_| E::invalid_value(Unexpected::Float(number), &self))
    }
}
