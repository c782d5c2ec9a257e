//! What is typed twice.

use alloc::borrow::ToOwned;

use serde::Deserialize;

use super::Message;
use crate::codec;

/// A field that a form asks for twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub enum Confirmation {
    /// The e-mail address of a new account.
    Email,
    /// The password of a new account, or after a reset.
    Password,
    /// The new password of somebody who is logged in.
    NewPassword,
}

impl Confirmation {
    /// Compares what was typed. Passwords must be the same to the letter; addresses are compared as they are
    /// everywhere, without case and without spaces around them.
    ///
    /// ```
    /// use wasm_core::validation::Confirmation;
    ///
    /// assert_eq!(Confirmation::Email.check("a@example.com", "A@example.com "), Ok(()));
    /// assert_eq!(Confirmation::Password.check("one", "two"), Err("Passwords do not match.".into()));
    /// ```
    ///
    /// # Errors
    /// The sentence to show beside the second field.
    pub fn check(self, first: &str, second: &str) -> Result<(), Message> {
        let same = match self {
            Self::Email => codec::lowercase(first.trim()) == codec::lowercase(second.trim()),
            Self::Password | Self::NewPassword => first == second,
        };
        if same { Ok(()) } else { Err(self.sentence().to_owned()) }
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::Email => "Emails do not match.",
            Self::Password => "Passwords do not match.",
            Self::NewPassword => "New passwords do not match.",
        }
    }
}
