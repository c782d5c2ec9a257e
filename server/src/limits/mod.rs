//! How often somebody may try something. The counts live in the database: they survive a restart and hold
//! across processes.
//!
//! A use is counted before it is judged, so parallel tries cannot slip through together, and without regard
//! to whether the account it is about exists. A refusal writes nothing, and is remembered in `memory`, so that those
//! that follow do not come to the database at all.

pub mod address;
mod memory;
mod store;

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};
use sqlx::AnyConnection;

use crate::config::RateLimits;
use crate::db::Db;
use crate::http::error::{Code, Error};
use crate::infra::clock::{DAY, HOUR, MINUTE, SECOND};
use crate::shop::Shop;

use self::memory::Known;
pub use self::memory::Memory;

/// `allowed` uses in a window of `window_ms`, and what follows one too many.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    name: &'static str,
    allowed: i64,
    window_ms: i64,
    penalty: Penalty,
}

#[derive(Clone, Copy, Debug)]
enum Penalty {
    /// Nothing more until the window ends.
    WaitForWindow,
    /// From the last allowed use on, each use locks for twice as long as the one before. The lock ends in
    /// any case: a stranger must not be able to shut somebody out of their account for good.
    GrowingLock { first_ms: i64, longest_ms: i64 },
}

/// Tries of one client, or of one browser that is known, at one account: 156 a day at the most. Cleared by a right password.
pub const LOGIN_PER_CLIENT: Rule = Rule {
    name: "login-client",
    allowed: 10,
    window_ms: 2 * HOUR,
    penalty: Penalty::GrowingLock { first_ms: 30 * SECOND, longest_ms: HOUR },
};
/// Of all clients together, without those that are known. So far above what one client may that no few of them can
/// lock somebody out, and no more in a day than an account stood when it was counted alone.
pub const LOGIN_PER_ACCOUNT: Rule = Rule { name: "login-account", allowed: 900, window_ms: DAY, ..LOGIN_PER_CLIENT };
/// Cleared by a right password.
pub const PASSWORD_CHANGE_PER_ACCOUNT: Rule =
    Rule { name: "password-change", window_ms: 15 * MINUTE, ..LOGIN_PER_CLIENT };
pub const LOGIN_PER_ADDRESS: Rule = per_window("login-address", 30, MINUTE);
/// While the bot check's service is down.
pub const UNCHECKED_LOGIN: Rule = per_window("login-unchecked", 3, 15 * MINUTE);
pub const UNCHECKED_LOGIN_PER_ACCOUNT: Rule = per_window("login-unchecked-account", 30, 15 * MINUTE);
pub const SIGN_UP_PER_ADDRESS: Rule = per_window("signup-address", 20, HOUR);
/// Asking for a code, and entering one.
pub const CODE_PER_ADDRESS: Rule = per_window("code-address", 30, MINUTE);
/// Codes mailed to one address at the wish of one client.
pub const CODES_PER_HOUR: Rule = per_window("codes-hour", 3, HOUR);
pub const CODES_PER_DAY: Rule = per_window("codes-day", 6, DAY);
pub const CODES_PER_ACCOUNT: Rule = per_window("codes-account", 20, DAY);
/// Codes entered for one address: by one client for one code, by one client, and by all.
pub const TRIES_PER_CODE: Rule = per_window("tries-code", 5, HOUR);
pub const TRIES_PER_CLIENT: Rule = per_window("tries-client", 15, DAY);
pub const TRIES_PER_ACCOUNT: Rule = per_window("tries-account", 50, DAY);
/// Requests of all known browsers of one account, each of which has a password hashed: what strangers' limits do not
/// hold up is bounded all the same.
pub const KNOWN_BROWSERS: Rule = per_window("known-browsers", 30, MINUTE);
/// Also with the right password: each change hashes two passwords and sends an email.
pub const PASSWORD_CHANGES: Rule = per_window("password-changes", 10, 15 * MINUTE);
pub const REFRESH_PER_SESSION: Rule = per_window("refresh-session", 30, MINUTE);
/// Each quote reserves goods and asks the payment provider three times.
pub const QUOTES_PER_ADDRESS: Rule = per_window("quotes-address", 60, MINUTE);
pub const QUOTES_PER_MINUTE: Rule = per_window("quotes-minute", 30, MINUTE);
pub const QUOTES_PER_DAY: Rule = per_window("quotes-day", 300, DAY);

/// Codes entered by one client, for whatever accounts. A right one is taken back.
pub const WRONG_PER_CLIENT: Rule = per_window("wrong-client", 10, 10 * MINUTE);
/// Wrong codes over all accounts; what comes after is in `auth::brute_force`.
pub const WRONG_CODES: Rule = per_window("wrong-codes", 200, 10 * MINUTE);
/// Codes entered while there were too many wrong ones.
pub const WARY_PER_ADDRESS: Rule = per_window("wary-address", 3, 10 * MINUTE);
pub const WARY_IN_ALL: Rule = per_window("wary-all", 20, MINUTE);

const fn per_window(name: &'static str, allowed: i64, window_ms: i64) -> Rule {
    Rule { name, allowed, window_ms, penalty: Penalty::WaitForWindow }
}

impl Rule {
    /// For so many times as many people.
    #[must_use]
    pub fn times(self, many: i64) -> Self {
        Self { allowed: self.allowed * many, ..self }
    }
}

/// A rule and whom it is applied to: an e-mail key, an address, a session.
pub type Use<'a> = (Rule, &'a str);

/// Counts one use of each rule; when one of them refuses, none is counted and nothing is written.
///
/// # Errors
/// 429 with `Retry-After` when a rule refuses.
pub async fn take(shop: &Shop, uses: &[Use<'_>]) -> Result<(), Error> {
    if shop.config.rate_limits == RateLimits::Off {
        return Ok(());
    }
    let buckets: Vec<(Rule, String)> = uses.iter().map(|(rule, subject)| (*rule, bucket(*rule, subject))).collect();
    let now_ms = shop.clock.now_ms();
    for (rule, bucket) in &buckets {
        if let Some(wait_ms) = remembered_wait(shop, *rule, bucket, now_ms).await? {
            return Err(too_many(wait_ms));
        }
    }
    let counted = buckets.clone();
    let taken = shop
        .db
        .write_closure(move |tx| {
            let buckets = counted.clone();
            Box::pin(async move {
                // A refusal undoes the transaction.
                count(tx, &buckets, now_ms).await?.map_or(Ok(()), |wait_ms| Err(too_many(wait_ms)))
            })
        })
        .await;
    if taken.as_ref().is_err_and(|error| error.code() == Code::TooManyRequests) {
        for (rule, bucket) in &buckets {
            find_wait(shop, *rule, bucket, now_ms).await?;
        }
    }
    taken
}

/// The same for subjects that were put together.
///
/// # Errors
/// 429 with `Retry-After` when a rule refuses.
pub async fn take_each(shop: &Shop, uses: &[(Rule, String)]) -> Result<(), Error> {
    let uses: Vec<Use<'_>> = uses.iter().map(|(rule, subject)| (*rule, subject.as_str())).collect();
    take(shop, &uses).await
}

/// The same in a transaction of the caller's, which goes on: false when a rule refuses, and then none is counted.
pub async fn take_within(
    tx: &mut AnyConnection,
    limits: RateLimits,
    uses: &[(Rule, String)],
    now_ms: i64,
) -> Result<bool, Error> {
    if limits == RateLimits::Off {
        return Ok(true);
    }
    let buckets: Vec<(Rule, String)> = uses.iter().map(|(rule, subject)| (*rule, bucket(*rule, subject))).collect();
    Ok(count(tx, &buckets, now_ms).await?.is_none())
}

/// Counts one use in each bucket, or in none and gives how long the one that refuses has to be waited for.
async fn count(tx: &mut AnyConnection, buckets: &[(Rule, String)], now_ms: i64) -> Result<Option<i64>, sqlx::Error> {
    let mut counts = Vec::with_capacity(buckets.len());
    for (rule, bucket) in buckets {
        let before = store::load_for_update(tx, bucket, now_ms).await?;
        match before.take(*rule, now_ms) {
            (after, Verdict::Allowed) => counts.push((bucket, after, after.forgotten_at(*rule))),
            (_, Verdict::Refused { wait_ms }) => return Ok(Some(wait_ms)),
        }
    }
    for (bucket, count, expires_at) in counts {
        store::save(tx, bucket, count, expires_at).await?;
    }
    Ok(None)
}

/// Whether the rule would refuse now. Nothing is counted.
pub async fn is_used_up(shop: &Shop, (rule, subject): Use<'_>) -> Result<bool, Error> {
    if shop.config.rate_limits == RateLimits::Off {
        return Ok(false);
    }
    let (bucket, now_ms) = (bucket(rule, subject), shop.clock.now_ms());
    if let Known::Refused { .. } = shop.limits.find(&bucket, now_ms) {
        return Ok(true);
    }
    Ok(find_wait(shop, rule, &bucket, now_ms).await?.is_some())
}

/// How long a bucket that has refused lately goes on refusing. Of many uses in a second one asks the database.
async fn remembered_wait(shop: &Shop, rule: Rule, bucket: &str, now_ms: i64) -> Result<Option<i64>, Error> {
    match shop.limits.find(bucket, now_ms) {
        Known::Nothing => Ok(None),
        Known::Refused { wait_ms } => Ok(Some(wait_ms)),
        Known::Doubtful => find_wait(shop, rule, bucket, now_ms).await,
    }
}

/// How long the database has the bucket refuse, which is remembered.
async fn find_wait(shop: &Shop, rule: Rule, bucket: &str, now_ms: i64) -> Result<Option<i64>, Error> {
    let verdict = store::find(shop.db.read(), bucket).await?.map(|count| count.take(rule, now_ms).1);
    match verdict {
        Some(Verdict::Refused { wait_ms }) => {
            shop.limits.remember(bucket, now_ms, now_ms + wait_ms);
            Ok(Some(wait_ms))
        }
        Some(Verdict::Allowed) | None => {
            shop.limits.forget(bucket);
            Ok(None)
        }
    }
}

/// When the window that is being counted in began; none where nothing is counted.
pub async fn window_start(tx: &mut AnyConnection, (rule, subject): Use<'_>) -> Result<Option<i64>, Error> {
    Ok(store::find(tx, &bucket(rule, subject)).await?.map(|count| count.window_start))
}

/// Forgets what was counted, in the transaction of the success that pardons it. Once it is committed, [`forget`] has
/// this process forget as well; another one may go on refusing for a second.
pub async fn clear(tx: &mut AnyConnection, rule: Rule, subject: &str) -> Result<(), Error> {
    store::delete(tx, &bucket(rule, subject)).await?;
    Ok(())
}

pub async fn clear_each(tx: &mut AnyConnection, uses: &[(Rule, String)]) -> Result<(), Error> {
    for (rule, subject) in uses {
        clear(tx, *rule, subject).await?;
    }
    Ok(())
}

/// Takes one counted use back.
pub async fn give_back_each(tx: &mut AnyConnection, uses: &[(Rule, String)]) -> Result<(), Error> {
    for (rule, subject) in uses {
        store::give_back(tx, &bucket(*rule, subject)).await?;
    }
    Ok(())
}

/// Forgets in memory that these rules refused, after [`clear_each`].
pub fn forget_each(shop: &Shop, uses: &[(Rule, String)]) {
    for (rule, subject) in uses {
        forget(shop, (*rule, subject));
    }
}

/// Forgets in memory that the rule refused, after [`clear`].
pub fn forget(shop: &Shop, (rule, subject): Use<'_>) {
    shop.limits.forget(&bucket(rule, subject));
}

/// Deletes counts that no longer matter.
pub async fn sweep(db: &Db, now_ms: i64) -> Result<(), Error> {
    db.write_closure(move |tx| Box::pin(async move { Ok(store::delete_expired(tx, now_ms).await?) })).await
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

/// The subject is hashed: the key has one length, and the table names nobody.
fn bucket(rule: Rule, subject: &str) -> String {
    let mut bucket = format!("{}:", rule.name);
    for byte in Sha256::digest(subject.as_bytes()).iter().take(16) {
        let _ = write!(bucket, "{byte:02x}");
    }
    bucket
}

/// One bucket's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    used: i64,
    window_start: i64,
    locked_until: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Allowed,
    Refused { wait_ms: i64 },
}

/// Before every instant: a use that looked at the clock before the first one, and comes after it, finds no lock.
const NEVER_LOCKED: i64 = 0;

impl Count {
    fn starting(now_ms: i64) -> Self {
        Self { used: 0, window_start: now_ms, locked_until: NEVER_LOCKED }
    }

    /// The count after one more use, and whether that use may go ahead. A refused use is not counted.
    fn take(self, rule: Rule, now_ms: i64) -> (Self, Verdict) {
        if now_ms < self.locked_until {
            return (self, Verdict::Refused { wait_ms: self.locked_until - now_ms });
        }
        let mut count = self;
        if now_ms >= self.forgotten_at(rule) {
            count = Self::starting(now_ms);
        }
        match rule.penalty {
            Penalty::WaitForWindow if count.used >= rule.allowed => {
                let wait_ms = count.forgotten_at(rule) - now_ms;
                (count, Verdict::Refused { wait_ms })
            }
            Penalty::WaitForWindow => {
                count.used += 1;
                (count, Verdict::Allowed)
            }
            Penalty::GrowingLock { first_ms, longest_ms } => {
                count.used += 1;
                if count.used >= rule.allowed {
                    let doublings = u32::try_from(count.used - rule.allowed).unwrap_or(u32::MAX);
                    let lock_ms = 2_i64
                        .checked_pow(doublings)
                        .and_then(|factor| first_ms.checked_mul(factor))
                        .map_or(longest_ms, |lock| lock.min(longest_ms));
                    count.locked_until = now_ms + lock_ms;
                }
                (count, Verdict::Allowed)
            }
        }
    }

    /// From when on the count starts anew. Once locks have begun it takes a quiet window after the last of
    /// them; otherwise waiting out the window would reset their growth.
    fn forgotten_at(self, rule: Rule) -> i64 {
        self.window_start.max(self.locked_until) + rule.window_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long each of `uses` at the given instants has to wait; 0: allowed.
    fn waits(rule: Rule, instants: &[i64]) -> Vec<i64> {
        let mut count = Count::starting(instants.first().copied().unwrap_or_default());
        instants
            .iter()
            .map(|now_ms| {
                let (after, verdict) = count.take(rule, *now_ms);
                count = after;
                match verdict {
                    Verdict::Allowed => 0,
                    Verdict::Refused { wait_ms } => wait_ms,
                }
            })
            .collect()
    }

    #[test]
    fn a_window_allows_its_number_and_then_says_how_long_it_lasts() {
        let waits = waits(CODES_PER_HOUR, &[0, 1, 2, MINUTE, HOUR - 1, HOUR, HOUR + 1]);
        assert_eq!(waits, [0, 0, 0, HOUR - MINUTE, 1, 0, 0]);
    }

    #[test]
    fn a_use_that_looked_at_the_clock_before_the_first_one_is_allowed() {
        assert_eq!(waits(CODES_PER_HOUR, &[HOUR, HOUR - 1]), [0, 0]);
        assert_eq!(waits(LOGIN_PER_CLIENT, &[HOUR, HOUR - 1]), [0, 0]);
    }

    #[test]
    fn the_eleventh_try_waits_and_each_further_one_twice_as_long() {
        let ten = [0; 10];
        assert_eq!(waits(LOGIN_PER_CLIENT, &ten), [0; 10]);
        let then = |more: &[i64]| waits(LOGIN_PER_CLIENT, &[&ten[..], more].concat())[10..].to_vec();
        assert_eq!(then(&[0]), [30 * SECOND]);
        assert_eq!(then(&[30 * SECOND, 30 * SECOND]), [0, MINUTE]);
        assert_eq!(then(&[30 * SECOND, 90 * SECOND, 90 * SECOND]), [0, 0, 2 * MINUTE]);
    }

    // rule 24
    #[test]
    fn no_lock_is_longer_than_an_hour_and_patience_ends_every_lock() {
        let mut count = Count::starting(0);
        let mut now_ms = 0;
        for _ in 0..100 {
            let (after, verdict) = count.take(LOGIN_PER_CLIENT, now_ms);
            assert_eq!(verdict, Verdict::Allowed, "waited out, a lock is over");
            assert!(after.locked_until - now_ms <= HOUR);
            count = after;
            now_ms = now_ms.max(after.locked_until);
        }
        assert_eq!(count.locked_until + 2 * HOUR, count.forgotten_at(LOGIN_PER_CLIENT));
        let (after, _) = count.take(LOGIN_PER_CLIENT, count.forgotten_at(LOGIN_PER_CLIENT));
        assert_eq!(after.used, 1);
    }

    /// The most tries in a day: `burst` at once, then as soon as the next one is free, or once all is forgotten.
    fn most_in_a_day(rule: Rule) -> i64 {
        let tries = |burst: i64, forgets: bool| {
            let (mut count, mut now_ms, mut tried) = (Count::starting(0), 0, 0);
            while now_ms < DAY {
                let (after, verdict) = count.take(rule, now_ms);
                assert_eq!(verdict, Verdict::Allowed);
                (count, tried) = (after, tried + 1);
                now_ms = now_ms.max(count.locked_until);
                if forgets && count.used >= burst {
                    now_ms = count.forgotten_at(rule);
                }
            }
            tried
        };
        let patient = (1..=rule.allowed + 12).map(|burst| tries(burst, true)).max();
        patient.unwrap_or_default().max(tries(0, false))
    }

    // rule 24
    #[test]
    fn guessing_from_many_addresses_is_no_faster_than_it_was_and_no_few_of_them_lock_an_account() {
        let before = Rule { allowed: 10, window_ms: 15 * MINUTE, ..LOGIN_PER_CLIENT };
        let (client, all) = (most_in_a_day(LOGIN_PER_CLIENT), most_in_a_day(LOGIN_PER_ACCOUNT));
        assert_eq!((client, all), (156, 929), "SECURITY.md says so");
        assert!(all <= most_in_a_day(before), "{all} and {}", most_in_a_day(before));
        assert!(5 * client < LOGIN_PER_ACCOUNT.allowed);
    }

    #[test]
    fn waiting_out_the_window_between_locks_does_not_reset_their_growth() {
        let mut count = Count::starting(0);
        for _ in 0..12 {
            (count, _) = count.take(LOGIN_PER_CLIENT, count.locked_until);
        }
        let (after, _) = count.take(LOGIN_PER_CLIENT, count.locked_until + HOUR);
        assert_eq!(after.used, 13);
    }

    #[test]
    fn a_bucket_tells_rules_and_subjects_apart_and_hides_the_subject() {
        let key = bucket(LOGIN_PER_CLIENT, "ada@example.com");
        assert_ne!(key, bucket(LOGIN_PER_CLIENT, "bob@example.com"));
        assert_ne!(key, bucket(CODES_PER_DAY, "ada@example.com"));
        assert!(!key.contains("ada"));
    }
}
