//! Catalog: products, their facts, stock badge and slug.
//!
//! ```
//! use wasm_core::catalog::Product;
//!
//! let product: Product = serde_json::from_str(r#"{
//!     "id": "p1", "name": "Nudgelight One", "slug": "nudgelight-one", "description": "A light that reminds.",
//!     "price": 24.99, "stock": 12, "available": 10, "weight_pounds": 0.6, "active": true,
//!     "image": "/images/nudgelight-one.svg", "version": 1
//! }"#)?;
//! assert_eq!(product.price.cents(), 2499);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod card_picture;
mod device_form;
mod lamp_color;
mod measurements;
mod photo;
mod photo_list;
mod photo_sizes;
mod product;
mod product_list;
mod product_query;
mod slug;
mod stock_badge;
mod warranty;

pub use card_picture::CardPicture;
pub use device_form::DeviceForm;
pub use lamp_color::LampColor;
pub use measurements::{country_name, dimensions_text, length_text, power_text, weight_text};
pub use photo::Photo;
pub use photo_list::{ListedPhoto, MAX_PHOTOS, PhotoList, photo_alt};
pub use photo_sizes::{photo_height, photo_widths};
pub use product::{
    Dimensions, MAX_NAME, MAX_STOCK, Plug, Product, ProductForm, ProductInput, STOCK_RANGE, check_stock,
};
pub use product_list::ProductList;
pub use product_query::{ProductQuery, ProductSort};
pub use slug::slug;
pub use stock_badge::{StockBadge, stock_badge};
pub use warranty::{WarrantyRange, warranty_text};
