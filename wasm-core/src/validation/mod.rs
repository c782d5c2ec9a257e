//! What may be typed into the shop's forms, and the sentence a person gets where it may not.
//!
//! Parsing gives a value that is valid by construction; the form and the server show the same sentence, because it
//! stands here and nowhere else. A sentence says what is wrong with what was typed, and what would be right.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

mod address;
mod common_passwords;
mod confirmation;
mod email;
mod password;
mod postal_code;
mod product;
mod product_form;
mod quantity;
mod regions;
#[cfg(feature = "openapi")]
pub mod schema;
mod text;
mod tracking_number;

pub use address::{Address, Country, PostalAddress};
pub use common_passwords::COMMON_PASSWORDS;
pub use confirmation::Confirmation;
pub use email::{EMAIL_REQUIRED, Email};
pub use password::{AdminRule, Password, PasswordRules};
pub use product::{ProductInput, ProductPatch};
pub use product_form::ProductForm;
pub use quantity::{MAX_QUANTITY, Quantity, parse_quantity, parse_quantity_text};
pub use regions::{Region, states};
pub use tracking_number::validate_tracking_number;

/// A sentence for a person: what is wrong with what was typed.
pub type Message = String;

/// What is wrong, by input. Keys are paths of the request's members, joined with dots: `address.postal_code`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "js", derive(tsify::Tsify), tsify(type = "Record<string, string>"))]
pub struct FieldErrors(BTreeMap<String, String>);

impl FieldErrors {
    /// Notes what is wrong with a field. The first sentence about a field stays.
    pub fn insert(&mut self, field: impl Into<String>, sentence: impl Into<String>) {
        self.0.entry(field.into()).or_insert_with(|| sentence.into());
    }

    /// Takes over what was found inside a member: `merge_under("address", …)` puts `address.` before each key.
    ///
    /// ```
    /// use wasm_core::validation::FieldErrors;
    ///
    /// let mut address = FieldErrors::default();
    /// address.insert("name", "Enter the recipient's name.");
    /// let mut request = FieldErrors::default();
    /// request.merge_under("shippingAddress", address);
    /// assert_eq!(request.get("shippingAddress.name"), Some("Enter the recipient's name."));
    /// ```
    pub fn merge_under(&mut self, member: &str, inner: Self) {
        for (field, sentence) in inner.0 {
            self.insert(format!("{member}.{field}"), sentence);
        }
    }

    /// Takes over what was found besides. What is noted here already stays.
    pub(crate) fn and(mut self, other: Self) -> Self {
        for (field, sentence) in other.0 {
            self.insert(field, sentence);
        }
        self
    }

    /// Nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sentence about one field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&str> {
        self.0.get(field).map(String::as_str)
    }

    /// Every field with its sentence, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, sentence)| (field.as_str(), sentence.as_str()))
    }

    /// The valid value, or everything that is wrong.
    ///
    /// # Errors
    /// Itself, unless it is empty.
    pub fn or_valid<T>(self, valid: T) -> Result<T, Self> {
        if self.is_empty() { Ok(valid) } else { Err(self) }
    }

    /// The value inside, or its sentence noted under `field` and nothing.
    pub(crate) fn keep<T>(&mut self, field: &str, parsed: Result<T, Message>) -> Option<T> {
        parsed.map_err(|sentence| self.insert(field, sentence)).ok()
    }
}
