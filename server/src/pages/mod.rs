//! Everything that is not the API: the shell's document and files, and the drawn products.

mod image;
mod paths;
mod product;
mod shell;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

pub use paths::{is_known, is_public};

use crate::shop::Shop;

pub fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route("/images/{file}", get(image::product_image))
        .route("/products/{name}", get(product::show))
        .route("/orders", get(shell::to_own_orders))
        .fallback(shell::serve)
}
