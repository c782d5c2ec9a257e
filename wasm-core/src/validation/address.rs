//! Addresses in the United States and Canada.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::text::{Lines, TextRule, is_among};
use super::{FieldErrors, Message, postal_code, regions};

/// A country the shop ships to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub enum Country {
    /// The United States with its territories and armed forces post.
    #[serde(rename = "US")]
    Us,
    /// Canada.
    #[serde(rename = "CA")]
    Ca,
}

impl Country {
    /// Both, as a form lists them.
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

    /// Reads a code, without case.
    ///
    /// # Errors
    /// The sentence to show beside the field.
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

/// Who gets a parcel, and where: the payment provider's own form. As read it may hold anything, and members that are
/// missing are read as empty, so that a form gets a sentence about each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "LooseAddress")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Address {
    /// The recipient.
    pub name: String,
    /// For the carrier, if they may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub phone: Option<String>,
    /// The place.
    pub address: PostalAddress,
}

/// The place of an `Address`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "LoosePostalAddress")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PostalAddress {
    /// Street and number, or a post office box.
    pub line1: String,
    /// Flat, floor, company.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub line2: Option<String>,
    /// Town or city.
    pub city: String,
    /// State, territory or province: its two-letter code once validated.
    pub state: String,
    /// ZIP, ZIP+4 or Canadian postal code.
    pub postal_code: String,
    /// `US` or `CA` once validated.
    pub country: String,
}

#[derive(Deserialize)]
struct LooseAddress {
    #[serde(default)]
    name: String,
    phone: Option<String>,
    #[serde(default)]
    address: PostalAddress,
}

#[derive(Deserialize)]
struct LoosePostalAddress {
    #[serde(default)]
    line1: String,
    line2: Option<String>,
    #[serde(default)]
    city: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    postal_code: String,
    #[serde(default)]
    country: String,
}

impl From<LooseAddress> for Address {
    fn from(LooseAddress { name, phone, address }: LooseAddress) -> Self {
        Self { name, phone, address }
    }
}

impl From<LoosePostalAddress> for PostalAddress {
    fn from(loose: LoosePostalAddress) -> Self {
        let LoosePostalAddress { line1, line2, city, state, postal_code, country } = loose;
        Self { line1, line2, city, state, postal_code, country }
    }
}

const NAME: TextRule = TextRule { missing: "Enter the recipient's name.", noun: "A name", max: 100, lines: Lines::One };
const PHONE: TextRule =
    TextRule { missing: "Enter a phone number.", noun: "A phone number", max: 32, lines: Lines::One };
const STREET: TextRule =
    TextRule { missing: "Enter the street address.", noun: "An address line", max: 100, lines: Lines::One };
const CITY: TextRule = TextRule { missing: "Enter the city.", noun: "A city", max: 100, lines: Lines::One };

impl Address {
    /// The address trimmed, with codes in capitals and the state's name turned into its code.
    ///
    /// ```
    /// use wasm_core::validation::{Address, PostalAddress};
    ///
    /// let typed = Address {
    ///     name: " Ada Lovelace ".into(),
    ///     phone: None,
    ///     address: PostalAddress {
    ///         line1: "12 Front St".into(),
    ///         line2: None,
    ///         city: "Toronto".into(),
    ///         state: "ontario".into(),
    ///         postal_code: "m5v2t6".into(),
    ///         country: "ca".into(),
    ///     },
    /// };
    /// let address = typed.validated().unwrap();
    /// assert_eq!(address.name, "Ada Lovelace");
    /// assert_eq!(address.address.state, "ON");
    /// assert_eq!(address.address.postal_code, "M5V 2T6");
    /// ```
    ///
    /// # Errors
    /// A sentence for each wrong field, under `name`, `phone`, `address.line1`, `address.line2`, `address.city`,
    /// `address.state`, `address.postal_code` and `address.country`. Without a country its state and postal code
    /// cannot be judged, so they are only asked for.
    pub fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = errors.keep("name", NAME.required(&self.name));
        let phone = errors.keep("phone", phone(self.phone.as_deref().unwrap_or_default()));
        let place = self.address.validated().map_err(|inner| errors.merge_under("address", inner));
        match (name, phone, place) {
            (Some(name), Some(phone), Ok(address)) => Ok(Self { name, phone, address }),
            _ => Err(errors),
        }
    }
}

impl PostalAddress {
    /// The country, where it is one the shop ships to.
    #[must_use]
    pub fn destination(&self) -> Option<Country> {
        Country::parse(&self.country).ok()
    }

    fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let line1 = errors.keep("line1", STREET.required(&self.line1));
        let line2 = errors.keep("line2", STREET.optional(self.line2.as_deref().unwrap_or_default()));
        let city = errors.keep("city", CITY.required(&self.city));
        let country = errors.keep("country", Country::parse(&self.country));
        let state = errors.keep("state", state(country, &self.state)).flatten();
        let postal_code = errors.keep("postal_code", postal(country, &self.postal_code)).flatten();
        match (line1, line2, city, country, state, postal_code) {
            (Some(line1), Some(line2), Some(city), Some(country), Some(state), Some(postal_code)) => {
                Ok(Self { line1, line2, city, state, postal_code, country: country.code().to_owned() })
            }
            _ => Err(errors),
        }
    }
}

fn phone(typed: &str) -> Result<Option<String>, Message> {
    let Some(number) = PHONE.optional(typed)? else {
        return Ok(None);
    };
    if !number.chars().all(|c| c.is_ascii_digit() || is_among(c, " +-().extEXT#")) {
        return Err("A phone number has digits, spaces and + - ( ) only, like +1 415 555 0132.".to_owned());
    }
    let digits = number.chars().filter(char::is_ascii_digit).count();
    if digits < 7 {
        return Err(format!("A phone number has at least 7 digits; you typed {digits}."));
    }
    Ok(Some(number))
}

fn state(country: Option<Country>, typed: &str) -> Result<Option<String>, Message> {
    let typed = typed.trim();
    let missing = match country {
        Some(Country::Us) => "Choose a state.",
        Some(Country::Ca) => "Choose a province.",
        None => "Choose a state or province.",
    };
    if typed.is_empty() {
        return Err(missing.to_owned());
    }
    let Some(country) = country else {
        return Ok(None);
    };
    if let Some(code) = regions::find_code(country, typed) {
        return Ok(Some(code.to_owned()));
    }
    Err(match country {
        Country::Us => "Use a US state or territory, like CA or PR.".to_owned(),
        Country::Ca => "Use a Canadian province or territory, like ON or QC.".to_owned(),
    })
}

fn postal(country: Option<Country>, typed: &str) -> Result<Option<String>, Message> {
    match country {
        Some(country) => postal_code::parse(country, typed).map(Some),
        None if typed.trim().is_empty() => Err("Enter the ZIP or postal code.".to_owned()),
        None => Ok(None),
    }
}
