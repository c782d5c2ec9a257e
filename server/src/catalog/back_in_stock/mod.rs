//! Back-in-stock emails: a visitor asks at a sold-out product, confirms the address by a link (double opt-in) and gets one
//! email when the product is back. Then the address is deleted. No endpoint shows or exports an address.

mod handlers;
mod limit_of_shop;
mod notify;
pub mod store;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use notify::{INTERVAL, notify_waiting};
pub use store::{CONFIRMATION_TIME, WAITING_TIME};

use crate::catalog::Catalog;

pub fn router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new()
        .routes(routes!(handlers::request_back_in_stock_email))
        .routes(routes!(handlers::confirm_back_in_stock_email))
        .routes(routes!(handlers::cancel_back_in_stock_email))
}
