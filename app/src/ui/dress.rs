//! One view, two ways to dress it.
//!
//! A page has the shop's stylesheet and a security policy that forbids style attributes; a mail has no stylesheet that
//! clients agree on, so each of its elements carries its own styles.

use leptos::attr::custom::{CustomAttr, custom_attribute};

/// Where a view is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    Page,
    Mail,
}

/// How one element looks in each medium. Colours in a mail are the light ones of the stylesheet's tokens.
#[derive(Clone, Copy, Debug)]
pub struct Dress {
    pub page: &'static str,
    pub mail: &'static str,
}

impl Medium {
    /// The one attribute that dresses an element: `class` on a page, `style` in a mail. Spread it: `{..medium.wear(X)}`.
    pub fn wear(self, dress: Dress) -> CustomAttr<&'static str, Option<&'static str>> {
        let (attribute, value) = match self {
            Self::Page => ("class", dress.page),
            Self::Mail => ("style", dress.mail),
        };
        custom_attribute(attribute, (!value.is_empty()).then_some(value))
    }
}
