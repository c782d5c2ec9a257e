//! Shipping addresses in the United States and Canada.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::country::Country;
use super::text::{Lines, TextRule, is_one_of};
use super::{FieldErrors, Message, postal_code, regions};

/// Recipient and address, in the payment provider's format. A deserialized address is not validated, and its missing
/// members are empty, so that validation returns a message for each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "AddressInput")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "name": "Ada Lovelace",
    "address": {
        "line1": "12 Lamp Street",
        "city": "Brightwater",
        "state": "CA",
        "postal_code": "94110",
        "country": "US",
    },
}))))]
pub struct Address {
    /// Name of the recipient.
    pub name: String,
    /// Phone number for the carrier, optional.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub phone: Option<String>,
    /// Street address.
    pub address: PostalAddress,
}

/// Street address of an `Address`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PostalAddressInput")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PostalAddress {
    /// Street and number, or post office box.
    pub line1: String,
    /// Apartment, floor or company.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub line2: Option<String>,
    /// City.
    pub city: String,
    /// State, territory or province: a two-letter code after validation.
    pub state: String,
    /// ZIP, ZIP+4 or Canadian postal code.
    pub postal_code: String,
    /// `US` or `CA` after validation.
    pub country: String,
}

#[derive(Deserialize)]
struct AddressInput {
    #[serde(default)]
    name: String,
    phone: Option<String>,
    #[serde(default)]
    address: PostalAddress,
}

#[derive(Deserialize)]
struct PostalAddressInput {
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

impl From<AddressInput> for Address {
    fn from(AddressInput { name, phone, address }: AddressInput) -> Self {
        Self { name, phone, address }
    }
}

impl From<PostalAddressInput> for PostalAddress {
    fn from(input: PostalAddressInput) -> Self {
        let PostalAddressInput { line1, line2, city, state, postal_code, country } = input;
        Self { line1, line2, city, state, postal_code, country }
    }
}

const NAME: TextRule =
    TextRule { missing: "Enter the recipient’s name.", noun: "A name", max: 100, lines: Lines::One };
const PHONE: TextRule =
    TextRule { missing: "Enter a phone number.", noun: "A phone number", max: 32, lines: Lines::One };
const STREET: TextRule =
    TextRule { missing: "Enter the street address.", noun: "An address line", max: 100, lines: Lines::One };
const CITY: TextRule = TextRule { missing: "Enter the city.", noun: "A city", max: 100, lines: Lines::One };

impl Address {
    /// The validated address: trimmed, with upper-case codes, and with the code of a state given by name.
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
    /// A message for each invalid field, under `name`, `phone`, `address.line1`, `address.line2`, `address.city`,
    /// `address.state`, `address.postal_code` and `address.country`. Without a valid country, the state
    /// and the postal code are only required.
    pub fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = errors.check("name", NAME.required(&self.name));
        let phone = errors.check("phone", phone(self.phone.as_deref().unwrap_or_default()));
        let place = self.address.validated().map_err(|inner| errors.merge_nested("address", inner));
        match (name, phone, place) {
            (Some(name), Some(phone), Ok(address)) => Ok(Self { name, phone, address }),
            _ => Err(errors),
        }
    }
}

/// Country and state of an address, which decide shipping and tax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    /// Country of the address.
    pub country: Country,
    /// Code of the state, territory or province.
    pub state: &'static str,
}

impl Destination {
    /// Parses what a customer typed, as [`Address::validated`] does.
    ///
    /// ```
    /// use wasm_core::validation::{Country, Destination};
    ///
    /// let toronto = Destination::parse("ca", " ontario ");
    /// assert_eq!(toronto, Ok(Destination { country: Country::Ca, state: "ON" }));
    /// assert_eq!(Destination::parse("US", "").unwrap_err().get("state"), Some("Choose a state."));
    /// ```
    ///
    /// # Errors
    /// A message for each invalid field, under `country` and `state`.
    pub fn parse(country: &str, state: &str) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let country = errors.check("country", Country::parse(country));
        let state = errors.check("state", self::state(country, state)).flatten();
        country.zip(state).map(|(country, state)| Self { country, state }).ok_or(errors)
    }
}

impl PostalAddress {
    /// The country, if the shop ships there.
    #[must_use]
    pub fn destination(&self) -> Option<Country> {
        Country::parse(&self.country).ok()
    }

    /// ISO 3166-2 code of the state or province: `US-CA`.
    #[must_use]
    pub fn region_code(&self) -> String {
        format!("{}-{}", self.country, self.state)
    }

    fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let line1 = errors.check("line1", STREET.required(&self.line1));
        let line2 = errors.check("line2", STREET.optional(self.line2.as_deref().unwrap_or_default()));
        let city = errors.check("city", CITY.required(&self.city));
        let country = errors.check("country", Country::parse(&self.country));
        let state = errors.check("state", state(country, &self.state)).flatten();
        let postal_code = errors.check("postal_code", postal(country, &self.postal_code)).flatten();
        match (line1, line2, city, country, state, postal_code) {
            (Some(line1), Some(line2), Some(city), Some(country), Some(state), Some(postal_code)) => {
                let (state, country) = (state.to_owned(), country.code().to_owned());
                Ok(Self { line1, line2, city, state, postal_code, country })
            }
            _ => Err(errors),
        }
    }
}

fn phone(typed: &str) -> Result<Option<String>, Message> {
    let Some(number) = PHONE.optional(typed)? else {
        return Ok(None);
    };
    if !number.chars().all(|c| c.is_ascii_digit() || is_one_of(c, " +-().extEXT#")) {
        return Err("A phone number has digits, spaces and + - ( ) only, like +1 415 555 0132.".to_owned());
    }
    let digits = number.chars().filter(char::is_ascii_digit).count();
    if digits < 7 {
        return Err(format!("A phone number has at least 7 digits; you typed {digits}."));
    }
    Ok(Some(number))
}

fn state(country: Option<Country>, typed: &str) -> Result<Option<&'static str>, Message> {
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
        return Ok(Some(code));
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
