//! Per-process cache of the keys and of the absence of injected faults.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use sqlx::Error;

use crate::db::Db;
use crate::keys::{self, Keys};

/// How long the absence of faults is cached; another process may inject faults meanwhile.
const CACHE_TIME: Duration = Duration::from_millis(250);

#[derive(Clone, Debug, Default)]
pub struct Cache(Arc<Cached>);

#[derive(Debug, Default)]
struct Cached {
    /// They never change.
    keys: OnceLock<Keys>,
    rules: Mutex<RuleCache>,
}

#[derive(Debug, Default)]
struct RuleCache {
    empty_until: Option<Instant>,
    /// Number of changes of the rules by this process.
    generation: u64,
}

impl Cache {
    pub async fn keys(&self, db: &Db) -> Result<Keys, Error> {
        if let Some(keys) = self.0.keys.get() {
            return Ok(keys.clone());
        }
        let keys = keys::load(db).await?;
        Ok(self.0.keys.get_or_init(|| keys).clone())
    }

    /// Whether there were no rules a moment ago.
    pub fn has_no_rules(&self) -> bool {
        self.rules().empty_until.is_some_and(|empty_until| Instant::now() < empty_until)
    }

    /// Must be read before the rules.
    pub fn generation(&self) -> u64 {
        self.rules().generation
    }

    /// Records that there were no rules, unless they have changed since `generation`.
    pub fn reset(&self, generation: u64) {
        let mut rules = self.rules();
        if rules.generation == generation {
            rules.empty_until = Some(Instant::now() + CACHE_TIME);
        }
    }

    /// Records that rules may have been added.
    pub fn inject(&self) {
        let mut rules = self.rules();
        rules.generation += 1;
        rules.empty_until = None;
    }

    fn rules(&self) -> std::sync::MutexGuard<'_, RuleCache> {
        self.0.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_come_while_somebody_looks_for_them_are_not_overlooked() {
        let cache = Cache::default();
        let generation = cache.generation();
        cache.inject();
        cache.reset(generation);
        assert!(!cache.has_no_rules());
        cache.reset(cache.generation());
        assert!(cache.has_no_rules());
        cache.inject();
        assert!(!cache.has_no_rules());
    }
}
