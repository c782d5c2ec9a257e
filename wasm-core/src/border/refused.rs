//! Why a value cannot cross.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};

use serde::ser;
use wasm_bindgen::JsError;

/// One sentence for whoever mends the calling code. It says what was expected and not what came, which may be long.
#[derive(Debug)]
pub(super) struct Refused(String);

impl Refused {
    pub(super) fn of(sentence: &str) -> Self {
        Self(sentence.to_string())
    }

    /// The same, with the member in which it was found.
    pub(super) fn within(self, member: &str) -> Self {
        Self([member, ": ", &self.0].concat())
    }

    pub(super) fn thrown(self, type_name: &str) -> JsError {
        JsError::new(&self.within(type_name).0)
    }
}

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: Display>(sentence: T) -> Self {
        Self(sentence.to_string())
    }
}
