//! How amounts and optional members are read from JSON.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;

use serde::de::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The text of an amount, exactly as it was sent.
pub(crate) fn decimal_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(|raw| raw.get().to_owned())
}

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
