//! HTTP for every feature: errors, extractors, request validation, CORS, load shedding and the response cache.

pub mod cors;
pub mod error;
pub mod error_details;
pub mod error_responses;
pub mod extract;
pub mod load_shedding;
pub mod overload_log;
pub mod request_id;
pub mod request_validation;
pub mod response_cache;
pub mod security_headers;
pub mod serve;
