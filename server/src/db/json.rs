//! JSON columns: values that are stored as text and read back whole.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;

pub fn to_json<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::internal)
}

pub fn from_json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(Error::internal)
}
