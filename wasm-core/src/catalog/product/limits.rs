//! Limits of a product's fields.

use alloc::borrow::ToOwned;

use crate::money::Cents;
use crate::validation::{Lines, Message, TextRule};
use crate::weight::Weight;

pub(super) const NAME: TextRule =
    TextRule { missing: "Enter a name.", noun: "A name", max: MAX_NAME, lines: Lines::One };
pub(super) const DESCRIPTION: TextRule =
    TextRule { missing: "Enter a description.", noun: "A description", max: 4000, lines: Lines::Many };
pub(super) const MIN_PRICE: Cents = Cents::from_cents(1);
pub(super) const MAX_PRICE: Cents = Cents::from_cents(9_999_999);
/// Longest name of a product, in characters.
pub const MAX_NAME: usize = 80;
/// Largest stock of a product, in units.
pub const MAX_STOCK: i64 = 1_000_000;
/// The range of a stock, for messages.
pub const STOCK_RANGE: &str = "0 to 1,000,000";
pub(super) const MIN_WEIGHT: Weight = Weight::from_hundredths(1);
pub(super) const MAX_WEIGHT: Weight = Weight::from_hundredths(15_000);

pub(super) const MAX_LENGTH: i64 = 2_000;
pub(super) const MAX_CABLE_LENGTH: i64 = 10_000;
pub(super) const MAX_POWER: i64 = 100_000;
pub(super) const MAX_BRIGHTNESS: i64 = 100_000;
pub(super) const MAX_TIMEKEEPING: i64 = 3_650;
pub(super) const MAX_WARRANTY: i64 = 120;
pub(super) const MAX_BOX_ITEMS: usize = 20;
pub(super) const BOX_ITEM: TextRule = optional_text("An item in the box", 80);
pub(super) const LED_COLOR: TextRule = optional_text("An LED color", 60);
pub(super) const SKU: TextRule = optional_text("A SKU", 40);
pub(super) const GTIN: TextRule = optional_text("A GTIN", 14);
pub(super) const COUNTRY: TextRule = optional_text("A country", 40);
pub(super) const HS_CODE: TextRule = optional_text("An HS code", 13);

const fn optional_text(noun: &'static str, max: usize) -> TextRule {
    TextRule { missing: "", noun, max, lines: Lines::One }
}

pub(super) fn within<T: PartialOrd>(value: T, min: T, max: T, message: &str) -> Result<(), Message> {
    if min <= value && value <= max { Ok(()) } else { Err(message.to_owned()) }
}
