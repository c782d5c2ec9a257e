//! How much is asked of a browser when very many come: the proof of work grows with the rate of sign-ups and log-ins.
//!
//! Counted in memory, by each process for itself: it is a price and not a limit, and a restart may forget it.

use std::sync::{Mutex, PoisonError};

use crate::infra::clock::MINUTE;

/// Proofs a minute at which nobody notices anything. A large shop has fewer log-ins.
const CALM: u64 = 120;
/// More would keep a slow telephone busy for longer than a few seconds.
const MOST: u64 = 4;

/// Proofs that were accepted in this minute and in the one before.
#[derive(Debug, Default)]
pub struct Rush(Mutex<Counts>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    minute: i64,
    now: u64,
    before: u64,
}

impl Counts {
    fn at(self, now_ms: i64) -> Self {
        let minute = now_ms / MINUTE;
        match minute - self.minute {
            0 => self,
            1 => Self { minute, now: 0, before: self.now },
            _ => Self { minute, now: 0, before: 0 },
        }
    }
}

impl Rush {
    pub fn count(&self, now_ms: i64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts = counts.at(now_ms);
        counts.now += 1;
    }

    /// How many times as much work as usual the next challenge is.
    pub fn factor(&self, now_ms: i64) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner).at(now_ms);
        (counts.now.max(counts.before) / CALM).clamp(1, MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_grows_with_the_rate_up_to_a_bound_and_is_usual_again_after_two_minutes() {
        let rush = Rush::default();
        let mut factors = Vec::new();
        for number in 0..1_000 {
            if number % CALM == 0 {
                factors.push(rush.factor(MINUTE));
            }
            rush.count(MINUTE);
        }
        assert_eq!(factors, [1, 1, 2, 3, 4, 4, 4, 4, 4]);
        assert_eq!(rush.factor(2 * MINUTE), 4);
        assert_eq!(rush.factor(3 * MINUTE), 1);
    }
}
