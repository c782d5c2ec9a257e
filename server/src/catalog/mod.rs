//! Catalog: products with their prices, pictures and stock.

pub mod back_in_stock;
pub mod images;
pub mod low_stock;
pub mod photos;
pub mod products;
pub mod stock_ledger;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn routes() -> OpenApiRouter<Arc<Shop>> {
    back_in_stock::router()
}

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Shop>> {
    products::cross_origin_router()
}

/// For pages of any origin.
pub fn public_files() -> OpenApiRouter<Arc<Shop>> {
    images::public_files_router().merge(photos::public_files_router())
}

pub fn admin_routes() -> OpenApiRouter<Arc<Shop>> {
    products::admin_router()
        .merge(low_stock::router())
        .merge(photos::router())
        .routes(routes!(stock_ledger::get_stock_ledger))
        .routes(routes!(stock_ledger::movements::receive_stock))
        .routes(routes!(stock_ledger::movements::correct_stock))
}
