//! Arguments and results of the exported functions, with their TypeScript types.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};

use super::JsText;

pub(crate) type JsResult<T> = Result<T, JsValue>;

pub(crate) fn read<T: Tsify<JsType: JsCast> + DeserializeOwned>(argument: &str, value: &Ts<T>) -> JsResult<T> {
    super::read(argument, &value.js_value())
}

pub(crate) fn read_text(argument: &str, value: &JsText) -> JsResult<String> {
    super::read(argument, value)
}

pub(crate) fn write<T: Tsify + Serialize>(value: impl Into<T>) -> JsResult<Ts<T>> {
    Ok(Ts::new_unchecked(super::write(&value.into())?))
}

pub(crate) fn write_all<T: Tsify + Serialize>(values: impl IntoIterator<Item = T>) -> JsResult<Vec<Ts<T>>> {
    values.into_iter().map(write).collect()
}
