//! What administrators do with orders.

mod orders;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;

use crate::shop::Shop;

pub fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route("/api/admin/orders", get(orders::list_orders))
        .route("/api/admin/order/{id}", get(orders::get_order).patch(orders::update_order))
}
