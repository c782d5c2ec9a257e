//! A product: as the catalog has it, as an administrator adds or edits it, and the rules of its fields.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

mod facts;
mod form;
mod patch;
#[cfg(feature = "openapi")]
mod schema;

pub use facts::{Dimensions, Plug};
pub use form::ProductForm;
pub use patch::ProductPatch;

use super::{DeviceForm, LampColor, Photo};
use crate::money::Cents;
use crate::validation::{FieldErrors, Lines, Message, TextRule};
use crate::weight::Weight;
use crate::wire::{null_as_default, optional_whole_number, whole_number};

const NAME: TextRule = TextRule { missing: "Enter a name.", noun: "A name", max: MAX_NAME, lines: Lines::One };
const DESCRIPTION: TextRule =
    TextRule { missing: "Enter a description.", noun: "A description", max: 4000, lines: Lines::Many };
const MIN_PRICE: Cents = Cents::from_cents(1);
const MAX_PRICE: Cents = Cents::from_cents(9_999_999);
/// Longest name of a product, in characters.
pub const MAX_NAME: usize = 80;
/// Largest stock of a product, in units.
pub const MAX_STOCK: i64 = 1_000_000;
/// The range of a stock, for messages.
pub const STOCK_RANGE: &str = "0 to 1,000,000";
const MIN_WEIGHT: Weight = Weight::from_hundredths(1);
const MAX_WEIGHT: Weight = Weight::from_hundredths(15_000);

/// Product in the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b",
    "name": "Nudgelight One",
    "slug": "nudgelight-one",
    "description": "A small light that reminds you of what matters.",
    "price": 24.99,
    "stock": 120,
    "available": 118,
    "weight_pounds": 0.6,
    "active": true,
    "image": "/images/nudgelight-one.svg",
    "version": 3,
    "form": "stick",
    "lamp_color": "amber",
    "dimensions": {"length_mm": 64, "width_mm": 24, "height_mm": 12},
    "plug": "usb_a",
    "power_mw": 900,
    "led_color": "Amber, 600 nm",
    "in_the_box": ["Nudgelight One", "Quick-start card"],
    "warranty_months": 24,
    "sku": "NL-ONE",
    "gtin": "00850012345670",
    "origin_country": "CA",
    "hs_code": "9405.21",
    "photos": [],
}))))]
pub struct Product {
    /// UUIDv7.
    pub id: String,
    /// Unique, ignoring case.
    pub name: String,
    /// The name in URLs: lower-case letters, digits and hyphens.
    pub slug: String,
    /// Plain text with line breaks.
    pub description: String,
    /// Per unit, before shipping and tax.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Units on hand, including reserved ones.
    pub stock: i64,
    /// Available units: on hand and not reserved, never below zero.
    pub available: i64,
    /// Per unit, including its packaging.
    #[cfg_attr(feature = "js-types", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Whether the product is listed.
    pub active: bool,
    /// URL of the main image: the first photo, or `/images/{slug}.svg` without photos.
    pub image: String,
    /// Increases with each edit, not with sales (optimistic concurrency).
    pub version: i64,
    /// Form in which the device is drawn.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub form: DeviceForm,
    /// Color of the lamp in the drawings.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lamp_color: LampColor,
    /// Outer dimensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub dimensions: Option<Dimensions>,
    /// USB plug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub plug: Option<Plug>,
    /// Length of the cable in millimeters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub cable_length_mm: Option<i64>,
    /// Power at full brightness in milliwatts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub power_mw: Option<i64>,
    /// Color of the LED, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub led_color: Option<String>,
    /// Contents of the box, one item each.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub in_the_box: Vec<String>,
    /// Warranty in months.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub warranty_months: Option<i64>,
    /// The shop's stock keeping unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub sku: Option<String>,
    /// Global Trade Item Number (UPC, EAN), digits only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub gtin: Option<String>,
    /// ISO 3166-1 code of the country of origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub origin_country: Option<String>,
    /// Harmonized System code for customs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub hs_code: Option<String>,
    /// Photographs, the main one first.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub photos: Vec<Photo>,
    /// Time of the last edit in milliseconds since 1970, for the sitemap. Not on the wire.
    #[serde(skip)]
    pub updated_at: i64,
}

/// Fields of a product that an administrator sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "name": "Nudgelight Nova",
    "description": "A light for two rooms.",
    "price": 34.5,
    "stock": 50,
    "weight_pounds": 0.75,
    "active": true,
    "form": "duo",
    "plug": "usb_a",
    "sku": "NL-NOVA",
}))))]
pub struct ProductInput {
    /// 1–80 characters, unique without case.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::name))]
    pub name: String,
    /// 1–4000 characters, line breaks allowed.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::description))]
    pub description: String,
    /// $0.01–$99,999.99.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::price))]
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Units on hand, 0–1,000,000.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::stock))]
    pub stock: i64,
    /// 0.01–150 lb.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::weight))]
    #[cfg_attr(feature = "js-types", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Whether the product is listed.
    #[serde(default = "listed")]
    pub active: bool,
    /// Form in which the device is drawn; `stick` if absent.
    #[serde(default, deserialize_with = "null_as_default")]
    pub form: DeviceForm,
    /// Color of the lamp in the drawings; `amber` if absent.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lamp_color: LampColor,
    /// Outer dimensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<Dimensions>,
    /// USB plug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plug: Option<Plug>,
    /// 1–10,000 mm.
    #[serde(default, deserialize_with = "optional_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::cable_length, required = false))]
    pub cable_length_mm: Option<i64>,
    /// 1–100,000 mW at full brightness.
    #[serde(default, deserialize_with = "optional_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::power, required = false))]
    pub power_mw: Option<i64>,
    /// Color of the LED in words, at most 60 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::led_color, required = false))]
    pub led_color: Option<String>,
    /// At most 20 items of at most 80 characters.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::in_the_box, required = false))]
    pub in_the_box: Vec<String>,
    /// 1–120 months.
    #[serde(default, deserialize_with = "optional_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::warranty, required = false))]
    pub warranty_months: Option<i64>,
    /// At most 40 letters, digits, hyphens, dots and underscores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::sku, required = false))]
    pub sku: Option<String>,
    /// 8, 12, 13 or 14 digits with a valid check digit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::gtin, required = false))]
    pub gtin: Option<String>,
    /// Two-letter ISO 3166-1 code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::country, required = false))]
    pub origin_country: Option<String>,
    /// 6–10 digits, dots allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::hs_code, required = false))]
    pub hs_code: Option<String>,
}

fn listed() -> bool {
    true
}

impl ProductInput {
    /// The product with trimmed texts.
    ///
    /// ```
    /// use wasm_core::money::Cents;
    /// use wasm_core::catalog::ProductInput;
    /// use wasm_core::weight::Weight;
    ///
    /// let input = ProductInput {
    ///     name: " Nudgelight One ".into(),
    ///     description: "A light that reminds.".into(),
    ///     price: Cents::from_cents(2499),
    ///     stock: 10,
    ///     weight_pounds: Weight::from_hundredths(60),
    ///     ..ProductInput::default()
    /// };
    /// assert_eq!(input.validated().unwrap().name, "Nudgelight One");
    /// ```
    ///
    /// # Errors
    /// A message for each invalid field.
    pub fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = errors.check("name", NAME.required(&self.name)).unwrap_or_default();
        let description = errors.check("description", DESCRIPTION.required(&self.description)).unwrap_or_default();
        errors.check("price", check_price(self.price));
        errors.check("stock", check_stock(self.stock));
        errors.check("weight_pounds", check_weight(self.weight_pounds));
        let checked = facts::check(Self { name, description, ..self }, &mut errors);
        errors.into_result(checked)
    }
}

impl From<Product> for ProductInput {
    fn from(product: Product) -> Self {
        Self {
            name: product.name,
            description: product.description,
            price: product.price,
            stock: product.stock,
            weight_pounds: product.weight_pounds,
            active: product.active,
            form: product.form,
            lamp_color: product.lamp_color,
            dimensions: product.dimensions,
            plug: product.plug,
            cable_length_mm: product.cable_length_mm,
            power_mw: product.power_mw,
            led_color: product.led_color,
            in_the_box: product.in_the_box,
            warranty_months: product.warranty_months,
            sku: product.sku,
            gtin: product.gtin,
            origin_country: product.origin_country,
            hs_code: product.hs_code,
        }
    }
}

fn check_price(price: Cents) -> Result<(), Message> {
    within(price, MIN_PRICE, MAX_PRICE, "Enter a price from $0.01 to $99,999.99.")
}

/// Checks a stock in units.
///
/// # Errors
/// The message to show beside the field.
pub fn check_stock(stock: i64) -> Result<(), Message> {
    within(stock, 0, MAX_STOCK, &format!("Enter a stock from {STOCK_RANGE}."))
}

fn check_weight(weight: Weight) -> Result<(), Message> {
    within(weight, MIN_WEIGHT, MAX_WEIGHT, "Enter a weight from 0.01 to 150 lb.")
}

fn within<T: PartialOrd>(value: T, min: T, max: T, message: &str) -> Result<(), Message> {
    if min <= value && value <= max { Ok(()) } else { Err(message.to_owned()) }
}
