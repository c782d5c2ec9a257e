//! Product feeds: all products in the format of a shopping service.

mod google;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::storefront::Storefront;

pub fn router() -> OpenApiRouter<Arc<Storefront>> {
    OpenApiRouter::new().routes(routes!(google::get_google_feed))
}
