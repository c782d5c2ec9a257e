//! Timestamps as text: RFC 3339, or local time without an offset.

use core::fmt;

use super::civil::{Instant, LocalTime};
use super::clock_time::number;
use super::timezone::TimeZone;

/// Timestamp: an instant if it has an offset or `Z`, otherwise a local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Timestamp with an offset.
    Instant(Instant),
    /// Timestamp without an offset.
    Local(LocalTime),
}

impl Moment {
    /// Parses `2026-11-27T09:00:05`, optionally followed by `Z` or an offset. Seconds are optional and have up to three
    /// decimals. A space may replace the `T`.
    ///
    /// ```
    /// use wasm_core::schedule::{LocalTime, Moment};
    ///
    /// let local = LocalTime::new(2026, 11, 27, 9, 0, 5).unwrap();
    /// assert_eq!(Moment::parse("2026-11-27T09:00:05"), Some(Moment::Local(local)));
    /// assert_eq!(Moment::parse("2026-11-27T09:00:05-05:00"), Moment::parse("2026-11-27 14:00:05Z"));
    /// assert_eq!(Moment::parse("tomorrow"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (date, time) = text.split_once(['T', 't', ' '])?;
        let (time, offset) = split_offset(time)?;
        let local = local(date, time)?;
        Some(match offset {
            Some(seconds) => Self::Instant(local.as_utc().plus_seconds(i64::from(seconds).saturating_neg())),
            None => Self::Local(local),
        })
    }

    /// The local time in a time zone.
    #[must_use]
    pub fn local(self, zone: &TimeZone) -> LocalTime {
        match self {
            Self::Instant(instant) => zone.local(instant),
            Self::Local(local) => local,
        }
    }

    /// The instant in a time zone; see [`TimeZone::instant`] for local times that occur twice or never.
    #[must_use]
    pub fn instant(self, zone: &TimeZone) -> Instant {
        match self {
            Self::Instant(instant) => instant,
            Self::Local(local) => zone.instant(local),
        }
    }
}

fn local(date: &str, time: &str) -> Option<LocalTime> {
    let mut date = date.split('-').map(|part| (part.len(), number(part, 4)));
    let (Some((4, year)), Some((2, month)), Some((2, day)), None) =
        (date.next(), date.next(), date.next(), date.next())
    else {
        return None;
    };
    let (clock, decimals) = time.split_once('.').unwrap_or((time, "0"));
    let mut clock = clock.split(':').map(two_digits);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next().unwrap_or(Some(0))?);
    if clock.next().is_some() {
        return None;
    }
    let scale = [100, 10, 1].get(decimals.len().checked_sub(1)?)?;
    let ms = number(decimals, 3)?.saturating_mul(*scale);
    Some(LocalTime::new(i32::try_from(year?).ok()?, month?, day?, hour, minute, second)?.with_ms(ms))
}

fn two_digits(text: &str) -> Option<u32> {
    number(text, 2).filter(|_| text.len() == 2)
}

/// The time without its offset, and the offset in seconds.
fn split_offset(time: &str) -> Option<(&str, Option<i32>)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, Some(0)));
    }
    let Some(at) = time.find(['+', '-']) else { return Some((time, None)) };
    let (time, offset) = time.split_at_checked(at)?;
    let (sign, offset) = offset.split_at_checked(1)?;
    let (hours, minutes) = offset.split_once(':')?;
    let minutes = two_digits(hours)?.saturating_mul(60).saturating_add(two_digits(minutes).filter(|part| *part < 60)?);
    let seconds = i32::try_from(minutes).ok().filter(|minutes| *minutes < 24 * 60)?.saturating_mul(60);
    Some((time, Some(if sign == "-" { seconds.saturating_neg() } else { seconds })))
}

impl fmt::Display for LocalTime {
    /// `2026-11-27T09:00:05`, to the second.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), second) = (self.date(), self.second_of_day());
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(out, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

impl fmt::Display for Instant {
    /// `2026-11-27T14:00:05Z`, to the second.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}Z", LocalTime::in_utc(*self))
    }
}

/// Local time with its UTC offset: `2026-11-27T09:00:05-05:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetTime {
    local: LocalTime,
    offset: i32,
}

impl TimeZone {
    /// An instant as text with the offset of this time zone.
    ///
    /// ```
    /// use wasm_core::schedule::{Instant, TimeZone};
    ///
    /// let instant = Instant::from_unix_seconds(1_795_788_005);
    /// let format = |zone: &str| TimeZone::parse(zone).unwrap().format(instant).to_string();
    /// assert_eq!(format("America/New_York"), "2026-11-27T09:00:05-05:00");
    /// assert_eq!(format("UTC"), "2026-11-27T14:00:05+00:00");
    /// ```
    #[must_use]
    pub fn format(&self, instant: Instant) -> OffsetTime {
        OffsetTime { local: self.local(instant), offset: self.offset_at(instant) }
    }
}

impl fmt::Display for OffsetTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let seconds = self.offset.unsigned_abs();
        write!(out, "{}{sign}{:02}:{:02}", self.local, seconds / 3600, seconds / 60 % 60)?;
        match seconds % 60 {
            0 => Ok(()),
            seconds => write!(out, ":{seconds:02}"),
        }
    }
}
