//! Quantity of an order line.

use alloc::borrow::ToOwned;
use alloc::format;

use serde::Serialize;

use super::Message;

/// Largest quantity of an order line.
pub const MAX_QUANTITY: i64 = 99;

/// Largest number of lines in a cart and in an order.
pub const MAX_LINES: usize = 50;

/// Valid quantity of an order line: 1 to 99.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Quantity(i64);

impl Quantity {
    /// One unit.
    pub const ONE: Self = Self(1);

    /// The number of units.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// Validates a quantity.
///
/// ```
/// use wasm_core::validation::parse_quantity;
///
/// assert_eq!(parse_quantity(2).map(|quantity| quantity.get()), Ok(2));
/// assert_eq!(parse_quantity(0), Err("Enter a quantity from 1 to 99; you typed 0.".into()));
/// ```
///
/// # Errors
/// The message to show beside the field, if the quantity is outside 1 to 99.
pub fn parse_quantity(typed: i64) -> Result<Quantity, Message> {
    if (1..=MAX_QUANTITY).contains(&typed) {
        return Ok(Quantity(typed));
    }
    Err(quantity_out_of_range(typed))
}

pub(crate) fn quantity_out_of_range(typed: i64) -> Message {
    format!("Enter a quantity from 1 to {MAX_QUANTITY}; you typed {typed}.")
}

pub(crate) fn too_many_lines() -> Message {
    format!("At most {MAX_LINES} different products can be ordered at once.")
}

/// Parses a quantity as typed into a form.
///
/// ```
/// use wasm_core::validation::parse_quantity_text;
///
/// assert_eq!(parse_quantity_text(" 2 ").map(|quantity| quantity.get()), Ok(2));
/// assert_eq!(parse_quantity_text("2.5"), Err("Enter the quantity as a whole number, like 2.".into()));
/// ```
///
/// # Errors
/// The message to show beside the field.
pub fn parse_quantity_text(typed: &str) -> Result<Quantity, Message> {
    let whole: i64 = typed.trim().parse().map_err(|_| "Enter the quantity as a whole number, like 2.".to_owned())?;
    parse_quantity(whole)
}
