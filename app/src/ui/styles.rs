//! Styles of a view that is shown on a page and in an email.
//!
//! A page has the shop's stylesheet, and its security policy forbids style attributes. Email clients have no common
//! support for stylesheets, so that each element of an email carries inline styles.

use leptos::attr::custom::{CustomAttr, custom_attribute};

/// Where a view is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Page,
    Email,
}

/// Styles of one element for each target. Emails use the light theme's colors.
#[derive(Clone, Copy, Debug)]
pub struct Styles {
    pub class: &'static str,
    pub inline: &'static str,
}

impl Target {
    /// The attribute that styles an element: `class` on a page, `style` in an email. Spread it:
    /// `{..target.apply(STYLES)}`.
    pub fn apply(self, styles: Styles) -> CustomAttr<&'static str, Option<&'static str>> {
        let (attribute, value) = match self {
            Self::Page => ("class", styles.class),
            Self::Email => ("style", styles.inline),
        };
        custom_attribute(attribute, (!value.is_empty()).then_some(value))
    }
}
