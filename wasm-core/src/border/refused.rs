//! Why a value cannot cross.

use alloc::string::{String, ToString};
use core::fmt::{self, Display};

use js_sys::TypeError;
use serde::ser;
use wasm_bindgen::JsValue;

/// One sentence for the developer of the calling code. It says what was expected and not what came, which may be long.
#[derive(Debug)]
pub(super) struct Refused(String);

impl Refused {
    pub(super) fn of(sentence: &str) -> Self {
        Self(sentence.to_string())
    }

    /// The same, with the place where it was found: an argument, or a member of one.
    pub(super) fn at(place: &str, sentence: &str) -> Self {
        Self([place, ": ", sentence].concat())
    }

    pub(super) fn thrown(self) -> JsValue {
        TypeError::new(&self.0).into()
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
