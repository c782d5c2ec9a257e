//! The state of the domain: what its functions work with.

use super::metrics::Metrics;
use super::readiness::Readiness;
use crate::config::Config;
use crate::db::Db;
use crate::infra::clock::Clock;
use crate::platform::Platform;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

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
}
