//! Request counts and latencies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use prometheus::{HistogramOpts, HistogramVec, Registry};

/// Histogram buckets in seconds, from cached responses to requests that wait for the payment provider.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0];

/// Pages and files without a route of their own.
const OTHER: &str = "other";

pub struct RequestMetrics(HistogramVec);

impl RequestMetrics {
    /// # Errors
    /// If the registry already has the metric.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let about = "Time from a request's head to its response's head.";
        let options = HistogramOpts::new("http_request_duration_seconds", about).buckets(SECONDS.to_vec());
        let requests = HistogramVec::new(options, &["method", "route", "status"])?;
        registry.register(Box::new(requests.clone()))?;
        Ok(Self(requests))
    }

    pub fn count(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        self.0.with_label_values(&[word(method), route, status.as_str()]).observe(took.as_secs_f64());
    }
}

/// Counts each request under its route template, so that the number of series is bounded.
pub async fn layer(State(requests): State<Arc<RequestMetrics>>, request: Request, next: Next) -> Response {
    let (started, method) = (Instant::now(), request.method().clone());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let route = route.as_ref().map_or(OTHER, MatchedPath::as_str);
    requests.count(&method, route, response.status(), started.elapsed());
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
