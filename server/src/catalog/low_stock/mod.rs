//! Low-stock thresholds of products, and the shopkeeper's email about products at or below them: at most one a day, when a
//! product has fallen to its threshold since the last one. Customers see the Low Stock badge, which has its own limit.

mod notify;
pub mod store;
mod threshold;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use notify::{INTERVAL, notify};

use crate::catalog::Catalog;

pub fn router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new().routes(routes!(threshold::set_low_stock_threshold))
}
