//! Leaves a service alone that does not answer, so that not everybody waits for it to fail.

use std::sync::{Mutex, PoisonError};

use crate::infra::clock::SECOND;

const PAUSE_MS: i64 = 10 * SECOND;

#[derive(Debug)]
pub struct Breaker {
    /// So many failures in a row are no accident.
    enough: u32,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    failures: u32,
    paused_at: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    Ask,
    /// The service is taken for down until somebody who is let through finds otherwise.
    LeaveAlone,
}

/// What a success or a failure changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    None,
    Paused,
    Resumed,
}

impl Breaker {
    pub fn after(failures: u32) -> Self {
        Self { enough: failures, state: Mutex::default() }
    }

    /// In a pause one caller is let through every ten seconds, to see whether it is over.
    pub fn permit(&self, now_ms: i64) -> Permit {
        self.with(|state| {
            // A clock that was set back must not make a pause longer.
            let is_over = !(0..PAUSE_MS).contains(&now_ms.saturating_sub(state.paused_at));
            if state.failures < self.enough {
                return Permit::Ask;
            }
            if !is_over {
                return Permit::LeaveAlone;
            }
            state.paused_at = now_ms;
            Permit::Ask
        })
    }

    pub fn succeeded(&self) -> Change {
        let before = self.with(std::mem::take);
        if before.failures >= self.enough { Change::Resumed } else { Change::None }
    }

    pub fn failed(&self, now_ms: i64) -> Change {
        self.with(|state| {
            state.failures = state.failures.saturating_add(1);
            if state.failures >= self.enough {
                state.paused_at = now_ms;
            }
            if state.failures == self.enough { Change::Paused } else { Change::None }
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

    fn paused() -> Breaker {
        let breaker = Breaker::after(3);
        assert_eq!([(); 3].map(|()| breaker.failed(NOW)), [Change::None, Change::None, Change::Paused]);
        breaker
    }

    #[test]
    fn two_failures_are_forgiven_and_a_success_forgets_them() {
        let breaker = Breaker::after(3);
        for _ in 0..3 {
            breaker.failed(NOW);
            breaker.failed(NOW);
            assert_eq!(breaker.permit(NOW), Permit::Ask);
            assert_eq!(breaker.succeeded(), Change::None);
        }
    }

    #[test]
    fn in_a_pause_one_caller_every_ten_seconds_is_let_through() {
        let breaker = paused();
        let later = NOW + PAUSE_MS;
        let permits = [NOW, later - 1, later, later, later + PAUSE_MS - 1].map(|now_ms| breaker.permit(now_ms));
        assert_eq!(
            permits,
            [Permit::LeaveAlone, Permit::LeaveAlone, Permit::Ask, Permit::LeaveAlone, Permit::LeaveAlone]
        );
        assert_eq!(breaker.succeeded(), Change::Resumed);
        assert_eq!(breaker.permit(later), Permit::Ask);
    }

    // rule 60
    #[test]
    fn a_clock_that_is_set_back_ends_a_pause() {
        assert_eq!(paused().permit(NOW - 1), Permit::Ask);
    }
}
