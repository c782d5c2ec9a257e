//! One id per request, in the log, in every error and in the `x-request-id` header.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::chance;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    static REQUEST_ID: String;
}

/// The id of the request this task answers; `None` in background work.
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok()
}

/// Gives the request its id and a span that carries it; logs one line when it is answered.
pub async fn layer(request: Request, next: Next) -> Response {
    let id = chance::new_id();
    let span = tracing::info_span!(
        "request",
        id,
        method = %request.method(),
        path = request.uri().path(),
    );
    let started = std::time::Instant::now();
    let answer = async {
        let response = next.run(request).await;
        tracing::info!(status = response.status().as_u16(), ms = started.elapsed().as_millis(), "answered");
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
