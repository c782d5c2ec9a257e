//! Storefront: what visitors, search engines and other sites load, and the statistics of page views.

pub mod analytics;
pub mod feeds;
pub mod pages;
pub mod public_config;
pub mod sdk;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn routes() -> OpenApiRouter<Arc<Shop>> {
    pages::router().merge(analytics::router()).merge(feeds::router())
}

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Shop>> {
    sdk::cross_origin_router().routes(routes!(public_config::get_config))
}

/// For pages of any origin.
pub fn public_files() -> OpenApiRouter<Arc<Shop>> {
    sdk::public_files_router()
}
