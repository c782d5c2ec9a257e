//! Operations: health, metrics, backups, and the commands of the people who run the shop.

pub mod audit;
pub mod backup;
pub mod check;
mod database_check;
pub mod health;
mod health_report;
pub mod metrics;
pub mod retention;
pub mod sample_data;
pub mod schedule;
pub mod seed;
mod state;

pub use self::state::Operations;

use std::sync::Arc;
use std::time::Duration;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::infra::clock::HOUR;
use crate::infra::jobs::Jobs;

impl Operations {
    /// Deletes old personal data.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        let hourly = Duration::from_millis(HOUR.unsigned_abs());
        jobs.every("retention", hourly, self, |operations| async move { retention::sweep(&operations).await });
    }
}

pub fn admin_routes() -> OpenApiRouter<Arc<Operations>> {
    OpenApiRouter::new().routes(routes!(health_report::get_health))
}

pub fn routes() -> OpenApiRouter<Arc<Operations>> {
    metrics::router()
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(health::check_database))
}
