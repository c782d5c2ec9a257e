//! Email addresses.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::Message;
use super::text::is_one_of;

/// Message for a missing email address.
pub const EMAIL_REQUIRED: &str = "Email is required.";

const EXAMPLE: &str = "Enter an email address like name@example.com.";
/// `a@b.c`
#[cfg(feature = "openapi")]
pub(super) const MIN_LENGTH: usize = 5;
pub(super) const MAX_LENGTH: usize = 254;
const MAX_LOCAL: usize = 64;
const MAX_LABEL: usize = 63;

/// Valid email address, trimmed, in its original case.
///
/// The length limits are those of RFC 5321. Quoted local parts and address literals are invalid: no email provider
/// offers them.
///
/// ```
/// use wasm_core::validation::Email;
///
/// let email = Email::parse(" Ada@Example.com ").unwrap();
/// assert_eq!(email.as_str(), "Ada@Example.com");
/// assert_eq!(email.key(), "ada@example.com");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Parses an address: 1–64 characters, an `@`, and a domain of at least two labels, at most 254 characters in
    /// total.
    ///
    /// # Errors
    /// The message to show beside the field.
    pub fn parse(typed: &str) -> Result<Self, Message> {
        let text = typed.trim();
        if text.is_empty() {
            return Err(EMAIL_REQUIRED.to_owned());
        }
        let (local, domain) = text.split_once('@').ok_or(EXAMPLE)?;
        let length = text.chars().count();
        if length > MAX_LENGTH {
            return Err(format!("An email address has at most {MAX_LENGTH} characters; you typed {length}."));
        }
        let local_length = local.chars().count();
        if local_length > MAX_LOCAL {
            return Err(format!(
                "An email address has at most {MAX_LOCAL} characters before the @; you typed {local_length}."
            ));
        }
        if !local.split('.').all(is_atom) || !domain.split('.').all(is_label) {
            return Err(EXAMPLE.to_owned());
        }
        if domain.split_once('.').is_none() {
            return Err(format!("Enter the whole address: after the @ comes a name with a dot, not just {domain}."));
        }
        Ok(Self(text.to_owned()))
    }

    /// The address as typed, trimmed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The lookup key, in lower case: addresses with the same key belong to one account.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }
}

fn is_atom(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || is_one_of(c, "!#$%&'*+-/=?^_`{|}~"))
}

fn is_label(label: &str) -> bool {
    (1..=MAX_LABEL).contains(&label.chars().count())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|c| c.is_alphanumeric() || c == '-')
}
