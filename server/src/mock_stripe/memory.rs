//! What a process need not ask the database for at every call.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::keys::{self, MockStripeKeys};
use crate::db::Db;
use crate::http::error::Error;
use crate::infra::clock::Clock;

/// For so long nobody looks again whether another process was told to spoil calls.
const CALM: Duration = Duration::from_millis(250);

#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Remembered>);

#[derive(Debug, Default)]
struct Remembered {
    /// Made once, they never change.
    keys: OnceLock<MockStripeKeys>,
    calm: Mutex<Calm>,
}

#[derive(Debug, Default)]
struct Calm {
    until: Option<Instant>,
    /// How often this process was told something.
    told: u64,
}

impl Memory {
    pub(super) async fn keys(&self, db: &Db, clock: &Clock) -> Result<MockStripeKeys, Error> {
        if let Some(keys) = self.0.keys.get() {
            return Ok(keys.clone());
        }
        let keys = keys::keys(db, clock).await?;
        Ok(self.0.keys.get_or_init(|| keys).clone())
    }

    /// Whether no call was to be spoiled a moment ago.
    pub(super) fn is_calm(&self) -> bool {
        self.calm().until.is_some_and(|until| Instant::now() < until)
    }

    /// To be taken before the rules are looked up.
    pub(super) fn told(&self) -> u64 {
        self.calm().told
    }

    /// There were no rules, unless somebody told of one since.
    pub(super) fn calm_since(&self, told: u64) {
        let mut calm = self.calm();
        if calm.told == told {
            calm.until = Some(Instant::now() + CALM);
        }
    }

    /// There may be rules from now on.
    pub(super) fn upset(&self) {
        let mut calm = self.calm();
        calm.told += 1;
        calm.until = None;
    }

    fn calm(&self) -> std::sync::MutexGuard<'_, Calm> {
        self.0.calm.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_come_while_somebody_looks_for_them_are_not_overlooked() {
        let memory = Memory::default();
        let told = memory.told();
        memory.upset();
        memory.calm_since(told);
        assert!(!memory.is_calm());
        memory.calm_since(memory.told());
        assert!(memory.is_calm());
        memory.upset();
        assert!(!memory.is_calm());
    }
}
