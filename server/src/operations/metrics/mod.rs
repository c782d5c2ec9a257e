//! Metrics in the Prometheus text format. None contains personal data.

mod backlog;
mod handlers;
mod registry;
pub(super) mod store;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use self::registry::{Metrics, free_bytes};
use crate::operations::Operations;

pub fn router() -> OpenApiRouter<Arc<Operations>> {
    OpenApiRouter::new().routes(routes!(handlers::show_metrics))
}
