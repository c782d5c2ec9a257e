//! Input validation, with the messages that forms and API responses show.
//!
//! Parsing returns a value that is valid by construction. Each message is defined once, so that the form and the server
//! show the same one; it says what is wrong and what to enter instead.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

mod address;
mod common_passwords;
mod confirmation;
mod country;
mod email;
mod notes;
mod password;
mod postal_code;
mod postal_region;
mod quantity;
mod regions;
#[cfg(feature = "openapi")]
pub mod schema;
mod text;
mod tracking_number;

pub use address::{Address, Destination, PostalAddress};
pub use common_passwords::COMMON_PASSWORDS;
pub use confirmation::Confirmation;
pub use country::Country;
pub use email::{EMAIL_REQUIRED, Email};
pub use notes::{MAX_NOTE, MAX_STOCK_NOTE, validate_note, validate_stock_note, validate_stock_reason};
pub use password::{AdminRule, Password, PasswordRules};
pub use postal_region::region_of_postal_code;
pub use quantity::{MAX_LINES, MAX_QUANTITY, Quantity, parse_quantity, parse_quantity_text};
pub(crate) use quantity::{quantity_out_of_range, too_many_lines};
pub use regions::{Region, states};
pub use text::is_hidden_character;
pub(crate) use text::{Lines, TextRule};
pub use tracking_number::validate_tracking_number;

/// Message to show beside a field.
pub type Message = String;

/// Validation messages by field. A key is the path of a member in the request: `address.postal_code`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify), tsify(type = "Record<string, string>"))]
pub struct FieldErrors(BTreeMap<String, String>);

impl FieldErrors {
    /// Adds the message of a field. A field keeps its first message.
    pub fn insert(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.entry(field.into()).or_insert_with(|| message.into());
    }

    /// Adds the messages of a nested object: `merge_nested("address", …)` prefixes each key with `address.`.
    ///
    /// ```
    /// use wasm_core::validation::FieldErrors;
    ///
    /// let mut address = FieldErrors::default();
    /// address.insert("name", "Enter the recipient’s name.");
    /// let mut request = FieldErrors::default();
    /// request.merge_nested("shippingAddress", address);
    /// assert_eq!(request.get("shippingAddress.name"), Some("Enter the recipient’s name."));
    /// ```
    pub fn merge_nested(&mut self, member: &str, inner: Self) {
        for (field, message) in inner.0 {
            self.insert(format!("{member}.{field}"), message);
        }
    }

    /// Adds other messages. A field keeps its first message.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        for (field, message) in other.0 {
            self.insert(field, message);
        }
        self
    }

    /// Whether every field is valid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The message of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// Invalid fields with their messages, sorted by field.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, message)| (field.as_str(), message.as_str()))
    }

    /// `valid`, if every field is valid.
    ///
    /// # Errors
    /// The messages, if there are any.
    pub fn into_result<T>(self, valid: T) -> Result<T, Self> {
        if self.is_empty() { Ok(valid) } else { Err(self) }
    }

    /// The parsed value, or `None` after adding its message to the field.
    pub fn check<T>(&mut self, field: &str, parsed: Result<T, Message>) -> Option<T> {
        parsed.map_err(|message| self.insert(field, message)).ok()
    }
}
