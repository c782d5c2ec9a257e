//! Metrics in the Prometheus text format. None contains personal data.

mod backlog;
mod handlers;
mod requests;
mod store;

use std::sync::Arc;

use axum::http::HeaderMap;
use prometheus::core::Collector;
use prometheus::process_collector::ProcessCollector;
use prometheus::{
    Encoder as _, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGaugeVec, Opts, Registry, TextEncoder,
};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use requests::count;

use self::backlog::Backlog;
use crate::catalog::products::CatalogSnapshot;
use crate::db::Db;
use crate::error::Error;
use crate::http::response_cache::ResponseCache;
use crate::shop::Shop;

/// Histogram buckets in seconds, from cached responses to requests that wait for the payment provider.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(handlers::show_metrics))
}

/// Counters, and gauges that are refreshed on each scrape.
pub struct Metrics {
    registry: Registry,
    requests: HistogramVec,
    reconciler_runs: IntCounterVec,
    catalog_reads: IntCounter,
    cache_fills: IntCounter,
    connections: IntGaugeVec,
    backlog: Backlog,
}

impl Metrics {
    /// # Errors
    /// If two metrics have the same name.
    pub fn new() -> Result<Self, String> {
        Self::registered().map_err(|error| format!("registering the metrics failed: {error}"))
    }

    fn registered() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let requests =
            HistogramOpts::new("http_request_duration_seconds", "Time from a request's head to its response's head.");
        let runs = Opts::new("shop_reconciler_runs_total", "Reconciler runs.");
        let connections = Opts::new("shop_database_connections", "Database connections.");
        let version = Opts::new("shop_build_info", "1, with the version as label.");
        let metrics = Self {
            requests: added(
                &registry,
                HistogramVec::new(requests.buckets(SECONDS.to_vec()), &["method", "route", "status"])?,
            )?,
            reconciler_runs: added(&registry, IntCounterVec::new(runs, &["outcome"])?)?,
            catalog_reads: added(
                &registry,
                IntCounter::new("shop_catalog_reads_total", "Reads of the catalog for public responses.")?,
            )?,
            cache_fills: added(
                &registry,
                IntCounter::new("shop_cache_fills_total", "Responses added to the response cache.")?,
            )?,
            connections: added(&registry, IntGaugeVec::new(connections, &["pool", "state"])?)?,
            backlog: Backlog::new(&registry)?,
            registry: registry.clone(),
        };
        added(&registry, IntGaugeVec::new(version, &["version"])?)?
            .with_label_values(&[env!("CARGO_PKG_VERSION")])
            .set(1);
        // Counters start at 0: a missing series would look like a missing metric.
        metrics.reconciler_runs.with_label_values(&["failed"]);
        registry.register(Box::new(ProcessCollector::for_self()))?;
        Ok(metrics)
    }

    /// The catalog, with its metrics.
    pub fn catalog(&self, db: Db, common: HeaderMap) -> CatalogSnapshot {
        CatalogSnapshot::new(db, common, self.catalog_reads.clone(), self.cache_fills.clone())
    }

    /// A response cache, with its metrics.
    pub fn response_cache(&self, common: HeaderMap) -> ResponseCache {
        ResponseCache::new(common, self.cache_fills.clone())
    }

    /// Counts a reconciler run and whether it succeeded.
    pub fn count_reconciler_run(&self, is_complete: bool) {
        let outcome = if is_complete { "ok" } else { "failed" };
        self.reconciler_runs.with_label_values(&[outcome]).inc();
    }

    /// All metrics as text.
    async fn text(&self, db: &Db, now: i64) -> Result<Vec<u8>, Error> {
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

fn added<C: Collector + Clone + 'static>(registry: &Registry, figure: C) -> prometheus::Result<C> {
    registry.register(Box::new(figure.clone()))?;
    Ok(figure)
}
