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

mod lamp_color;
mod product;
mod slug;
mod stock_badge;

pub use lamp_color::{LampColor, lamp_color};
pub use product::{MAX_STOCK, Product, ProductForm, ProductInput, ProductPatch, STOCK_RANGE};
pub use slug::slug;
pub use stock_badge::{StockBadge, stock_badge};
