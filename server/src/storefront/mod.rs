//! Storefront: what visitors, search engines and other sites load, and the statistics of page views.

pub mod analytics;
pub mod feeds;
pub mod pages;
pub mod public_config;
pub mod sdk;
mod state;

pub use self::state::Storefront;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::infra::jobs::Jobs;

impl Storefront {
    /// Writes the counted page views.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("write_page_views", analytics::FLUSH_INTERVAL, self, |storefront| async move {
            analytics::flush(&storefront).await
        });
    }
}

pub fn routes() -> OpenApiRouter<Arc<Storefront>> {
    pages::router().merge(analytics::router()).merge(feeds::router())
}

/// For pages of listed origins, too.
pub fn cross_origin_routes() -> OpenApiRouter<Arc<Storefront>> {
    sdk::cross_origin_router().routes(routes!(public_config::get_config))
}

/// For pages of any origin.
pub fn public_files() -> OpenApiRouter<Arc<Storefront>> {
    sdk::public_files_router()
}
