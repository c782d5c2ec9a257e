//! Codec for amounts and stored lists: JSON text, or JavaScript values in a browser.
//!
//! An amount crosses as a number, by its decimal text on both sides, so that no float arithmetic touches it.

#[cfg(not(all(feature = "js-values", target_arch = "wasm32")))]
mod json;
#[cfg(all(feature = "js-values", target_arch = "wasm32"))]
mod values;

#[cfg(not(all(feature = "js-values", target_arch = "wasm32")))]
pub(crate) use json::{decimal_text, float_text, lowercase, valid_entries, write_decimal};
#[cfg(all(feature = "js-values", target_arch = "wasm32"))]
pub(crate) use values::{decimal_text, float_text, lowercase, valid_entries, write_decimal};
