//! The state of the domain: what its functions work with.

use super::cors::Cors;
use super::load_shedding::LoadShedding;
use super::overload_log::OverloadLog;
use super::request_metrics::RequestMetrics;
use super::response_cache::CachedResponses;
use crate::config::Config;
use crate::platform::Platform;
use axum::http::HeaderMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the middleware works with.
pub struct Http {
    pub config: Arc<Config>,
    pub draining: CancellationToken,
    pub stopping: CancellationToken,
    pub cors: Arc<Cors>,
    pub load_shedding: Arc<LoadShedding>,
    /// Requests rejected by limits since the last log line.
    pub overload_log: Arc<OverloadLog>,
    pub requests: Arc<RequestMetrics>,
    /// Headers of every response that does not set them itself.
    pub common_headers: HeaderMap,
    pub cached: Arc<dyn CachedResponses>,
}

impl Http {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(
        platform: &Platform,
        cors: Cors,
        common_headers: HeaderMap,
        cached: Arc<dyn CachedResponses>,
    ) -> prometheus::Result<Self> {
        let Platform { config, db, draining, stopping, registry, .. } = platform.clone();
        Ok(Self {
            requests: Arc::new(RequestMetrics::new(&registry)?),
            load_shedding: Arc::new(LoadShedding::new(config.clone(), db, cached.clone())),
            overload_log: Arc::new(OverloadLog::new(&registry)?),
            cors: Arc::new(cors),
            config,
            draining,
            stopping,
            common_headers,
            cached,
        })
    }
}
