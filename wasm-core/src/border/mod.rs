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

mod number;
mod read;
mod refused;
mod write;

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use wasm_bindgen::JsError;
pub use wasm_bindgen::JsValue;

#[cfg(feature = "js")]
pub(crate) use number::pieces_text;
pub(crate) use number::write_decimal;
pub use read::{FromJs, Reader};

/// Reads a value; what is of the wrong type is an error that names the type.
///
/// # Errors
/// The value is not a `T`.
pub fn read<T: FromJs>(value: &JsValue) -> Result<T, JsError> {
    read::whole(value).map_err(|refused| refused.thrown(core::any::type_name::<T>()))
}

/// Writes a value.
///
/// # Errors
/// The type has something that JavaScript is never sent.
pub fn write<T: Serialize>(value: &T) -> Result<JsValue, JsError> {
    value.serialize(write::Writer).map_err(|refused| refused.thrown(core::any::type_name::<T>()))
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
    js_sys::Array::from(&parsed).iter().filter_map(|entry| read::whole(&entry).ok()).collect()
}
