//! HTTP for every feature: client addresses, extractors, pages of lists, downloads, request validation, CORS, load
//! shedding and the response cache.

pub mod attachment;
mod bodies;
pub mod body_limits;
pub mod client_address;
pub mod cors;
pub mod extract;
pub mod load_shedding;
pub mod members;
pub mod overload_log;
pub mod page;
pub mod request_id;
pub mod request_metrics;
pub mod request_validation;
pub mod response_cache;
pub mod security_headers;
pub mod serve;
mod state;

pub use self::state::Http;

use std::sync::Arc;

use crate::infra::jobs::Jobs;

impl Http {
    pub fn start_jobs(self: &Arc<Self>, jobs: &Jobs) {
        jobs.every("overload_log", overload_log::REPORT_EVERY, self, |http| async move {
            http.overload_log.report();
            Ok::<_, String>(())
        });
    }
}
