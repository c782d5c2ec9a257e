//! Numbers by their text, which JavaScript writes in the shortest form that means the same number.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::decimal;

/// The name under which types ask the border for an amount's text, and give it one.
pub(super) const DECIMAL: &str = "an amount's decimal text";

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = String)]
    fn text_of(value: &JsValue) -> String;
}

/// A number's text; `None` for everything else.
pub(super) fn number_text(value: &JsValue) -> Option<String> {
    value.as_f64().map(|_| text_of(value))
}

/// The text of a number of pieces: a half stays a half and is not cut.
#[cfg(feature = "js")]
pub(crate) fn pieces_text(number: f64) -> String {
    text_of(&JsValue::from_f64(number))
}

/// The text of an amount.
pub(crate) fn decimal_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    deserializer.deserialize_newtype_struct(DECIMAL, Text)
}

/// Writes hundredths as a number.
pub(crate) fn write_decimal<S: Serializer>(hundredths: i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(DECIMAL, &decimal::text(hundredths))
}

struct Text;

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}
