//! Products: what is for sale, for how much, and how many there are.

mod handlers;
pub mod store;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, patch};

use crate::shop::Shop;

pub fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route("/api/products", get(handlers::list_products).post(handlers::create_product))
        .route("/api/products/{name}", get(handlers::get_product).patch(handlers::update_product))
        .route("/api/products/{name}/stock", patch(handlers::set_stock))
}
