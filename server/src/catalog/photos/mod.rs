//! Product photographs: uploaded by administrators, decoded and encoded again in several sizes, stored in the database
//! and served from a bounded cache.

mod cache;
mod list;
mod serve;
mod state;
pub mod store;
mod upload;

use std::sync::Arc;
use std::time::Duration;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::state::Photos;
use crate::catalog::Catalog;

/// Endpoint that takes longer than the others.
pub const UPLOAD_ROUTE: &str = "/api/products/{id}/photos";
/// The file has a minute to arrive; then it is processed, possibly after another one, and stored.
pub const UPLOAD_TIME: Duration = Duration::from_secs(100);

pub fn router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new().routes(routes!(upload::add_photo, list::update_photos))
}

/// For pages of any origin.
pub fn public_files_router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new().routes(routes!(serve::get_photo))
}
