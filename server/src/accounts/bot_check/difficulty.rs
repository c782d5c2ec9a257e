//! Difficulty of the proof of work: it grows with the rate of accepted proofs.
//!
//! Each process counts in memory. The difficulty is a cost, not a limit, so a restart may reset it.

use std::sync::{Mutex, PoisonError};

use crate::infra::clock::MINUTE;

/// Proofs per minute below which the difficulty stays at its base. A large shop has fewer logins.
const BASELINE_PER_MINUTE: u64 = 120;
/// A higher factor would keep a slow phone busy for more than a few seconds.
const MAX_FACTOR: u64 = 4;

/// The accepted proofs of the current and the previous minute.
#[derive(Debug, Default)]
pub struct Difficulty(Mutex<Counts>);

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    minute: i64,
    current: u64,
    previous: u64,
}

impl Counts {
    fn at(self, now_ms: i64) -> Self {
        let minute = now_ms / MINUTE;
        match minute - self.minute {
            0 => self,
            1 => Self { minute, current: 0, previous: self.current },
            _ => Self { minute, current: 0, previous: 0 },
        }
    }
}

impl Difficulty {
    pub fn count(&self, now_ms: i64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts = counts.at(now_ms);
        counts.current += 1;
    }

    /// The work of the next challenge, as a multiple of the base difficulty.
    pub fn factor(&self, now_ms: i64) -> u64 {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner).at(now_ms);
        (counts.current.max(counts.previous) / BASELINE_PER_MINUTE).clamp(1, MAX_FACTOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_grows_with_the_rate_up_to_a_bound_and_is_usual_again_after_two_minutes() {
        let difficulty = Difficulty::default();
        let mut factors = Vec::new();
        for number in 0..1_000 {
            if number % BASELINE_PER_MINUTE == 0 {
                factors.push(difficulty.factor(MINUTE));
            }
            difficulty.count(MINUTE);
        }
        assert_eq!(factors, [1, 1, 2, 3, 4, 4, 4, 4, 4]);
        assert_eq!(difficulty.factor(2 * MINUTE), 4);
        assert_eq!(difficulty.factor(3 * MINUTE), 1);
    }
}
