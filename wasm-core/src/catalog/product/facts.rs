//! Rules of the optional facts of a product. Lengths are whole millimeters.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::limits::{BOX_ITEM, COUNTRY, GTIN, HS_CODE, MAX_BOX_ITEMS, MAX_LENGTH, SKU, within};
use crate::validation::{FieldErrors, Message};
use crate::wire::whole_number;

/// Outer dimensions of a device, in millimeters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({"length_mm": 64, "width_mm": 24, "height_mm": 12}))))]
pub struct Dimensions {
    /// 1–2,000 mm, including the plug.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "openapi", schema(schema_with = super::schema::length))]
    pub length_mm: i64,
    /// 1–2,000 mm.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "openapi", schema(schema_with = super::schema::length))]
    pub width_mm: i64,
    /// 1–2,000 mm.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "openapi", schema(schema_with = super::schema::length))]
    pub height_mm: i64,
}

/// USB plug of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Plug {
    /// USB-A.
    UsbA,
    /// USB-C.
    UsbC,
}

impl Plug {
    /// Every plug, in the order of the form's select box.
    pub const ALL: [Self; 2] = [Self::UsbA, Self::UsbC];

    /// The plug in JSON and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UsbA => "usb_a",
            Self::UsbC => "usb_c",
        }
    }

    /// Parses the plug of [`Plug::as_str`].
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plug| plug.as_str() == text)
    }

    /// The plug as displayed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::UsbA => "USB-A",
            Self::UsbC => "USB-C",
        }
    }
}

pub(super) fn check_dimensions(dimensions: Option<Dimensions>, errors: &mut FieldErrors) {
    let Some(Dimensions { length_mm, width_mm, height_mm }) = dimensions else { return };
    for (field, name, value) in [
        ("dimensions.length_mm", "length", length_mm),
        ("dimensions.width_mm", "width", width_mm),
        ("dimensions.height_mm", "height", height_mm),
    ] {
        errors
            .check(field, within(value, 1, MAX_LENGTH, &["Enter a ", name, " from 1 to 2,000 millimeters."].concat()));
    }
}

pub(super) fn check_sku(typed: &str) -> Result<Option<String>, Message> {
    let sku = SKU.optional(typed)?;
    let is_valid = |sku: &String| sku.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
    valid_or(sku, is_valid, "A SKU has only letters, digits, hyphens, dots and underscores.")
}

/// Source: GS1 General Specifications, section 7.9 (check digit): weights 3 and 1 from the right.
pub(super) fn check_gtin(typed: &str) -> Result<Option<String>, Message> {
    let gtin = GTIN.optional(typed)?;
    let has_length = |gtin: &String| matches!(gtin.len(), 8 | 12 | 13 | 14) && gtin.bytes().all(|b| b.is_ascii_digit());
    let gtin = valid_or(gtin, has_length, "A GTIN has 8, 12, 13 or 14 digits.")?;
    let adds_up = |gtin: &String| {
        let digits = gtin.bytes().rev().map(|digit| u32::from(digit - b'0'));
        let sum: u32 = digits.zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
        sum.is_multiple_of(10)
    };
    valid_or(gtin, adds_up, "The check digit of this GTIN doesn’t match. Check the number for a typo.")
}

/// An ISO 3166-1 code, by its form.
pub(super) fn check_country(typed: &str) -> Result<Option<String>, Message> {
    let code = COUNTRY.optional(&typed.to_ascii_uppercase())?;
    let is_code = |code: &String| code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    valid_or(code, is_code, "Enter the country’s two-letter code, like CA.")
}

/// Source: World Customs Organization, Harmonized System: six digits, and up to four national ones.
pub(super) fn check_hs_code(typed: &str) -> Result<Option<String>, Message> {
    let code = HS_CODE.optional(typed)?;
    let is_code = |code: &String| {
        let digits = code.bytes().filter(u8::is_ascii_digit).count();
        let is_number = code.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        is_number && (6..=10).contains(&digits)
    };
    valid_or(code, is_code, "An HS code has 6 to 10 digits, like 9405.21.")
}

pub(super) fn check_box(items: &[String]) -> Result<Vec<String>, Message> {
    let items: Result<Vec<_>, Message> = items.iter().map(|item| BOX_ITEM.optional(item)).collect();
    let items: Vec<String> = items?.into_iter().flatten().collect();
    if items.len() > MAX_BOX_ITEMS {
        return Err(format!("List at most {MAX_BOX_ITEMS} items in the box; you listed {}.", items.len()));
    }
    Ok(items)
}

fn valid_or(
    text: Option<String>,
    is_valid: impl Fn(&String) -> bool,
    message: &str,
) -> Result<Option<String>, Message> {
    match text {
        Some(text) if !is_valid(&text) => Err(message.to_owned()),
        text => Ok(text),
    }
}

/// A whole number in an optional field; empty is none.
pub(super) fn optional_whole(typed: &str, example: &str) -> Result<Option<i64>, Message> {
    match typed.trim() {
        "" => Ok(None),
        number => number.parse().map(Some).map_err(|_| ["Enter a whole number, like ", example, "."].concat()),
    }
}
