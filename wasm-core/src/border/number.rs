//! Numbers by their text, which JavaScript writes in the shortest form that means the same number.

use alloc::string::{String, ToString};

use serde::ser::Serializer;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::read::{FromJs, Reader};
use crate::decimal;
use crate::money::Cents;
use crate::weight::Weight;

/// The name under which types give the border an amount's text.
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

/// Writes hundredths as a number.
pub(crate) fn write_decimal<S: Serializer>(hundredths: i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(DECIMAL, &decimal::text(hundredths))
}

impl FromJs for Cents {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        amount(value, reader, Self::parse)
    }
}

impl FromJs for Weight {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        amount(value, reader, Self::parse)
    }
}

fn amount<T: Default, E: ToString>(value: &JsValue, reader: &mut Reader, parse: fn(&str) -> Result<T, E>) -> T {
    let Some(text) = number_text(value) else {
        reader.refuse("expected a number");
        return T::default();
    };
    parse(&text).unwrap_or_else(|wrong| {
        reader.refuse(&wrong.to_string());
        T::default()
    })
}
