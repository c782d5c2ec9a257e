//! Amounts and lists as JSON text, as the server reads and writes them.

use alloc::string::String;
use alloc::vec::Vec;

use serde::de::DeserializeOwned;
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::decimal;

/// Writes hundredths as a JSON number.
pub(crate) fn write_decimal<S: Serializer>(hundredths: i64, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(decimal::text(hundredths)).map_err(S::Error::custom)?.serialize(serializer)
}

/// A text in small letters.
pub(crate) fn lowercase(text: &str) -> String {
    text.to_lowercase()
}

/// The entries of a list in JSON that can be read; none where the text is no list.
pub(crate) fn each_readable<T: DeserializeOwned>(json: &str) -> Vec<T> {
    let entries: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    entries.into_iter().filter_map(|entry| serde_json::from_str(entry.get()).ok()).collect()
}

/// How a type is read from JavaScript, for the border. Here no value comes from there: serde reads JSON, by its derives.
#[macro_export]
macro_rules! from_js {
    ($($any:tt)*) => {};
}
