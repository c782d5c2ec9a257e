//! Request IDs: one per request, in the log, in every error and in the `x-request-id` header. Also the access log.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::error::LimitExceeded;
use crate::http::overload_log::OverloadLog;
use crate::infra::{random, request_id};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Routes whose requests are logged at `debug`: there are many of them, and none is about a customer.
const QUIET_ROUTES: [&str; 3] = ["/healthz", "/readyz", "/api/pageviews"];

/// Middleware: gives the request its ID and a tracing span, and logs one line per response. Requests rejected by a limit
/// are counted in the overload log instead.
pub async fn layer(State(overload_log): State<Arc<OverloadLog>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let id = random::new_id();
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        path = request.uri().path(),
    );
    let started = std::time::Instant::now();
    let handled = async {
        let response = next.run(request).await;
        let (status, ms) = (response.status().as_u16(), started.elapsed().as_millis());
        match response.extensions().get::<LimitExceeded>() {
            None if route.as_ref().is_some_and(|route| QUIET_ROUTES.contains(&route.as_str())) => {
                tracing::debug!(status, ms, "response");
            }
            None => tracing::info!(status, ms, "response"),
            Some(LimitExceeded(reason)) => {
                let route = route.as_ref().map_or("unknown route", MatchedPath::as_str);
                overload_log.count(&format!("{route} {reason}"));
                tracing::debug!(status, ms, "response");
            }
        }
        response
    };
    let mut response = request_id::with(id.clone(), handled.instrument(span)).await;
    set_header(&mut response, &id);
    response
}

/// Sets the `x-request-id` header.
pub fn set_header(response: &mut Response, id: &str) {
    if let Ok(value) = HeaderValue::from_str(id) {
        response.headers_mut().insert(HEADER, value);
    }
}
