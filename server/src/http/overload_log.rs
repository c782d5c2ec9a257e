//! Overload log: one log line per second about all requests that a limit rejected, however many there are.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub const REPORT_EVERY: Duration = Duration::from_secs(1);
/// Different reasons in one line; further ones are counted as "other reasons".
const MOST_REASONS: usize = 32;
const LONGEST_REASON: usize = 200;
const OTHER: &str = "other reasons";

#[derive(Default)]
pub struct OverloadLog(Mutex<BTreeMap<String, u64>>);

impl OverloadLog {
    pub fn count(&self, reason: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        let counts = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
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

    #[test]
    fn refusals_are_told_together_and_once() {
        let log = OverloadLog::default();
        for _ in 0..3 {
            log.count("too many writes wait");
        }
        log.count("TooManyRequests");
        assert_eq!(log.take(), Some((4, "1 x TooManyRequests; 3 x too many writes wait".to_owned())));
        assert_eq!(log.take(), None);
    }

    #[test]
    fn a_line_is_never_long_whatever_the_reasons_are() {
        let log = OverloadLog::default();
        for number in 0..1_000 {
            log.count(&format!("{number} {}", "x".repeat(1_000)));
        }
        let (count, reasons) = log.take().unwrap();
        assert_eq!(count, 1_000);
        assert!(reasons.len() < 33 * 220, "{}", reasons.len());
    }
}
