//! HTTP for every feature: client addresses, extractors, request validation, CORS, load shedding and the response cache.

pub mod client_address;
pub mod cors;
pub mod extract;
pub mod load_shedding;
pub mod overload_log;
pub mod page;
pub mod request_id;
pub mod request_metrics;
pub mod request_validation;
pub mod response_cache;
pub mod security_headers;
pub mod serve;

use std::sync::Arc;

use axum::http::HeaderMap;
use tokio_util::sync::CancellationToken;

use self::cors::Cors;
use self::load_shedding::LoadShedding;
use self::overload_log::OverloadLog;
use self::request_metrics::RequestMetrics;
use self::response_cache::CachedResponses;
use crate::config::Config;
use crate::db::Db;
use crate::infra::jobs::Jobs;
use crate::platform::Platform;

/// What the middleware works with.
pub struct Http {
    pub config: Arc<Config>,
    pub db: Db,
    pub stopping: CancellationToken,
    pub cors: Cors,
    pub load_shedding: LoadShedding,
    /// Requests rejected by limits since the last log line.
    pub overload_log: OverloadLog,
    pub requests: RequestMetrics,
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
        let Platform { config, db, stopping, registry, .. } = platform.clone();
        let requests = RequestMetrics::new(&registry)?;
        let (load_shedding, overload_log) = (LoadShedding::default(), OverloadLog::default());
        Ok(Self { config, db, stopping, cors, load_shedding, overload_log, requests, common_headers, cached })
    }

    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("overload_log", overload_log::REPORT_EVERY, self, |http| async move {
            http.overload_log.report();
            Ok::<_, String>(())
        });
    }
}
