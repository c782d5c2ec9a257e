//! Exponential backoff with jitter.

use crate::infra::clock::SECOND;
use crate::infra::random;

/// The delay after the given failed attempt, counted from 1, in milliseconds. It starts at one to two seconds and
/// doubles up to `max_ms`; jitter draws it from the upper half, so that processes do not retry in step.
pub fn delay_ms(attempt: i64, max_ms: i64) -> i64 {
    let doublings = u32::try_from(attempt.clamp(1, 13) - 1).unwrap_or(0);
    let full = ((2 * SECOND) << doublings).min(max_ms);
    let half = full / 2;
    half + i64::try_from(random::below(half.unsigned_abs() + 1)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::clock::{HOUR, MINUTE};

    #[test]
    fn each_wait_is_longer_than_a_second_and_never_longer_than_it_may_be() {
        for attempt in 1..100 {
            for longest in [MINUTE, HOUR] {
                let drawn = delay_ms(attempt, longest);
                assert!((SECOND..=longest).contains(&drawn), "{attempt}: {drawn}");
            }
        }
        assert!(delay_ms(1, HOUR) <= 2 * SECOND);
        assert!(delay_ms(20, HOUR) >= HOUR / 2);
    }
}
