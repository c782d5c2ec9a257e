//! Countries to which the shop ships.

use alloc::borrow::ToOwned;

use serde::{Deserialize, Serialize};

use super::Message;

/// Country to which the shop ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub enum Country {
    /// The United States, including territories and armed forces addresses.
    #[serde(rename = "US")]
    Us,
    /// Canada.
    #[serde(rename = "CA")]
    Ca,
}

impl Country {
    /// Every country, in the order of the form.
    pub const ALL: [Self; 2] = [Self::Us, Self::Ca];

    /// The ISO 3166-1 code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Us => "US",
            Self::Ca => "CA",
        }
    }

    /// The country's name in English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Us => "United States",
            Self::Ca => "Canada",
        }
    }

    /// Parses a code, ignoring case.
    ///
    /// # Errors
    /// The message to show beside the field.
    pub fn parse(typed: &str) -> Result<Self, Message> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Err("Choose a country.".to_owned());
        }
        Self::ALL
            .into_iter()
            .find(|country| country.code().eq_ignore_ascii_case(typed))
            .ok_or_else(|| "We ship to the United States (US) and Canada (CA) only.".to_owned())
    }
}
