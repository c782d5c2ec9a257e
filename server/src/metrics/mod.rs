//! Figures for whoever watches the shop, in Prometheus' text form. None of them says anything about a person.

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

use self::backlog::Waiting;
use crate::catalogue::Catalogue;
use crate::db::Db;
use crate::http::error::Error;
use crate::http::response_cache::ResponseCache;
use crate::shop::Shop;

/// Upper bounds in seconds: from what is answered out of memory to what waits for a payment provider.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(handlers::show_metrics))
}

/// What is counted as it happens, and a place for what is looked up when somebody asks.
pub struct Metrics {
    registry: Registry,
    requests: HistogramVec,
    reconciler_runs: IntCounterVec,
    catalogue_reads: IntCounter,
    cache_fills: IntCounter,
    connections: IntGaugeVec,
    waiting: Waiting,
}

impl Metrics {
    /// # Errors
    /// When two figures have one name.
    pub fn new() -> Result<Self, String> {
        Self::registered().map_err(|error| format!("the metrics cannot be set up: {error}"))
    }

    fn registered() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let requests = HistogramOpts::new("http_request_duration_seconds", "From a request's head to its answer's.");
        let runs = Opts::new("shop_reconciler_runs_total", "How often open checkouts were compared with the provider.");
        let connections = Opts::new("shop_database_connections", "Connections to the database.");
        let version = Opts::new("shop_build_info", "1, with the program's version.");
        let metrics = Self {
            requests: added(
                &registry,
                HistogramVec::new(requests.buckets(SECONDS.to_vec()), &["method", "route", "status"])?,
            )?,
            reconciler_runs: added(&registry, IntCounterVec::new(runs, &["outcome"])?)?,
            catalogue_reads: added(
                &registry,
                IntCounter::new("shop_catalogue_reads_total", "How often the catalogue was read for public answers.")?,
            )?,
            cache_fills: added(
                &registry,
                IntCounter::new("shop_cache_fills_total", "Public answers that were made and kept.")?,
            )?,
            connections: added(&registry, IntGaugeVec::new(connections, &["pool", "state"])?)?,
            waiting: Waiting::new(&registry)?,
            registry: registry.clone(),
        };
        added(&registry, IntGaugeVec::new(version, &["version"])?)?
            .with_label_values(&[env!("CARGO_PKG_VERSION")])
            .set(1);
        // A figure that is not there looks like one that nobody asked for.
        metrics.reconciler_runs.with_label_values(&["failed"]);
        registry.register(Box::new(ProcessCollector::for_self()))?;
        Ok(metrics)
    }

    /// A catalogue that is counted here.
    pub fn catalogue(&self, db: Db, common: HeaderMap) -> Catalogue {
        Catalogue::new(db, common, self.catalogue_reads.clone(), self.cache_fills.clone())
    }

    /// A responses whose documents are counted here.
    pub fn responses(&self, common: HeaderMap) -> ResponseCache {
        ResponseCache::new(common, self.cache_fills.clone())
    }

    /// Whether the reconciler could compare everything.
    pub fn count_reconciler_run(&self, is_complete: bool) {
        let outcome = if is_complete { "ok" } else { "failed" };
        self.reconciler_runs.with_label_values(&[outcome]).inc();
    }

    /// Everything, as text.
    async fn text(&self, db: &Db, now: i64) -> Result<Vec<u8>, Error> {
        self.waiting.look_up(db, now).await;
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
