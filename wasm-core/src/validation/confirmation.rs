//! Confirmation fields.

use alloc::borrow::ToOwned;

use serde::Deserialize;

use super::Message;
use crate::codec;

/// Field that a form asks for twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub enum Confirmation {
    /// Email address of a new account.
    Email,
    /// Password of a new account or after a reset.
    Password,
    /// New password of a logged-in customer.
    NewPassword,
}

impl Confirmation {
    /// Compares a field with its confirmation. Email addresses are compared ignoring case and surrounding spaces.
    ///
    /// ```
    /// use wasm_core::validation::Confirmation;
    ///
    /// assert_eq!(Confirmation::Email.check("a@example.com", "A@example.com "), Ok(()));
    /// assert_eq!(Confirmation::Password.check("one", "two"), Err("Passwords do not match.".into()));
    /// ```
    ///
    /// # Errors
    /// The message to show beside the second field.
    pub fn check(self, first: &str, second: &str) -> Result<(), Message> {
        let same = match self {
            Self::Email => codec::lowercase(first.trim()) == codec::lowercase(second.trim()),
            Self::Password | Self::NewPassword => first == second,
        };
        if same { Ok(()) } else { Err(self.message().to_owned()) }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Email => "Emails do not match.",
            Self::Password => "Passwords do not match.",
            Self::NewPassword => "New passwords do not match.",
        }
    }
}
