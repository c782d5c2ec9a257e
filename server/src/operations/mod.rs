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
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::health::Readiness;
use self::metrics::Metrics;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::{Clock, HOUR};
use crate::infra::jobs::Jobs;
use crate::platform::Platform;

/// What the domain works with.
pub struct Operations {
    pub config: Arc<Config>,
    pub db: Db,
    pub clock: Clock,
    pub stopping: CancellationToken,
    pub metrics: Metrics,
    pub readiness: Readiness,
}

impl Operations {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(platform: &Platform) -> prometheus::Result<Self> {
        let Platform { config, db, clock, registry, stopping, .. } = platform.clone();
        let (metrics, readiness) = (Metrics::new(&registry)?, Readiness::default());
        Ok(Self { config, db, clock, stopping, metrics, readiness })
    }

    /// Deletes old personal data.
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        let hourly = Duration::from_millis(HOUR.unsigned_abs());
        jobs.every("retention", hourly, self, |operations| async move {
            retention::sweep(&operations.db, operations.clock.now_ms()).await
        });
    }
}

pub fn routes() -> OpenApiRouter<Arc<Operations>> {
    metrics::router().routes(routes!(health::alive)).routes(routes!(health::ready))
}
