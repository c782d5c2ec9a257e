//! JavaScript values, as a browser passes and stores them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use js_sys::{Array, JSON, JsString};
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::ser::Serializer;
use wasm_bindgen::JsValue;

use crate::decimal;
use crate::js;
pub(crate) use crate::js::number_text as float_text;

/// The shortest decimal text of a number: JavaScript's own, which reads back as the same number.
pub(crate) fn decimal_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_f64(NumberText)
}

struct NumberText;

impl Visitor<'_> for NumberText {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
        Ok(float_text(number))
    }
}

/// Writes hundredths as a number, parsed by the browser.
pub(crate) fn write_decimal<S: Serializer>(hundredths: i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(JsValue::from_str(&decimal::text(hundredths)).unchecked_into_f64())
}

/// Unicode lowercase by the browser's tables: Rust's own would be a tenth of the download.
pub(crate) fn lowercase(text: &str) -> String {
    JsString::from(text).to_lower_case().into()
}

/// The entries of a JSON array that deserialize; none if the text is not an array.
pub(crate) fn valid_entries<T: DeserializeOwned>(json: &str) -> Vec<T> {
    let Ok(parsed) = JSON::parse(json) else { return Vec::new() };
    if !Array::is_array(&parsed) {
        return Vec::new();
    }
    Array::from(&parsed).iter().filter_map(js::try_read).collect()
}
