//! Everything that is not the API: the shell's document and files, and the drawn products.

mod image;
mod paths;
mod policy;
mod product;
mod shell;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use paths::{PublicPage, public_page};

use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new()
        .routes(routes!(image::product_image))
        .routes(routes!(product::show))
        .routes(routes!(shell::to_own_orders))
        .fallback(shell::serve)
}
