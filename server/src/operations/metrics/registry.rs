//! The registry with the metrics of all domains.

use std::path::Path;

use prometheus::process_collector::ProcessCollector;
use prometheus::{Encoder as _, IntGauge, IntGaugeVec, Opts, Registry, TextEncoder};

use super::backlog::{Backlog, added};
use crate::db::{Connections, Db, schema_version};
use crate::error::Error;

/// The registry with the metrics of all domains, and gauges that are refreshed on each scrape.
pub struct Metrics {
    registry: Registry,
    connections: IntGaugeVec,
    most_connections: IntGaugeVec,
    pending_writes: IntGauge,
    disk: IntGauge,
    backlog: Backlog,
}

impl Metrics {
    /// # Errors
    /// If two metrics have the same name.
    pub fn new(registry: &Registry, db: &Db) -> prometheus::Result<Self> {
        let connections = Opts::new("shop_database_connections", "Database connections.");
        let version = Opts::new("shop_build_info", "1, with the version as label.");
        let most = Opts::new("shop_database_connections_max", "The most connections that a pool opens.");
        let pending = "Writes that wait for a database connection.";
        let disk = "Free space of the disk of the data folder. -1 if it is unknown.";
        let metrics = Self {
            connections: added(registry, IntGaugeVec::new(connections, &["pool", "state"])?)?,
            most_connections: added(registry, IntGaugeVec::new(most, &["pool"])?)?,
            pending_writes: added(registry, IntGauge::new("shop_database_pending_writes", pending)?)?,
            disk: added(registry, IntGauge::new("shop_disk_free_bytes", disk)?)?,
            backlog: Backlog::new(registry)?,
            registry: registry.clone(),
        };
        added(registry, IntGaugeVec::new(version, &["version"])?)?
            .with_label_values(&[env!("CARGO_PKG_VERSION")])
            .set(1);
        let schema = IntGauge::new("shop_schema_version", "Version of the database schema of this program.")?;
        added(registry, schema)?.set(schema_version());
        registry.register(Box::new(db.write_wait().clone()))?;
        registry.register(Box::new(ProcessCollector::for_self()))?;
        Ok(metrics)
    }

    /// All metrics as text.
    pub async fn text(&self, db: &Db, data_dir: &Path, now: i64) -> Result<Vec<u8>, Error> {
        self.backlog.refresh(db, now).await;
        for Connections { pool, open, idle, most } in db.connections() {
            let idle = i64::try_from(idle).unwrap_or(i64::MAX);
            self.connections.with_label_values(&[pool, "idle"]).set(idle);
            self.connections.with_label_values(&[pool, "busy"]).set((i64::from(open) - idle).max(0));
            self.most_connections.with_label_values(&[pool]).set(most.into());
        }
        self.pending_writes.set(i64::try_from(db.pending_writes()).unwrap_or(i64::MAX));
        self.disk.set(free_bytes(data_dir).unwrap_or(-1));
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text).map_err(Error::internal)?;
        Ok(text)
    }
}

/// Free space of the folder's disk. None if it is unknown.
pub fn free_bytes(folder: &Path) -> Option<i64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    i64::try_from(disk.f_bavail.saturating_mul(disk.f_frsize)).ok()
}
