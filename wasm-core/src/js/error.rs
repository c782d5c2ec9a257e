//! Conversion errors: the path of the member, and the type that was expected there.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};

use js_sys::TypeError;
use serde::de::{self, Expected, Unexpected};
use wasm_bindgen::JsValue;

/// A value of the wrong type, reported to the developer of the calling code: `product.price: expected a number`.
///
/// The message omits the value: printing any value would bring the tables of floats and of Unicode into the download.
#[derive(Debug)]
pub(super) struct Error {
    path: String,
    message: String,
    /// The index of the struct's missing member, until the struct's reader names it.
    missing: Option<usize>,
}

impl Error {
    pub(super) fn new(message: &str) -> Self {
        Self { path: String::new(), message: message.to_string(), missing: None }
    }

    /// The same error in a member or an argument of this name, or in an element such as `[3]`.
    pub(super) fn within(self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { path: [name, dot, &self.path].concat(), ..self }
    }

    /// The same error with the missing member's name, if one is missing.
    pub(super) fn name_missing(self, members: &[&str]) -> Self {
        match self.missing.and_then(|index| members.get(index)) {
            Some(member) => Self::new("missing").within(member),
            None => self,
        }
    }
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        TypeError::new(&error.to_string()).into()
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        f.write_str(": ")?;
        f.write_str(&self.message)
    }
}

impl core::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(&message.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(&["expected ", &expected.to_string()].concat())
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    /// A derived reader that gets too few members reports their count: the index of the first missing one.
    fn invalid_length(count: usize, _: &dyn Expected) -> Self {
        Self { missing: Some(count), ..Self::new("missing") }
    }
}
