//! One id per request, in the log, in every error and in the `x-request-id` header.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::http::overload_log::TooMuch;
use crate::infra::random;
use crate::shop::Shop;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Routes whose requests are logged at `debug`: there are many of them, and none is about a customer.
const QUIET_ROUTES: [&str; 3] = ["/healthz", "/readyz", "/api/pageviews"];

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The id of the request this task answers; `None` in background work.
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok()
}

/// Gives the request its id and a span that carries it; logs one line when it is answered, but for what is refused
/// because there is too much: that is counted, and the log has it together.
pub async fn layer(State(shop): State<Arc<Shop>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let id = random::new_id();
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        path = request.uri().path(),
    );
    let started = std::time::Instant::now();
    let answer = async {
        let response = next.run(request).await;
        let (status, ms) = (response.status().as_u16(), started.elapsed().as_millis());
        match response.extensions().get::<TooMuch>() {
            None if route.as_ref().is_some_and(|route| QUIET_ROUTES.contains(&route.as_str())) => {
                tracing::debug!(status, ms, "answered");
            }
            None => tracing::info!(status, ms, "answered"),
            Some(TooMuch(reason)) => {
                let route = route.as_ref().map_or("another address", MatchedPath::as_str);
                shop.refused.count(&format!("{route} {reason}"));
                tracing::debug!(status, ms, "answered");
            }
        }
        response
    };
    let mut response = REQUEST_ID.scope(id.clone(), answer.instrument(span)).await;
    mark(&mut response, &id);
    response
}

/// Writes the id of its request onto an answer.
pub fn mark(response: &mut Response, id: &str) {
    if let Ok(value) = HeaderValue::from_str(id) {
        response.headers_mut().insert(HEADER, value);
    }
}
