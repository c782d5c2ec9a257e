//! Pictures of products: the drawings as SVG files, and bitmaps of them for link previews, feeds and emails.

mod bitmaps;
mod email;
mod handlers;
mod render;
mod source;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use email::EmailPictures;
pub use source::{Picture, link_preview, main_picture, raster_images};

use crate::catalog::Catalog;

/// For pages of any origin.
pub fn public_files_router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new().routes(routes!(handlers::product_image))
}
