//! Requests that were refused because there was too much of something: the log has one line a second about all of them,
//! however many there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::shop::Shop;

const REPORT_EVERY: Duration = Duration::from_secs(1);
/// Of different reasons in one line; what comes on top is counted without its reason.
const MOST_REASONS: usize = 32;
const LONGEST_REASON: usize = 200;
const OTHER: &str = "other reasons";

/// What an answer carries on its way out when it refuses for this kind of reason.
#[derive(Clone, Debug)]
pub struct TooMuch(pub String);

#[derive(Default)]
pub struct Refused(Mutex<BTreeMap<String, u64>>);

impl Refused {
    pub fn count(&self, reason: &str) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(reason) {
            *count += 1;
            return;
        }
        let reason = if counts.len() < MOST_REASONS { reason } else { OTHER };
        *counts.entry(reason.to_owned()).or_default() += 1;
    }

    /// Tells of what was counted since the last time.
    pub fn report(&self) {
        if let Some((refused, reasons)) = self.take() {
            tracing::warn!(refused, reasons, "requests were refused because there was too much at once");
        }
    }

    /// How many there were, and of what.
    fn take(&self) -> Option<(u64, String)> {
        let counts = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let reasons: Vec<String> = counts
            .iter()
            .map(|(reason, count)| format!("{count} x {}", reason.chars().take(LONGEST_REASON).collect::<String>()))
            .collect();
        (!reasons.is_empty()).then(|| (counts.values().sum(), reasons.join("; ")))
    }
}

/// Reports once a second until the shop stops.
pub async fn run(shop: Arc<Shop>) {
    let mut tick = tokio::time::interval(REPORT_EVERY);
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            _ = tick.tick() => shop.refused.report(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_together_and_once() {
        let refused = Refused::default();
        for _ in 0..3 {
            refused.count("too many writes wait");
        }
        refused.count("TooManyRequests");
        assert_eq!(refused.take(), Some((4, "1 x TooManyRequests; 3 x too many writes wait".to_owned())));
        assert_eq!(refused.take(), None);
    }

    #[test]
    fn a_line_is_never_long_whatever_the_reasons_are() {
        let refused = Refused::default();
        for number in 0..1_000 {
            refused.count(&format!("{number} {}", "x".repeat(1_000)));
        }
        let (count, reasons) = refused.take().unwrap();
        assert_eq!(count, 1_000);
        assert!(reasons.len() < 33 * 220, "{}", reasons.len());
    }
}
