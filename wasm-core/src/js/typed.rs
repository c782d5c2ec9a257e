//! Arguments and results of the exported functions, with their TypeScript types.
#![expect(clippy::missing_errors_doc, reason = "as the functions of `js`")]

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};

use super::JsText;

pub type JsResult<T> = Result<T, JsValue>;

pub fn read<T: Tsify<JsType: JsCast> + DeserializeOwned>(argument: &str, value: &Ts<T>) -> JsResult<T> {
    super::read(argument, &value.js_value())
}

pub fn read_text(argument: &str, value: &JsText) -> JsResult<String> {
    super::read(argument, value)
}

pub fn write<T: Tsify + Serialize>(value: impl Into<T>) -> JsResult<Ts<T>> {
    Ok(Ts::new_unchecked(super::write(&value.into())?))
}

pub fn write_all<T: Tsify + Serialize>(values: impl IntoIterator<Item = T>) -> JsResult<Vec<Ts<T>>> {
    values.into_iter().map(write).collect()
}
