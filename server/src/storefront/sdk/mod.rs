//! What other developers install from the shop: its npm packages, and the data of the buy button.

mod buy_button;
mod files;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::storefront::Storefront;

/// For pages of listed origins, too.
pub fn cross_origin_router() -> OpenApiRouter<Arc<Storefront>> {
    OpenApiRouter::new().routes(routes!(buy_button::get_buy_button))
}

/// For pages of any origin.
pub fn public_files_router() -> OpenApiRouter<Arc<Storefront>> {
    OpenApiRouter::new().routes(routes!(files::get_sdk_file))
}
