//! Everything except the API: server-rendered pages, static assets, downloads and files for search engines.

mod api_reference;
mod assets;
mod data;
mod document;
mod download;
mod firmware;
mod head;
mod page;
mod paths;
mod policy;
mod product;
mod render;
mod seo;
mod service_worker;
mod shell_files;
mod sitemap;
mod structured_data;
mod uncached;
mod view;
mod well_known;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use firmware::Firmware;
pub use paths::{PublicPage, public_page};
pub use render::start_renderer;
pub use uncached::UncachedPages;

use crate::storefront::Storefront;

pub fn router() -> OpenApiRouter<Arc<Storefront>> {
    OpenApiRouter::new()
        .routes(routes!(api_reference::get_api_reference))
        .routes(routes!(download::firmware))
        .routes(routes!(product::show))
        .routes(routes!(sitemap::get_sitemap))
        .routes(routes!(seo::robots))
        .routes(routes!(seo::manifest))
        .routes(routes!(service_worker::get_service_worker))
        .routes(routes!(assets::redirect_to_orders))
        .routes(routes!(well_known::security_txt))
        .routes(routes!(well_known::redirect_to_password_settings))
        .fallback(assets::serve)
}
