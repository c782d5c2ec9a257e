//! The registry with the metrics of all domains.

use prometheus::process_collector::ProcessCollector;
use prometheus::{Encoder as _, IntGaugeVec, Opts, Registry, TextEncoder};

use super::backlog::{Backlog, added};
use crate::db::Db;
use crate::error::Error;

/// The registry with the metrics of all domains, and gauges that are refreshed on each scrape.
pub struct Metrics {
    registry: Registry,
    connections: IntGaugeVec,
    backlog: Backlog,
}

impl Metrics {
    /// # Errors
    /// If two metrics have the same name.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let connections = Opts::new("shop_database_connections", "Database connections.");
        let version = Opts::new("shop_build_info", "1, with the version as label.");
        let metrics = Self {
            connections: added(registry, IntGaugeVec::new(connections, &["pool", "state"])?)?,
            backlog: Backlog::new(registry)?,
            registry: registry.clone(),
        };
        added(registry, IntGaugeVec::new(version, &["version"])?)?
            .with_label_values(&[env!("CARGO_PKG_VERSION")])
            .set(1);
        registry.register(Box::new(ProcessCollector::for_self()))?;
        Ok(metrics)
    }

    /// All metrics as text.
    pub async fn text(&self, db: &Db, now: i64) -> Result<Vec<u8>, Error> {
        self.backlog.refresh(db, now).await;
        for (pool, size, idle) in db.connections() {
            let idle = i64::try_from(idle).unwrap_or(i64::MAX);
            self.connections.with_label_values(&[pool, "idle"]).set(idle);
            self.connections.with_label_values(&[pool, "busy"]).set((i64::from(size) - idle).max(0));
        }
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text).map_err(Error::internal)?;
        Ok(text)
    }
}
