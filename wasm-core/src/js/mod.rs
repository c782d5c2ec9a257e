//! JavaScript boundary: serde's data model on JavaScript values, without JSON text in between.
//!
//! Any type with serde's derives crosses: results with `serde-wasm-bindgen`, arguments with a smaller deserializer.
//! That of `serde-wasm-bindgen` prints the values it rejects and needs `serde_path_to_error` to name the member, which
//! makes the download 60 % larger (docs/adr/0025).
//!
//! Amounts cross as numbers by their decimal text, so that `0.1 + 0.2` is an error. A value of the wrong type is a bug
//! in the calling code: it throws a `TypeError` that names the argument and the member, such as
//! `product.price: expected a number`.

#[cfg(feature = "js-types")]
mod amounts;
mod argument;
mod error;
mod number;
mod read;
#[cfg(feature = "js-types")]
pub mod typed;

use error::Error;
use js_sys::Reflect;
use read::Value;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::JsValue;

#[cfg(feature = "js-types")]
pub use amounts::{DisplayDate, JsCents, JsTime};
pub use argument::{JsNumber, JsText};
pub(crate) use number::number_text;

/// Reads an argument.
///
/// # Errors
/// A `TypeError` that names the argument and the first member of the wrong type.
pub fn read<T: DeserializeOwned>(argument: &str, value: &JsValue) -> Result<T, JsValue> {
    T::deserialize(Value(value.clone())).map_err(|error| error.within(argument).into())
}

/// Reads a value that may be of any type.
pub(crate) fn try_read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    T::deserialize(Value(value)).ok()
}

/// Checks that an event listener has all of its functions.
///
/// # Errors
/// A `TypeError` that names the argument and the missing function.
pub fn expect_functions(argument: &str, value: &JsValue, names: &[&str]) -> Result<(), JsValue> {
    if !value.is_object() {
        return Err(type_error(argument, "expected an object"));
    }
    let is_function = |name: &&&str| Reflect::get(value, &JsValue::from_str(name)).is_ok_and(|it| it.is_function());
    match names.iter().find(|name| !is_function(name)) {
        Some(missing) => Err(Error::new("expected a function").within(missing).within(argument).into()),
        None => Ok(()),
    }
}

/// A `TypeError` about an argument: `element: expected an HTML element`.
#[must_use]
pub fn type_error(argument: &str, message: &str) -> JsValue {
    Error::new(message).within(argument).into()
}

/// Writes a value: `None` as `null`, a map as a plain object.
///
/// # Errors
/// A number beyond JavaScript's safe integers.
pub fn write<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}
