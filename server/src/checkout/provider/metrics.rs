//! Metrics of requests to the payment provider.

use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{HistogramOpts, HistogramVec, IntGauge, Registry};

/// Histogram buckets in seconds, up to the longest time that the requests of one client request may take.
const SECONDS: [f64; 8] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

pub struct ProviderMetrics {
    requests: HistogramVec,
    circuit_open: IntGauge,
}

impl ProviderMetrics {
    /// # Errors
    /// If a name is invalid.
    pub fn new() -> prometheus::Result<Self> {
        let requests = "Time of a request to the payment provider, with its retries.";
        let requests = HistogramOpts::new("shop_provider_request_duration_seconds", requests).buckets(SECONDS.to_vec());
        let circuit = "1 while requests to the payment provider fail at once, because it did not respond.";
        Ok(Self {
            requests: HistogramVec::new(requests, &["call", "outcome"])?,
            circuit_open: IntGauge::new("shop_provider_circuit_open", circuit)?,
        })
    }

    /// # Errors
    /// If the registry already has a metric.
    pub fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        let collectors: [Box<dyn Collector>; 2] =
            [Box::new(self.requests.clone()), Box::new(self.circuit_open.clone())];
        collectors.into_iter().try_for_each(|collector| registry.register(collector))
    }

    /// `call` is the method and the path, of which only the first part is kept: the others are ids.
    pub fn count(&self, call: &str, outcome: &'static str, took: Duration) {
        let (method, path) = call.split_once(" /v1/").unwrap_or((call, ""));
        let call = format!("{method} {}", path.split(['/', '?']).next().unwrap_or_default());
        self.requests.with_label_values(&[call.as_str(), outcome]).observe(took.as_secs_f64());
    }

    pub fn is_circuit_open(&self) -> bool {
        self.circuit_open.get() == 1
    }

    pub fn set_circuit_open(&self, is_open: bool) {
        self.circuit_open.set(i64::from(is_open));
    }
}
