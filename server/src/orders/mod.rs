//! Orders: made by [`crate::checkout::finalize`] alone, read by their customer and by administrators.

mod handlers;
pub mod listing;
pub mod store;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use crate::shop::Shop;

pub fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route("/api/orders/{id}", get(handlers::get_order))
        .route("/api/user/orders", get(handlers::list_own_orders))
}
