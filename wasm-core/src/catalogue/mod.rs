//! Catalog: products, their stock badge, slug and lamp color.
//!
//! ```
//! use wasm_core::catalogue::Product;
//!
//! let product: Product = serde_json::from_str(r#"{
//!     "id": "p1", "name": "Nudgelight One", "slug": "nudgelight-one", "description": "A light that reminds.",
//!     "price": 24.99, "stock": 12, "available": 10, "weight_pounds": 0.6, "active": true,
//!     "image": "/images/nudgelight-one.svg", "version": 1
//! }"#)?;
//! assert_eq!(product.price.cents(), 2499);
//! # Ok::<(), serde_json::Error>(())
//! ```

use alloc::string::String;

use serde::{Deserialize, Serialize};

mod lamp_color;
mod slug;
mod stock_badge;

pub use lamp_color::{LampColor, lamp_color};
pub use slug::slug;
pub use stock_badge::{StockBadge, stock_badge};

use crate::money::Cents;
use crate::weight::Weight;

/// Product in the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
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
