//! Tracking numbers.

use alloc::string::String;

use super::Message;
use super::text::{Lines, TextRule};

const RULE: TextRule =
    TextRule { missing: "Enter a tracking number.", noun: "A tracking number", max: 64, lines: Lines::One };

/// The trimmed tracking number, or `None` for empty text.
///
/// ```
/// use wasm_core::validation::validate_tracking_number;
///
/// assert_eq!(validate_tracking_number(" 1Z999AA10123456784 "), Ok(Some("1Z999AA10123456784".into())));
/// assert_eq!(validate_tracking_number("  "), Ok(None));
/// ```
///
/// # Errors
/// The message to show beside the field, for more than 64 characters or invisible ones.
pub fn validate_tracking_number(typed: &str) -> Result<Option<String>, Message> {
    RULE.optional(typed)
}
