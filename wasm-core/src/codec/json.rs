//! JSON text, as the server reads and writes it.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::decimal;

/// The text of a JSON number, exactly as it was sent.
pub(crate) fn decimal_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(|raw| raw.get().to_owned())
}

/// Writes hundredths as a JSON number with two decimals.
pub(crate) fn write_decimal<S: Serializer>(hundredths: i64, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(decimal::text(hundredths)).map_err(S::Error::custom)?.serialize(serializer)
}

/// The shortest decimal text that reads back as the same float.
pub(crate) fn float_text(number: f64) -> String {
    number.to_string()
}

/// Unicode lowercase.
pub(crate) fn lowercase(text: &str) -> String {
    text.to_lowercase()
}

/// The entries of a JSON array that deserialize; none if the text is not an array.
pub(crate) fn valid_entries<T: DeserializeOwned>(json: &str) -> Vec<T> {
    let entries: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    entries.into_iter().filter_map(|entry| serde_json::from_str(entry.get()).ok()).collect()
}
