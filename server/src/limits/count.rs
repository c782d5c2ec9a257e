//! The count of a bucket: its window, its locks, and the decision about one more usage.

use super::rules::{Penalty, Rule};

/// The stored count of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub used: i64,
    pub window_start: i64,
    pub locked_until: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Allowed,
    Rejected { wait_ms: i64 },
}

/// Before every instant, so that a usage with an earlier time than the first one is not locked.
pub(super) const NOT_LOCKED: i64 = 0;

impl Count {
    pub fn starting(now_ms: i64) -> Self {
        Self { used: 0, window_start: now_ms, locked_until: NOT_LOCKED }
    }

    /// The count after one more usage, and the decision. A rejected usage is not counted.
    pub fn attempt(self, rule: Rule, now_ms: i64) -> (Self, Decision) {
        if now_ms < self.locked_until {
            return (self, Decision::Rejected { wait_ms: self.locked_until - now_ms });
        }
        let mut count = if now_ms >= self.resets_at(rule) { Self::starting(now_ms) } else { self };
        match rule.penalty {
            Penalty::FixedWindow if count.used >= rule.allowed => {
                // Another request may have started the window with a later look at the clock.
                let wait_ms = (count.resets_at(rule) - now_ms).min(rule.window_ms);
                return (count, Decision::Rejected { wait_ms });
            }
            Penalty::FixedWindow => count.used += 1,
            Penalty::ExponentialLockout { first_ms, longest_ms } => {
                count.used += 1;
                if count.used >= rule.allowed {
                    count.locked_until = now_ms + lockout_ms(count.used - rule.allowed, first_ms, longest_ms);
                }
            }
        }
        (count, Decision::Allowed)
    }

    /// When the count starts over. After a lock this takes a full window without usages; otherwise waiting for the end of
    /// the window would reset the growth of the locks.
    pub fn resets_at(self, rule: Rule) -> i64 {
        self.window_start.max(self.locked_until) + rule.window_ms
    }
}

/// The duration of a lock: `first_ms`, doubled for each earlier lock, at most `longest_ms`.
fn lockout_ms(doublings: i64, first_ms: i64, longest_ms: i64) -> i64 {
    2_i64
        .checked_pow(u32::try_from(doublings).unwrap_or(u32::MAX))
        .and_then(|factor| first_ms.checked_mul(factor))
        .map_or(longest_ms, |lock_ms| lock_ms.min(longest_ms))
}

#[cfg(test)]
mod tests {
    use super::super::{
        ATTEMPTS_PER_ACCOUNT, ATTEMPTS_PER_CODE, CODES_PER_ACCOUNT, CODES_PER_HOUR, LOGIN_PER_ACCOUNT,
        LOGIN_PER_CLIENT, SECOND_FACTOR_PER_ACCOUNT,
    };
    use super::*;
    use crate::infra::clock::{DAY, HOUR, MINUTE, SECOND};

    /// The waiting time of each usage at these instants; 0 if it is allowed.
    fn waits(rule: Rule, instants: &[i64]) -> Vec<i64> {
        let mut count = Count::starting(instants.first().copied().unwrap_or_default());
        instants
            .iter()
            .map(|now_ms| {
                let (after, decision) = count.attempt(rule, *now_ms);
                count = after;
                match decision {
                    Decision::Allowed => 0,
                    Decision::Rejected { wait_ms } => wait_ms,
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
        assert_eq!(waits(CODES_PER_HOUR, &[HOUR, HOUR, HOUR, HOUR - 1]), [0, 0, 0, HOUR], "no wait exceeds the window");
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

    // invariant: brute-force
    #[test]
    fn no_lock_is_longer_than_an_hour_and_patience_ends_every_lock() {
        let mut count = Count::starting(0);
        let mut now_ms = 0;
        for _ in 0..100 {
            let (after, decision) = count.attempt(LOGIN_PER_CLIENT, now_ms);
            assert_eq!(decision, Decision::Allowed, "waited out, a lock is over");
            assert!(after.locked_until - now_ms <= HOUR);
            count = after;
            now_ms = now_ms.max(after.locked_until);
        }
        assert_eq!(count.locked_until + 2 * HOUR, count.resets_at(LOGIN_PER_CLIENT));
        let (after, _) = count.attempt(LOGIN_PER_CLIENT, count.resets_at(LOGIN_PER_CLIENT));
        assert_eq!(after.used, 1);
    }

    /// The maximum number of usages in a day: `burst` at once, then one whenever a lock ends, or after each reset.
    fn most_in_a_day(rule: Rule) -> i64 {
        let tries = |burst: i64, forgets: bool| {
            let (mut count, mut now_ms, mut tried) = (Count::starting(0), 0, 0);
            while now_ms < DAY {
                let (after, decision) = count.attempt(rule, now_ms);
                assert_eq!(decision, Decision::Allowed);
                (count, tried) = (after, tried + 1);
                now_ms = now_ms.max(count.locked_until);
                if forgets && count.used >= burst {
                    now_ms = count.resets_at(rule);
                }
            }
            tried
        };
        let patient = (1..=rule.allowed + 12).map(|burst| tries(burst, true)).max();
        patient.unwrap_or_default().max(tries(0, false))
    }

    // invariant: brute-force
    #[test]
    fn a_code_is_guessed_once_in_fifty_five_years_however_many_codes_are_requested() {
        // Sign-up, login, resend and reset have limits of their own, and share the attempts at one address. A change of the
        // address counts its attempts apart, by account and by new address, fifty a day each.
        let codes_a_day = 4 * CODES_PER_ACCOUNT.allowed;
        assert!(codes_a_day * ATTEMPTS_PER_CODE.allowed > ATTEMPTS_PER_ACCOUNT.allowed);
        let days = 1_000_000 / ATTEMPTS_PER_ACCOUNT.allowed;
        assert_eq!((ATTEMPTS_PER_ACCOUNT.window_ms, (days + 182) / 365), (DAY, 55), "SECURITY.md says so");
    }

    // invariant: brute-force
    #[test]
    fn guessing_from_many_addresses_is_no_faster_than_it_was_and_no_few_of_them_lock_an_account() {
        let before = Rule { allowed: 10, window_ms: 15 * MINUTE, ..LOGIN_PER_CLIENT };
        let (client, all) = (most_in_a_day(LOGIN_PER_CLIENT), most_in_a_day(LOGIN_PER_ACCOUNT));
        assert_eq!((client, all), (156, 929), "SECURITY.md says so");
        assert_eq!(most_in_a_day(SECOND_FACTOR_PER_ACCOUNT), client, "SECURITY.md says so");
        assert!(all <= most_in_a_day(before), "{all} and {}", most_in_a_day(before));
        assert!(5 * client < LOGIN_PER_ACCOUNT.allowed);
    }

    #[test]
    fn waiting_out_the_window_between_locks_does_not_reset_their_growth() {
        let mut count = Count::starting(0);
        for _ in 0..12 {
            (count, _) = count.attempt(LOGIN_PER_CLIENT, count.locked_until);
        }
        let (after, _) = count.attempt(LOGIN_PER_CLIENT, count.locked_until + HOUR);
        assert_eq!(after.used, 13);
    }
}
