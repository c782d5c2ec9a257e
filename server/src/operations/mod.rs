//! Operations: health, metrics, backups, and the commands of the people who run the shop.

pub mod audit;
pub mod backup;
pub mod check;
pub mod health;
pub mod metrics;
pub mod retention;
pub mod sample_data;
pub mod schedule;
pub mod seed;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::shop::Shop;

pub fn routes() -> OpenApiRouter<Arc<Shop>> {
    metrics::router().routes(routes!(health::alive)).routes(routes!(health::ready))
}
