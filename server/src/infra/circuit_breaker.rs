//! Circuit breaker around an external service: after several failures in a row requests fail fast, and one request every
//! ten seconds probes whether the service has recovered.

use std::sync::{Mutex, PoisonError};

use crate::infra::clock::SECOND;

const PROBE_EVERY_MS: i64 = 10 * SECOND;

#[derive(Debug)]
pub struct CircuitBreaker {
    /// Consecutive failures that open the circuit.
    threshold: u32,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    failures: u32,
    opened_at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Closed, or half-open: the request is sent.
    Send,
    /// Open: the request fails without being sent.
    FailFast,
}

/// Transition caused by a success or a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    None,
    Opened,
    Closed,
}

impl CircuitBreaker {
    pub fn after(failures: u32) -> Self {
        Self { threshold: failures, state: Mutex::default() }
    }

    /// Half-open: while the circuit is open, one request every ten seconds is sent as a probe.
    pub fn permit(&self, now_ms: i64) -> Permit {
        self.with(|state| {
            // A clock that is set back must not keep the circuit open for longer.
            let is_half_open = !(0..PROBE_EVERY_MS).contains(&now_ms.saturating_sub(state.opened_at));
            if state.failures < self.threshold {
                return Permit::Send;
            }
            if !is_half_open {
                return Permit::FailFast;
            }
            state.opened_at = now_ms;
            Permit::Send
        })
    }

    pub fn succeeded(&self) -> Change {
        let before = self.with(std::mem::take);
        if before.failures >= self.threshold { Change::Closed } else { Change::None }
    }

    pub fn failed(&self, now_ms: i64) -> Change {
        self.with(|state| {
            state.failures = state.failures.saturating_add(1);
            if state.failures >= self.threshold {
                state.opened_at = now_ms;
            }
            if state.failures == self.threshold { Change::Opened } else { Change::None }
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_700_000_000_000;

    fn open() -> CircuitBreaker {
        let breaker = CircuitBreaker::after(3);
        assert_eq!([(); 3].map(|()| breaker.failed(NOW)), [Change::None, Change::None, Change::Opened]);
        breaker
    }

    #[test]
    fn two_failures_are_forgiven_and_a_success_forgets_them() {
        let breaker = CircuitBreaker::after(3);
        for _ in 0..3 {
            breaker.failed(NOW);
            breaker.failed(NOW);
            assert_eq!(breaker.permit(NOW), Permit::Send);
            assert_eq!(breaker.succeeded(), Change::None);
        }
    }

    #[test]
    fn in_a_pause_one_caller_every_ten_seconds_is_let_through() {
        let breaker = open();
        let later = NOW + PROBE_EVERY_MS;
        let permits = [NOW, later - 1, later, later, later + PROBE_EVERY_MS - 1].map(|now_ms| breaker.permit(now_ms));
        assert_eq!(permits, [Permit::FailFast, Permit::FailFast, Permit::Send, Permit::FailFast, Permit::FailFast]);
        assert_eq!(breaker.succeeded(), Change::Closed);
        assert_eq!(breaker.permit(later), Permit::Send);
    }

    // invariant: clock-skew
    #[test]
    fn a_clock_that_is_set_back_ends_a_pause() {
        assert_eq!(open().permit(NOW - 1), Permit::Send);
    }
}
