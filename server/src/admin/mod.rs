//! What administrators do with orders.

mod orders;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(orders::list_orders)).routes(routes!(orders::get_order, orders::update_order))
}
