//! Products as customers see them.
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

/// A product, as the catalogue gives it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Product {
    /// UUIDv7.
    pub id: String,
    /// Unique without case.
    pub name: String,
    /// The name in an address: lower-case letters, digits and hyphens.
    pub slug: String,
    /// Plain text; line breaks count.
    pub description: String,
    /// For one piece, before shipping and tax.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Pieces on hand, reserved ones included.
    pub stock: i64,
    /// Pieces that can be bought now: on hand and not reserved, never below zero.
    pub available: i64,
    /// For one piece, packed.
    #[cfg_attr(feature = "js", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Whether customers see it.
    pub active: bool,
    /// The address of its drawing, `/images/{slug}.svg`.
    pub image: String,
    /// Rises with each edit, not with a sale.
    pub version: i64,
}
