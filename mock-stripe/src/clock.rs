//! Time in milliseconds since 1970-01-01T00:00:00Z. The clock is the caller's.

use std::sync::Arc;

pub const SECOND: i64 = 1_000;
pub const HOUR: i64 = 3_600 * SECOND;
pub const DAY: i64 = 24 * HOUR;

#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> i64 + Send + Sync>);

impl Clock {
    /// `now_ms` returns the current time.
    pub fn new(now_ms: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(now_ms))
    }

    pub fn now_ms(&self) -> i64 {
        (self.0)()
    }
}
