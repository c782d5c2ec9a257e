//! Catalog: products with their prices and stock.

mod admin_list;
mod columns;
mod duplicate;
mod handlers;
mod lists;
mod patch;
mod photos;
mod snapshot;
pub mod stock;
pub mod store;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use snapshot::{CatalogSnapshot, Contents};

use crate::catalog::Catalog;

pub fn admin_router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new()
        .routes(routes!(handlers::create_product))
        .routes(routes!(handlers::update_product))
        .routes(routes!(duplicate::duplicate_product))
        .routes(routes!(handlers::set_stock))
        .routes(routes!(admin_list::list_products))
}

/// For pages of listed origins, too.
pub fn cross_origin_router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new()
        .routes(routes!(handlers::list_products))
        .routes(routes!(handlers::get_product))
        .routes(routes!(lists::find_product_list))
        .routes(routes!(lists::list_product_names))
        .routes(routes!(lists::list_related_products))
}
