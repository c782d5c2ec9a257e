//! In-memory cache of buckets over their limit. During a flood, rejected requests neither read nor write the database.
//!
//! Another process may clear a bucket, so a cached rejection is trusted for one second. After that one request looks at
//! the database for all of them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of entries. Filling the cache takes a multiple of as many writes, because a bucket only rejects
/// after several counted usages.
const MAX_ENTRIES: usize = 100_000;
const TRUSTED: Duration = Duration::from_secs(1);
/// The minimum time between two sweeps for expired entries, once the cache is full.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

#[derive(Default)]
pub struct RejectionCache(Mutex<Rejections>);

#[derive(Default)]
struct Rejections {
    by_bucket: HashMap<String, Rejection>,
    swept_at: Option<Instant>,
}

struct Rejection {
    until_ms: i64,
    checked_at: Instant,
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cached {
    Miss,
    Rejected {
        wait_ms: i64,
    },
    /// The entry is more than a second old. Single flight: only one lookup gets this, the others still get `Rejected`.
    Stale,
}

impl RejectionCache {
    pub fn find(&self, bucket: &str, now_ms: i64) -> Cached {
        self.find_at(bucket, now_ms, Instant::now())
    }

    pub fn insert(&self, bucket: &str, now_ms: i64, until_ms: i64) {
        self.insert_at(bucket, now_ms, until_ms, Instant::now());
    }

    pub fn remove(&self, bucket: &str) {
        self.lock().by_bucket.remove(bucket);
    }

    fn find_at(&self, bucket: &str, now_ms: i64, at: Instant) -> Cached {
        let mut rejections = self.lock();
        let Some(rejection) = rejections.by_bucket.get_mut(bucket) else {
            return Cached::Miss;
        };
        if rejection.until_ms <= now_ms {
            rejections.by_bucket.remove(bucket);
            return Cached::Miss;
        }
        if at.duration_since(rejection.checked_at) >= TRUSTED {
            rejection.checked_at = at;
            return Cached::Stale;
        }
        Cached::Rejected { wait_ms: rejection.until_ms - now_ms }
    }

    fn insert_at(&self, bucket: &str, now_ms: i64, until_ms: i64, at: Instant) {
        let mut rejections = self.lock();
        if rejections.by_bucket.len() >= MAX_ENTRIES {
            rejections.sweep(now_ms, at);
        }
        if rejections.by_bucket.len() < MAX_ENTRIES || rejections.by_bucket.contains_key(bucket) {
            rejections.by_bucket.insert(bucket.to_owned(), Rejection { until_ms, checked_at: at });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Rejections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rejections {
    /// Removes expired entries, at most once per interval.
    fn sweep(&mut self, now_ms: i64, at: Instant) {
        if self.swept_at.is_none_or(|swept_at| at.duration_since(swept_at) >= SWEEP_INTERVAL) {
            self.by_bucket.retain(|_, rejection| rejection.until_ms > now_ms);
            self.swept_at = Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_trusted_for_a_second_and_then_one_use_looks_again() {
        let (cache, at) = (RejectionCache::default(), Instant::now());
        cache.insert_at("bucket", 0, 60_000, at);
        assert_eq!(cache.find_at("bucket", 500, at), Cached::Rejected { wait_ms: 59_500 });
        assert_eq!(cache.find_at("bucket", 1_000, at + TRUSTED), Cached::Stale);
        assert_eq!(cache.find_at("bucket", 1_000, at + TRUSTED), Cached::Rejected { wait_ms: 59_000 });
        assert_eq!(cache.find_at("another", 500, at), Cached::Miss);
    }

    #[test]
    fn a_refusal_ends_with_its_time_and_when_it_is_forgotten() {
        let (cache, at) = (RejectionCache::default(), Instant::now());
        cache.insert_at("bucket", 0, 60_000, at);
        assert_eq!(cache.find_at("bucket", 60_000, at), Cached::Miss);
        cache.insert_at("bucket", 0, 60_000, at);
        cache.remove("bucket");
        assert_eq!(cache.find_at("bucket", 1, at), Cached::Miss);
    }

    #[test]
    fn there_are_never_more_than_so_many_and_those_that_are_over_make_room() {
        let (cache, at) = (RejectionCache::default(), Instant::now());
        for number in 0..MAX_ENTRIES {
            cache.insert_at(&number.to_string(), 0, 10, at);
        }
        cache.insert_at("one more", 5, 100, at);
        assert_eq!(cache.find_at("one more", 5, at), Cached::Miss);
        let later = at + SWEEP_INTERVAL;
        cache.insert_at("one more", 10, 100, later);
        assert_eq!(cache.lock().by_bucket.len(), 1);
        assert_eq!(cache.find_at("one more", 10, later), Cached::Rejected { wait_ms: 90 });
    }
}
