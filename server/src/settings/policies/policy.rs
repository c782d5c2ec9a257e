use crate::error::Error;
use crate::settings::values::Settings;

/// A policy. Its name in URLs is the path of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Contact,
    Privacy,
    Terms,
    ShippingAndReturns,
}

impl Policy {
    pub const ALL: [Self; 4] = [Self::Contact, Self::Privacy, Self::Terms, Self::ShippingAndReturns];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Contact => "contact",
            Self::Privacy => "privacy",
            Self::Terms => "terms",
            Self::ShippingAndReturns => "shipping-and-returns",
        }
    }

    /// # Errors
    /// 404 for another name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|policy| policy.name() == name).ok_or_else(|| Error::not_found("Policy"))
    }

    /// The text in force.
    pub fn markdown(self, settings: &Settings) -> &str {
        let own = match self {
            Self::Contact => &settings.contact,
            Self::Privacy => &settings.privacy,
            Self::Terms => &settings.terms,
            Self::ShippingAndReturns => &settings.shipping_and_returns,
        };
        own.as_deref().unwrap_or(self.standard())
    }

    /// The standard text.
    pub const fn standard(self) -> &'static str {
        match self {
            Self::Contact => include_str!("standard/contact.md"),
            Self::Privacy => include_str!("standard/privacy.md"),
            Self::Terms => include_str!("standard/terms.md"),
            Self::ShippingAndReturns => include_str!("standard/shipping-and-returns.md"),
        }
    }
}
