//! Tracking numbers from a carrier's CSV file: a dry run, then batches of shipments
//! ([ADR 51](../../../../docs/adr/0051-tracking-imports-in-idempotent-batches.md)).

mod apply;
mod columns;
mod file;
mod preview;
mod verdict;

use std::sync::Arc;
use std::time::Duration;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::fulfillment::Fulfillment;

/// Endpoint that takes longer than the others.
pub const UPLOAD_ROUTE: &str = "/api/admin/tracking-import/preview";
/// The file has a minute to arrive.
pub const UPLOAD_TIME: Duration = Duration::from_secs(90);

pub fn router() -> OpenApiRouter<Arc<Fulfillment>> {
    OpenApiRouter::new().routes(routes!(preview::preview_tracking_import)).routes(routes!(apply::apply_tracking_import))
}
