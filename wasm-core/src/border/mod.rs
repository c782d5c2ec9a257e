//! JavaScript values as the crate's types and back, member by member, without JSON text in between.
//!
//! A reader of JSON needs floats, escapes and long errors, which were half of the download; the browser can read an
//! object's members itself. Amounts are JavaScript numbers and cross as their decimal text, which a number's shortest
//! form is, so `0.1 + 0.2` is refused here as everywhere.
//!
//! It reads what the rules' types are made of: texts, booleans, whole numbers, amounts, lists, structs and enums of
//! names. A struct is read by its members' names, so members that it does not know are not looked at. Each type says
//! which they are ([`from_js!`](crate::from_js)): what serde derives for reading is ten times as large. Writing is
//! serde's.

#[cfg(feature = "js")]
mod amounts;
#[cfg(feature = "js")]
mod argument;
mod number;
mod read;
mod refused;
mod write;

use alloc::string::String;
use alloc::vec::Vec;

use refused::Refused;
use serde::Serialize;
pub use wasm_bindgen::JsValue;

#[cfg(feature = "js")]
pub(crate) use argument::{Number, Text};
#[cfg(feature = "js")]
pub(crate) use number::pieces_text;
pub(crate) use number::write_decimal;
pub use read::{FromJs, Reader};

/// Reads an argument by the name that JavaScript's types have for it.
///
/// # Errors
/// A `TypeError` that names the argument, and the member of it that is of the wrong type.
pub fn read<T: FromJs>(argument: &'static str, value: &JsValue) -> Result<T, JsValue> {
    read::whole(argument, value).map_err(Refused::thrown)
}

/// Looks whether a listener has the functions that it will be asked for.
///
/// # Errors
/// A `TypeError` that names the argument, and the function that is missing.
pub fn expect_functions(argument: &'static str, value: &JsValue, names: &[&'static str]) -> Result<(), JsValue> {
    read::functions(argument, value, names).map_err(Refused::thrown)
}

/// Refuses an argument that is read elsewhere: "expected an element".
#[must_use]
pub fn type_error(argument: &str, expected: &str) -> JsValue {
    Refused::at(argument, expected).thrown()
}

/// Writes a value.
///
/// # Errors
/// The type has something that JavaScript is never sent.
pub fn write<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    value.serialize(write::Writer).map_err(Refused::thrown)
}

/// A text in small letters. The browser has the table of all letters; a second one would be a tenth of the download.
pub(crate) fn lowercase(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// The entries of a list in JSON that can be read; none where the text is no list.
pub(crate) fn each_readable<T: FromJs>(json: &str) -> Vec<T> {
    let Ok(parsed) = js_sys::JSON::parse(json) else { return Vec::new() };
    if !js_sys::Array::is_array(&parsed) {
        return Vec::new();
    }
    js_sys::Array::from(&parsed).iter().filter_map(|entry| read::whole("", &entry).ok()).collect()
}
