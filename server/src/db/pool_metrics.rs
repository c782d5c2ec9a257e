//! Metrics of the connection pools.

use prometheus::{Histogram, HistogramOpts};

/// The connections of a pool.
pub struct Connections {
    pub pool: &'static str,
    pub open: u32,
    pub idle: usize,
    pub most: u32,
}

/// Histogram of the time that a write waits for a connection.
pub fn write_wait() -> prometheus::Result<Histogram> {
    let about = "Time that a write waits for a database connection.";
    let seconds = vec![0.001, 0.01, 0.1, 0.5, 1.0, 5.0];
    Histogram::with_opts(HistogramOpts::new("shop_database_write_wait_seconds", about).buckets(seconds))
}
