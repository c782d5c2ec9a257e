//! Metrics in the Prometheus text format. None contains personal data.

mod backlog;
mod handlers;
mod registry;
mod store;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::registry::Metrics;
use crate::operations::Operations;

pub fn router() -> OpenApiRouter<Arc<Operations>> {
    OpenApiRouter::new().routes(routes!(handlers::show_metrics))
}
