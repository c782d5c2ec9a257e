//! Numbers as text.

use alloc::string::String;

use js_sys::Number;

/// The shortest decimal text that reads back as the same number, as JavaScript formats it.
pub(crate) fn number_text(number: f64) -> String {
    // A radix of ten is always valid.
    Number::from(number).to_string_with_radix(10).map(String::from).unwrap_or_default()
}
