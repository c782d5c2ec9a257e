//! Overload log: one log line per second about all requests that a limit rejected, however many there are, and their
//! number as a metric.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus::{IntCounterVec, Opts, Registry};

use crate::error::LimitExceeded;

pub const REPORT_EVERY: Duration = Duration::from_secs(1);
/// Different reasons in one line; further ones are counted as "other reasons".
const MOST_REASONS: usize = 32;
const LONGEST_REASON: usize = 200;
const OTHER: &str = "other reasons";

/// What a metric calls the many messages of a database.
const DATABASE: &str = "the database is unavailable";

pub struct OverloadLog {
    /// Since the last log line.
    counts: Mutex<BTreeMap<String, u64>>,
    rejected: IntCounterVec,
}

impl OverloadLog {
    /// # Errors
    /// If the registry already has the metric.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let about = Opts::new("shop_requests_rejected_total", "Requests rejected by limits.");
        let rejected = IntCounterVec::new(about, &["reason"])?;
        registry.register(Box::new(rejected.clone()))?;
        Ok(Self { counts: Mutex::default(), rejected })
    }

    pub fn count(&self, route: &str, exceeded: &LimitExceeded) {
        let LimitExceeded { code, cause, is_database } = exceeded;
        let code = format!("{code:?}");
        // Other causes are constants, so the number of series is bounded.
        let reason = if *is_database { DATABASE } else { cause.as_deref().unwrap_or(&code) };
        self.rejected.with_label_values(&[reason]).inc();
        match cause {
            Some(cause) => self.add(&format!("{route} {code}: {cause}")),
            None => self.add(&format!("{route} {code}")),
        }
    }

    fn add(&self, reason: &str) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(reason) {
            *count += 1;
            return;
        }
        let reason = if counts.len() < MOST_REASONS { reason } else { OTHER };
        *counts.entry(reason.to_owned()).or_default() += 1;
    }

    /// Logs the counts since the last report.
    pub fn report(&self) {
        if let Some((rejected, reasons)) = self.take() {
            tracing::warn!(rejected, reasons, "requests rejected by limits");
        }
    }

    /// Number of rejections, and their reasons.
    fn take(&self) -> Option<(u64, String)> {
        let counts = std::mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner));
        let reasons: Vec<String> = counts
            .iter()
            .map(|(reason, count)| format!("{count} x {}", reason.chars().take(LONGEST_REASON).collect::<String>()))
            .collect();
        (!reasons.is_empty()).then(|| (counts.values().sum(), reasons.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn refusals_are_told_together_and_once() {
        let log = OverloadLog::new(&Registry::new()).unwrap();
        let too_many = "too many writes wait";
        let exceeded =
            |code, cause: Option<&str>| LimitExceeded { code, cause: cause.map(str::to_owned), is_database: false };
        for _ in 0..3 {
            log.count("/cart", &exceeded(Code::Overloaded, Some(too_many)));
        }
        log.count("/login", &exceeded(Code::TooManyRequests, None));
        let told = "3 x /cart Overloaded: too many writes wait; 1 x /login TooManyRequests";
        assert_eq!(log.take(), Some((4, told.to_owned())));
        assert_eq!(log.take(), None);
        assert_eq!(log.rejected.with_label_values(&[too_many]).get(), 3);
        assert_eq!(log.rejected.with_label_values(&["TooManyRequests"]).get(), 1);
    }

    #[test]
    fn whatever_a_database_says_is_one_series() {
        let log = OverloadLog::new(&Registry::new()).unwrap();
        for number in 0..100 {
            let cause = Some(format!("connection {number} was lost"));
            log.count("/cart", &LimitExceeded { code: Code::Overloaded, cause, is_database: true });
        }
        assert_eq!(log.rejected.with_label_values(&[DATABASE]).get(), 100);
    }

    #[test]
    fn a_line_is_never_long_whatever_the_reasons_are() {
        let log = OverloadLog::new(&Registry::new()).unwrap();
        for number in 0..1_000 {
            log.add(&format!("{number} {}", "x".repeat(1_000)));
        }
        let (count, reasons) = log.take().unwrap();
        assert_eq!(count, 1_000);
        assert!(reasons.len() < 33 * 220, "{}", reasons.len());
    }
}
