//! Buckets that have refused, kept in memory until their time is over: a flood of refused uses neither writes to the
//! database nor reads from it.
//!
//! Another process may lift a lock meanwhile, so a refusal is trusted for one second, and then one use looks at the
//! database for all of them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bucket refuses only after several uses that were written: to fill this takes a multiple of as many writes.
const MOST: usize = 100_000;
const TRUSTED: Duration = Duration::from_secs(1);
/// How often all are looked through for those whose time is over, once there are too many.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

#[derive(Default)]
pub struct Memory(Mutex<Refusals>);

#[derive(Default)]
struct Refusals {
    by_bucket: HashMap<String, Refusal>,
    swept_at: Option<Instant>,
}

struct Refusal {
    until_ms: i64,
    looked_at: Instant,
}

/// What is known of a bucket without asking the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Nothing,
    Refused {
        wait_ms: i64,
    },
    /// It refused more than a second ago. Only the first who hears this hears it; the others are refused meanwhile.
    Doubtful,
}

impl Memory {
    pub fn find(&self, bucket: &str, now_ms: i64) -> Known {
        self.find_at(bucket, now_ms, Instant::now())
    }

    pub fn remember(&self, bucket: &str, now_ms: i64, until_ms: i64) {
        self.remember_at(bucket, now_ms, until_ms, Instant::now());
    }

    pub fn forget(&self, bucket: &str) {
        self.lock().by_bucket.remove(bucket);
    }

    fn find_at(&self, bucket: &str, now_ms: i64, at: Instant) -> Known {
        let mut refusals = self.lock();
        let Some(refusal) = refusals.by_bucket.get_mut(bucket) else {
            return Known::Nothing;
        };
        if refusal.until_ms <= now_ms {
            refusals.by_bucket.remove(bucket);
            return Known::Nothing;
        }
        if at.duration_since(refusal.looked_at) >= TRUSTED {
            refusal.looked_at = at;
            return Known::Doubtful;
        }
        Known::Refused { wait_ms: refusal.until_ms - now_ms }
    }

    fn remember_at(&self, bucket: &str, now_ms: i64, until_ms: i64, at: Instant) {
        let mut refusals = self.lock();
        if refusals.by_bucket.len() >= MOST {
            let swept_lately = refusals.swept_at.is_some_and(|swept| at.duration_since(swept) < SWEEP_EVERY);
            if !swept_lately {
                refusals.by_bucket.retain(|_, refusal| refusal.until_ms > now_ms);
                refusals.swept_at = Some(at);
            }
        }
        if refusals.by_bucket.len() < MOST || refusals.by_bucket.contains_key(bucket) {
            refusals.by_bucket.insert(bucket.to_owned(), Refusal { until_ms, looked_at: at });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Refusals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_trusted_for_a_second_and_then_one_use_looks_again() {
        let (memory, at) = (Memory::default(), Instant::now());
        memory.remember_at("bucket", 0, 60_000, at);
        assert_eq!(memory.find_at("bucket", 500, at), Known::Refused { wait_ms: 59_500 });
        assert_eq!(memory.find_at("bucket", 1_000, at + TRUSTED), Known::Doubtful);
        assert_eq!(memory.find_at("bucket", 1_000, at + TRUSTED), Known::Refused { wait_ms: 59_000 });
        assert_eq!(memory.find_at("another", 500, at), Known::Nothing);
    }

    #[test]
    fn a_refusal_ends_with_its_time_and_when_it_is_forgotten() {
        let (memory, at) = (Memory::default(), Instant::now());
        memory.remember_at("bucket", 0, 60_000, at);
        assert_eq!(memory.find_at("bucket", 60_000, at), Known::Nothing);
        memory.remember_at("bucket", 0, 60_000, at);
        memory.forget("bucket");
        assert_eq!(memory.find_at("bucket", 1, at), Known::Nothing);
    }

    #[test]
    fn there_are_never_more_than_so_many_and_those_that_are_over_make_room() {
        let (memory, at) = (Memory::default(), Instant::now());
        for number in 0..MOST {
            memory.remember_at(&number.to_string(), 0, 10, at);
        }
        memory.remember_at("one more", 5, 100, at);
        assert_eq!(memory.find_at("one more", 5, at), Known::Nothing);
        let later = at + SWEEP_EVERY;
        memory.remember_at("one more", 10, 100, later);
        assert_eq!(memory.lock().by_bucket.len(), 1);
        assert_eq!(memory.find_at("one more", 10, later), Known::Refused { wait_ms: 90 });
    }
}
