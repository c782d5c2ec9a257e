//! A product as an administrator adds or edits it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::Product;
use super::facts::{
    Dimensions, Plug, check_box, check_country, check_dimensions, check_gtin, check_hs_code, check_sku,
};
use super::limits::{
    DESCRIPTION, LED_COLOR, MAX_BRIGHTNESS, MAX_CABLE_LENGTH, MAX_POWER, MAX_PRICE, MAX_STOCK, MAX_TIMEKEEPING,
    MAX_WARRANTY, MAX_WEIGHT, MIN_PRICE, MIN_WEIGHT, NAME, STOCK_RANGE, within,
};
#[cfg(feature = "openapi")]
use super::schema;
use crate::catalog::{CardPicture, DeviceForm, LampColor};
use crate::money::Cents;
use crate::validation::{FieldErrors, Message};
use crate::weight::Weight;
use crate::wire::{null_as_default, optional_whole_number, whole_number};

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
    /// Form in which the device is drawn, by default `stick`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub form: DeviceForm,
    /// Color of the lamp in the drawings, by default `amber`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lamp_color: LampColor,
    /// The picture on cards and in the cart, by default `photo`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub card_picture: CardPicture,
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
    /// 1–100,000 lm at full brightness.
    #[serde(default, deserialize_with = "optional_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::brightness, required = false))]
    pub brightness_lm: Option<i64>,
    /// Days for which the clock is right to the minute without Wi-Fi, 1–3,650.
    #[serde(default, deserialize_with = "optional_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::timekeeping, required = false))]
    pub timekeeping_days: Option<i64>,
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
        let checked = check_facts(Self { name, description, ..self }, &mut errors);
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
            card_picture: product.card_picture,
            dimensions: product.dimensions,
            plug: product.plug,
            cable_length_mm: product.cable_length_mm,
            power_mw: product.power_mw,
            brightness_lm: product.brightness_lm,
            timekeeping_days: product.timekeeping_days,
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

/// The product with valid, trimmed facts. An empty text is the same as none.
fn check_facts(input: ProductInput, errors: &mut FieldErrors) -> ProductInput {
    check_dimensions(input.dimensions, errors);
    let mut number = |field, value: Option<i64>, max, message: &str| {
        value.map(|value| errors.check(field, within(value, 1, max, message)))
    };
    number(
        "cable_length_mm",
        input.cable_length_mm,
        MAX_CABLE_LENGTH,
        "Enter a cable length from 1 to 10,000 millimeters.",
    );
    number("power_mw", input.power_mw, MAX_POWER, "Enter a power from 1 to 100,000 milliwatts.");
    number("brightness_lm", input.brightness_lm, MAX_BRIGHTNESS, "Enter a brightness from 1 to 100,000 lumens.");
    number("timekeeping_days", input.timekeeping_days, MAX_TIMEKEEPING, "Enter a time from 1 to 3,650 days.");
    number("warranty_months", input.warranty_months, MAX_WARRANTY, "Enter a warranty from 1 to 120 months.");
    let mut text = |field, value: Option<String>, check: fn(&str) -> Result<Option<String>, Message>| {
        value.and_then(|value| errors.check(field, check(&value)).flatten())
    };
    let led_color = text("led_color", input.led_color, |typed| LED_COLOR.optional(typed));
    let sku = text("sku", input.sku, check_sku);
    let gtin = text("gtin", input.gtin, check_gtin);
    let origin_country = text("origin_country", input.origin_country, check_country);
    let hs_code = text("hs_code", input.hs_code, check_hs_code);
    let in_the_box = errors.check("in_the_box", check_box(&input.in_the_box)).unwrap_or_default();
    ProductInput { led_color, sku, gtin, origin_country, hs_code, in_the_box, ..input }
}
