//! Internal notes, which only administrators read.

use alloc::string::String;

use super::Message;
use super::text::{Lines, TextRule};

/// Longest note on an order, in characters.
pub const MAX_NOTE: usize = 2_000;
/// Longest note on a stock movement, in characters.
pub const MAX_STOCK_NOTE: usize = 200;

const NOTE: TextRule = TextRule { missing: "Enter a note.", noun: "A note", max: MAX_NOTE, lines: Lines::Many };
const STOCK_NOTE: TextRule = TextRule { max: MAX_STOCK_NOTE, lines: Lines::One, ..NOTE };
const STOCK_REASON: TextRule = TextRule { missing: "Enter a reason.", noun: "A reason", ..STOCK_NOTE };

/// The trimmed note on an order.
///
/// ```
/// use wasm_core::validation::validate_note;
///
/// assert_eq!(validate_note(" Called.\nWants it on Monday. "), Ok("Called.\nWants it on Monday.".into()));
/// assert_eq!(validate_note("  "), Err("Enter a note.".into()));
/// assert!(validate_note(&"n".repeat(2_001)).is_err());
/// ```
///
/// # Errors
/// The message to show beside the field.
pub fn validate_note(typed: &str) -> Result<String, Message> {
    NOTE.required(typed)
}

/// The trimmed note on received items, or `None` for empty text.
///
/// ```
/// use wasm_core::validation::validate_stock_note;
///
/// assert_eq!(validate_stock_note(" Delivery 17 "), Ok(Some("Delivery 17".into())));
/// assert_eq!(validate_stock_note(""), Ok(None));
/// assert!(validate_stock_note("two\nlines").is_err());
/// ```
///
/// # Errors
/// The message to show beside the field.
pub fn validate_stock_note(typed: &str) -> Result<Option<String>, Message> {
    STOCK_NOTE.optional(typed)
}

/// The trimmed reason of a stock correction.
///
/// ```
/// use wasm_core::validation::validate_stock_reason;
///
/// assert_eq!(validate_stock_reason("Inventory"), Ok("Inventory".into()));
/// assert_eq!(validate_stock_reason(""), Err("Enter a reason.".into()));
/// ```
///
/// # Errors
/// The message to show beside the field.
pub fn validate_stock_reason(typed: &str) -> Result<String, Message> {
    STOCK_REASON.required(typed)
}
