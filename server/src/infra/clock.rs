//! The shop's only clock. Times are whole milliseconds since 1970-01-01T00:00:00Z.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

pub const SECOND: i64 = 1_000;
pub const MINUTE: i64 = 60 * SECOND;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;
/// Allowed difference between the clocks of two machines: a token is accepted up to this long before its issue time.
pub const MAX_CLOCK_SKEW: i64 = 30 * SECOND;

/// System time plus an offset, which tests change.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_ms: Arc<AtomicI64>,
}

impl Clock {
    /// Milliseconds since the epoch, UTC.
    #[expect(clippy::disallowed_methods, reason = "the only caller")]
    pub fn now_ms(&self) -> i64 {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX) + self.offset_ms.load(Ordering::Relaxed)
    }

    /// Moves this clock and all its clones by `ms` (negative: back).
    pub fn advance(&self, ms: i64) {
        self.offset_ms.fetch_add(ms, Ordering::Relaxed);
    }
}

/// `2026-11-21T06:17:47.123Z`.
pub fn rfc3339(ms: i64) -> String {
    // Always three decimals, so that the strings sort by time.
    format!("{:.3}", timestamp(ms))
}

/// `20261121T061747123`, for file names that sort by time.
pub fn file_stamp(ms: i64) -> String {
    rfc3339(ms).chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The UTC day of a time, as `2026-11-21`. The days that people see are those of `time_zone`.
pub fn utc_day(ms: i64) -> String {
    timestamp(ms).to_zoned_datetime(TimeZone::UTC).date().to_string()
}

/// A day, in days since 1970-01-01, as `2026-11-21`.
pub fn day_text(day: i64) -> String {
    utc_day(day.saturating_mul(DAY))
}

/// A day written as `2026-11-21`, in days since 1970-01-01; `None` for anything else.
pub fn parse_day(day: &str) -> Option<i64> {
    start_of_day(day).map(|start| start.div_euclid(DAY))
}

/// Midnight (UTC) of a day written as `2026-11-21`; `None` for anything else.
pub fn start_of_day(day: &str) -> Option<i64> {
    let well_formed = day.len() == 10 && day.bytes().filter(u8::is_ascii_digit).count() == 8;
    if !well_formed {
        return None;
    }
    let date: Date = day.parse().ok()?;
    let start = date.to_zoned_datetime(TimeZone::UTC).ok()?;
    Some(start.timestamp().as_millisecond())
}

fn timestamp(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_starts_at_midnight_utc_and_nonsense_is_no_day() {
        assert_eq!(start_of_day("1970-01-02"), Some(DAY));
        for nonsense in ["1970-13-01", "1970-02-30", "70-01-01", "1970-01-01T00:00", "", "1970/01/01"] {
            assert_eq!(start_of_day(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn an_instant_is_written_in_rfc_3339() {
        assert_eq!(rfc3339(1_500), "1970-01-01T00:00:01.500Z");
        assert_eq!(utc_day(DAY - 1), "1970-01-01");
    }

    #[test]
    fn a_clone_travels_with_its_clock() {
        let clock = Clock::default();
        let clone = clock.clone();
        let before = clone.now_ms();
        clock.advance(HOUR);
        assert!(clone.now_ms() >= before + HOUR);
    }
}
