//! A product: as the catalog has it, as an administrator adds or edits it, and the rules of its fields.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

mod form;
#[cfg(feature = "openapi")]
mod schema;

pub use form::ProductForm;

use crate::money::Cents;
use crate::validation::{FieldErrors, Lines, Message, TextRule};
use crate::weight::Weight;
use crate::wire::{non_null, non_null_whole_number, whole_number};

const NAME: TextRule = TextRule { missing: "Enter a name.", noun: "A name", max: 80, lines: Lines::One };
const DESCRIPTION: TextRule =
    TextRule { missing: "Enter a description.", noun: "A description", max: 4000, lines: Lines::Many };
const MIN_PRICE: Cents = Cents::from_cents(1);
const MAX_PRICE: Cents = Cents::from_cents(9_999_999);
/// Largest stock of a product, in units.
pub const MAX_STOCK: i64 = 1_000_000;
/// The range of a stock, for messages.
pub const STOCK_RANGE: &str = "0 to 1,000,000";
const MIN_WEIGHT: Weight = Weight::from_hundredths(1);
const MAX_WEIGHT: Weight = Weight::from_hundredths(15_000);

/// Product in the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Units on hand, including reserved ones.
    pub stock: i64,
    /// Available units: on hand and not reserved, never below zero.
    pub available: i64,
    /// Per unit, including its packaging.
    #[cfg_attr(feature = "js", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Whether the product is listed.
    pub active: bool,
    /// URL of the image, `/images/{slug}.svg`.
    pub image: String,
    /// Increases with each edit, not with sales (optimistic concurrency).
    pub version: i64,
}

/// Fields of a product that an administrator sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProductInput {
    /// 1–80 characters, unique without case.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::name))]
    pub name: String,
    /// 1–4000 characters, line breaks allowed.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::description))]
    pub description: String,
    /// $0.01–$99,999.99.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::price))]
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Units on hand, 0–1,000,000.
    #[serde(deserialize_with = "whole_number")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::stock))]
    pub stock: i64,
    /// 0.01–150 lb.
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::weight))]
    #[cfg_attr(feature = "js", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Whether the product is listed.
    #[serde(default = "listed")]
    pub active: bool,
}

fn listed() -> bool {
    true
}

impl ProductInput {
    /// The product with trimmed texts.
    ///
    /// ```
    /// use wasm_core::money::Cents;
    /// use wasm_core::catalogue::ProductInput;
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
        errors.into_result(Self { name, description, ..self })
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
        }
    }
}

/// Patch of a product. Absent members stay unchanged; `null` is invalid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProductPatch {
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::name, required = false))]
    pub name: Option<String>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::description, required = false))]
    pub description: Option<String>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::price, required = false))]
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub price: Option<Cents>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::stock, required = false))]
    pub stock: Option<i64>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::weight, required = false))]
    #[cfg_attr(feature = "js", tsify(type = "Pounds"))]
    pub weight_pounds: Option<Weight>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub active: Option<bool>,
    /// Version of the product that was edited (optimistic concurrency): if it is sent and outdated, the edit is a
    /// conflict.
    #[serde(default, deserialize_with = "non_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub version: Option<i64>,
}

impl ProductPatch {
    /// The patch with trimmed texts.
    ///
    /// # Errors
    /// A message for each invalid field.
    pub fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let name = self.name.and_then(|name| errors.check("name", NAME.required(&name)));
        let description = self.description.and_then(|text| errors.check("description", DESCRIPTION.required(&text)));
        self.price.map(|price| errors.check("price", check_price(price)));
        self.stock.map(|stock| errors.check("stock", check_stock(stock)));
        self.weight_pounds.map(|weight| errors.check("weight_pounds", check_weight(weight)));
        errors.into_result(Self { name, description, ..self })
    }

    /// The fields with this patch applied.
    #[must_use]
    pub fn applied_to(self, before: ProductInput) -> ProductInput {
        ProductInput {
            name: self.name.unwrap_or(before.name),
            description: self.description.unwrap_or(before.description),
            price: self.price.unwrap_or(before.price),
            stock: self.stock.unwrap_or(before.stock),
            weight_pounds: self.weight_pounds.unwrap_or(before.weight_pounds),
            active: self.active.unwrap_or(before.active),
        }
    }
}

fn check_price(price: Cents) -> Result<(), Message> {
    within(price, MIN_PRICE, MAX_PRICE, "Enter a price from $0.01 to $99,999.99.")
}

fn check_stock(stock: i64) -> Result<(), Message> {
    within(stock, 0, MAX_STOCK, &format!("Enter a stock from {STOCK_RANGE}."))
}

fn check_weight(weight: Weight) -> Result<(), Message> {
    within(weight, MIN_WEIGHT, MAX_WEIGHT, "Enter a weight from 0.01 to 150 lb.")
}

fn within<T: PartialOrd>(value: T, min: T, max: T, message: &str) -> Result<(), Message> {
    if min <= value && value <= max { Ok(()) } else { Err(message.to_owned()) }
}
