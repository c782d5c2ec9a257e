//! Rate limits for sign-up, login, codes and quotes. The counts are in the database, so they survive a restart and apply
//! across processes.
//!
//! A usage is counted before the action, so that concurrent attempts cannot exceed a limit, and whether or not the account
//! exists. A rejection writes nothing: [`RejectionCache`] rejects the requests that follow it.

mod alert;
mod client_usages;
mod count;
mod rejection_cache;
mod rules;
mod store;

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use crate::config::{Config, RateLimits};
use crate::db::Db;
use crate::error::{Code, Error};
use crate::infra::clock::Clock;
use crate::platform::Platform;

pub use self::alert::LimitAlert;
use self::count::Decision;
use self::rejection_cache::Cached;
use self::rejection_cache::RejectionCache;
pub use self::rules::*;

/// What the limits are counted with.
pub struct Limits {
    config: Arc<Config>,
    db: Db,
    clock: Clock,
    /// Limits that were exceeded recently.
    rejections: RejectionCache,
}

impl Limits {
    pub fn new(platform: &Platform) -> Self {
        let Platform { config, db, clock, .. } = platform.clone();
        Self { config, db, clock, rejections: RejectionCache::default() }
    }
}

/// A rule and the subject that it counts: an email key, an address or a session.
pub type Usage<'a> = (Rule, &'a str);

/// Counts one usage of each rule. When one rule rejects, none is counted and nothing is written.
///
/// # Errors
/// 429 with `Retry-After` when a rule rejects.
pub async fn check(limits: &Limits, usages: &[Usage<'_>]) -> Result<(), Error> {
    if limits.config.rate_limits == RateLimits::Off {
        return Ok(());
    }
    let buckets: Vec<(Rule, String)> = usages.iter().map(|(rule, subject)| (*rule, bucket(*rule, subject))).collect();
    let now_ms = limits.clock.now_ms();
    for (rule, bucket) in &buckets {
        if let Some(wait_ms) = cached_wait(limits, *rule, bucket, now_ms).await? {
            return Err(too_many(wait_ms));
        }
    }
    let args = (buckets.clone(), now_ms);
    let checked = limits.db.write(args, |tx, (buckets, now_ms)| Box::pin(count_or_reject(tx, buckets, *now_ms))).await;
    if checked.as_ref().is_err_and(|error| error.code() == Code::TooManyRequests) {
        for (rule, bucket) in &buckets {
            load_wait(limits, *rule, bucket, now_ms).await?;
        }
    }
    checked
}

/// [`check`] for owned subjects.
///
/// # Errors
/// 429 with `Retry-After` when a rule rejects.
pub async fn check_each(limits: &Limits, usages: &[(Rule, String)]) -> Result<(), Error> {
    let usages: Vec<Usage<'_>> = usages.iter().map(|(rule, subject)| (*rule, subject.as_str())).collect();
    check(limits, &usages).await
}

/// [`check`] in a transaction of the caller, which continues: false when a rule rejects, and then none is counted.
pub async fn check_within(
    tx: &mut AnyConnection,
    limits: RateLimits,
    usages: &[(Rule, String)],
    now_ms: i64,
) -> Result<bool, Error> {
    if limits == RateLimits::Off {
        return Ok(true);
    }
    let buckets: Vec<(Rule, String)> = usages.iter().map(|(rule, subject)| (*rule, bucket(*rule, subject))).collect();
    Ok(count(tx, &buckets, now_ms).await?.is_none())
}

/// The error rolls back the transaction.
async fn count_or_reject(tx: &mut AnyConnection, buckets: &[(Rule, String)], now_ms: i64) -> Result<(), Error> {
    count(tx, buckets, now_ms).await?.map_or(Ok(()), |wait_ms| Err(too_many(wait_ms)))
}

/// Counts one usage in each bucket. When one bucket rejects, counts none and returns the time to wait.
async fn count(tx: &mut AnyConnection, buckets: &[(Rule, String)], now_ms: i64) -> Result<Option<i64>, sqlx::Error> {
    let mut counts = Vec::with_capacity(buckets.len());
    for (rule, bucket) in buckets {
        let before = store::load_for_update(tx, bucket, now_ms).await?;
        match before.attempt(*rule, now_ms) {
            (after, Decision::Allowed) => counts.push((bucket, after, after.resets_at(*rule))),
            (_, Decision::Rejected { wait_ms }) => return Ok(Some(wait_ms)),
        }
    }
    for (bucket, count, expires_at) in counts {
        store::save(tx, bucket, count, expires_at).await?;
    }
    Ok(None)
}

/// Whether the rule would reject now. Counts nothing.
pub async fn is_exceeded(limits: &Limits, (rule, subject): Usage<'_>) -> Result<bool, Error> {
    if limits.config.rate_limits == RateLimits::Off {
        return Ok(false);
    }
    let (bucket, now_ms) = (bucket(rule, subject), limits.clock.now_ms());
    if let Cached::Rejected { .. } = limits.rejections.find(&bucket, now_ms) {
        return Ok(true);
    }
    Ok(load_wait(limits, rule, &bucket, now_ms).await?.is_some())
}

/// The time to wait according to the cache, which one request per second refreshes from the database.
async fn cached_wait(limits: &Limits, rule: Rule, bucket: &str, now_ms: i64) -> Result<Option<i64>, Error> {
    match limits.rejections.find(bucket, now_ms) {
        Cached::Miss => Ok(None),
        Cached::Rejected { wait_ms } => Ok(Some(wait_ms)),
        Cached::Stale => load_wait(limits, rule, bucket, now_ms).await,
    }
}

/// The time to wait according to the database. Updates the cache.
async fn load_wait(limits: &Limits, rule: Rule, bucket: &str, now_ms: i64) -> Result<Option<i64>, Error> {
    let decision = store::find(limits.db.read(), bucket).await?.map(|count| count.attempt(rule, now_ms).1);
    match decision {
        Some(Decision::Rejected { wait_ms }) => {
            limits.rejections.insert(bucket, now_ms, now_ms + wait_ms);
            Ok(Some(wait_ms))
        }
        Some(Decision::Allowed) | None => {
            limits.rejections.remove(bucket);
            Ok(None)
        }
    }
}

/// When the current window began, or `None` when nothing is counted.
async fn window_start(tx: &mut AnyConnection, (rule, subject): Usage<'_>) -> Result<Option<i64>, Error> {
    Ok(store::find(tx, &bucket(rule, subject)).await?.map(|count| count.window_start))
}

/// Clears a count after a success, in its transaction. After the commit the caller clears the cache with
/// [`forget_cached`]; other processes may reject for another second.
pub async fn clear(tx: &mut AnyConnection, rule: Rule, subject: &str) -> Result<(), Error> {
    store::delete(tx, &bucket(rule, subject)).await?;
    Ok(())
}

pub async fn clear_each(tx: &mut AnyConnection, usages: &[(Rule, String)]) -> Result<(), Error> {
    for (rule, subject) in usages {
        clear(tx, *rule, subject).await?;
    }
    Ok(())
}

/// Reverts one counted usage of each rule.
pub async fn uncount_each(tx: &mut AnyConnection, usages: &[(Rule, String)]) -> Result<(), Error> {
    for (rule, subject) in usages {
        store::uncount(tx, &bucket(*rule, subject)).await?;
    }
    Ok(())
}

/// Removes cached rejections, after [`clear_each`].
pub fn forget_cached_each(limits: &Limits, usages: &[(Rule, String)]) {
    for (rule, subject) in usages {
        forget_cached(limits, (*rule, subject));
    }
}

/// Removes a cached rejection, after [`clear`].
pub fn forget_cached(limits: &Limits, (rule, subject): Usage<'_>) {
    limits.rejections.remove(&bucket(rule, subject));
}

/// Deletes expired counts.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write(now_ms, |tx, now_ms| Box::pin(delete_expired(tx, *now_ms))).await
}

async fn delete_expired(tx: &mut AnyConnection, now_ms: i64) -> Result<(), Error> {
    Ok(store::delete_expired(tx, now_ms).await?)
}

fn too_many(wait_ms: i64) -> Error {
    let seconds = u64::try_from(wait_ms).unwrap_or_default().div_ceil(1_000).max(1);
    let wait = match seconds {
        1 => "1 second".to_owned(),
        2..=90 => format!("{seconds} seconds"),
        longer => format!("{} minutes", longer.div_ceil(60)),
    };
    Error::new(Code::TooManyRequests, format!("Too many attempts. Please try again in {wait}.")).retry_after(seconds)
}

/// The database key of a count. It contains a hash of the subject, so the table holds no personal data.
fn bucket(rule: Rule, subject: &str) -> String {
    let hash = Sha256::digest(subject.as_bytes());
    format!("{}:{}", rule.name, hex::encode(&hash[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_tells_rules_and_subjects_apart_and_hides_the_subject() {
        let key = bucket(LOGIN_PER_CLIENT, "ada@example.com");
        assert_ne!(key, bucket(LOGIN_PER_CLIENT, "bob@example.com"));
        assert_ne!(key, bucket(CODES_PER_DAY, "ada@example.com"));
        assert!(!key.contains("ada"));
    }
}
