//! Exported JavaScript functions: each one reads its arguments, calls a rule and writes the result.
//!
//! An invalid input is a [result](crate::results). A value of the wrong type throws a `TypeError` that names the
//! argument ([`js`]), since only a bug in the calling code can pass one.
//!
//! Amounts are dollars (`24.99`) and weights pounds (`0.6`) in JavaScript, as in JSON. TypeScript calls them `Dollars`
//! and `Pounds`; only Rust's `Cents` and `Weight` count hundredths.
//!
//! The descriptions are those of the TypeScript types. The lines of an `@example` are run by the tests of the npm
//! package, with `product` and `cart` as its README has them; a comment is the result.
#![expect(clippy::missing_errors_doc, reason = "each function says what it throws")]

mod cart;
mod display;
mod orders;
#[cfg(feature = "package-js")]
mod package;
mod pricing;
mod validation;

use alloc::string::ToString;

use wasm_bindgen::JsValue;

use crate::codec;
use crate::js::typed::JsResult;
use crate::js::{self, JsNumber};
use crate::validation::{Message, Quantity, parse_quantity_text};

pub use cart::*;
pub use display::*;
pub use orders::*;
#[cfg(feature = "package-js")]
pub use package::*;
pub use pricing::*;
pub use validation::*;

/// A whole number of 32 bits: a count, or cents.
fn read_i32(argument: &str, value: &JsValue) -> JsResult<i32> {
    let number: i64 = js::read(argument, value)?;
    number.try_into().map_err(|_| js::type_error(argument, "expected a number from -2147483648 to 2147483647"))
}

/// A quantity, validated by its decimal text: the rule rejects 2.5, and the `NaN` of an empty field.
fn read_quantity(quantity: &JsNumber) -> JsResult<Result<Quantity, Message>> {
    let number = js::read("quantity", quantity)?;
    Ok(parse_quantity_text(&codec::float_text(number)))
}

/// Throws an arithmetic overflow, which only amounts far beyond the rules' limits can cause.
fn throw_overflow<T>(argument: &str, result: Result<T, impl ToString>) -> JsResult<T> {
    result.map_err(|error| js::type_error(argument, &error.to_string()))
}
