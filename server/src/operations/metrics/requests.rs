//! Request counts and latencies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use super::Metrics;
use crate::shop::Shop;

/// Pages and files without a route of their own.
const OTHER: &str = "other";

impl Metrics {
    pub fn count_request(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        self.requests.with_label_values(&[word(method), route, status.as_str()]).observe(took.as_secs_f64());
    }
}

/// Counts each request under its route template, so that the number of series is bounded.
pub async fn count(State(shop): State<Arc<Shop>>, request: Request, next: Next) -> Response {
    let (started, method) = (Instant::now(), request.method().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = route.as_ref().map_or(OTHER, MatchedPath::as_str);
    shop.metrics.count_request(&method, route, response.status(), started.elapsed());
    response
}

/// Bounds the method label: clients may send any method.
fn word(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => OTHER,
    }
}
