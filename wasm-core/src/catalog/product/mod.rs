//! A product: as the catalog has it, as an administrator adds or edits it, and the rules of its fields.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

mod facts;
mod form;
mod input;
mod limits;
#[cfg(feature = "openapi")]
mod schema;

pub use facts::{Dimensions, Plug};
pub use form::ProductForm;
pub use input::{ProductInput, check_stock};
pub use limits::{MAX_NAME, MAX_STOCK, STOCK_RANGE};

use super::{CardPicture, DeviceForm, LampColor, Photo};
use crate::money::Cents;
use crate::weight::Weight;
use crate::wire::null_as_default;

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
    "card_picture": "photo",
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
    /// URL of the main image: the first photo, or `/images/{slug}.svg` without photos and if `card_picture` is
    /// `drawing`.
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
    /// The picture on cards and in the cart.
    #[serde(default, deserialize_with = "null_as_default")]
    #[cfg_attr(feature = "openapi", schema(required))]
    pub card_picture: CardPicture,
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
    /// Light at full brightness, in lumens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub brightness_lm: Option<i64>,
    /// Days for which the clock is right to the minute without Wi-Fi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub timekeeping_days: Option<i64>,
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
