//! Calendar dates, local times and instants.

/// Seconds in a day.
pub(super) const DAY: u32 = 86_400;
const DAY_MS: i64 = 86_400_000;

/// 0001-01-01 and 9999-12-31 as days since 1970-01-01. Dates outside are clamped.
const FIRST_DAY: i32 = -719_162;
const LAST_DAY: i32 = 2_932_896;

/// Instant: milliseconds since 1970-01-01T00:00:00Z, without leap seconds. Instants outside the years 1 to 9999 are
/// clamped, so that arithmetic never overflows.
///
/// ```
/// use wasm_core::schedule::Instant;
///
/// let instant = Instant::from_unix_seconds(1_795_788_005);
/// assert_eq!(instant.to_string(), "2026-11-27T14:00:05Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(i64);

impl Instant {
    const MIN: i64 = FIRST_DAY as i64 * DAY_MS;
    const MAX: i64 = LAST_DAY as i64 * DAY_MS + (DAY_MS - 1);

    /// The instant at a number of milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_unix_ms(ms: i64) -> Self {
        match ms {
            ..Self::MIN => Self(Self::MIN),
            Self::MIN..=Self::MAX => Self(ms),
            _ => Self(Self::MAX),
        }
    }

    /// The instant at a number of seconds since 1970-01-01T00:00:00Z (Unix time).
    #[must_use]
    pub const fn from_unix_seconds(seconds: i64) -> Self {
        Self::from_unix_ms(seconds.saturating_mul(1000))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn unix_ms(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The instant `seconds` later; earlier for a negative number.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self::from_unix_ms(self.0.saturating_add(seconds.saturating_mul(1000)))
    }
}

/// Local date and time without a time zone. Around clock changes a local time can occur twice or never.
///
/// ```
/// use wasm_core::schedule::LocalTime;
///
/// let time = LocalTime::new(2026, 11, 27, 9, 0, 5).unwrap();
/// assert_eq!(time.to_string(), "2026-11-27T09:00:05");
/// assert_eq!(time.weekday(), 4, "a Friday, counted from Monday");
/// assert_eq!(LocalTime::new(2026, 2, 29, 0, 0, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalTime {
    /// Days since 1970-01-01.
    day: i32,
    /// Milliseconds since midnight.
    ms: u32,
}

impl LocalTime {
    /// The local time, or `None` for an invalid date or time. Years are 1 to 9999; months and days count from 1.
    #[must_use]
    pub fn new(year: i32, month: u32, day: u32, hour: u32, minute: u32, second: u32) -> Option<Self> {
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = hour.saturating_mul(3600).saturating_add(minute.saturating_mul(60)).saturating_add(second);
        Some(Self { day: day_number(year, month, day)?, ms: seconds.saturating_mul(1000) })
    }

    /// The time `seconds` after midnight of a day, which counts from 1970-01-01.
    pub(super) fn after_midnight(day: i32, seconds: u32) -> Self {
        let days = i32::try_from(seconds / DAY).unwrap_or_default();
        let day = day.saturating_add(days).clamp(FIRST_DAY, LAST_DAY);
        Self { day, ms: (seconds % DAY).saturating_mul(1000) }
    }

    /// Midnight of the day that is this many days later.
    ///
    /// ```
    /// use wasm_core::schedule::LocalTime;
    ///
    /// let eve = LocalTime::new(2026, 12, 31, 18, 0, 0).unwrap();
    /// assert_eq!(Some(eve.days_later(1)), LocalTime::new(2027, 1, 1, 0, 0, 0));
    /// ```
    #[must_use]
    pub fn days_later(self, days: i32) -> Self {
        Self::after_midnight(self.day.saturating_add(days), 0)
    }

    /// The UTC time of an instant.
    pub(super) fn in_utc(instant: Instant) -> Self {
        let day = i32::try_from(instant.0.div_euclid(DAY_MS)).unwrap_or_default();
        Self { day, ms: u32::try_from(instant.0.rem_euclid(DAY_MS)).unwrap_or_default() }
    }

    /// The instant of this time in UTC.
    pub(super) fn as_utc(self) -> Instant {
        Instant::from_unix_ms(i64::from(self.day).saturating_mul(DAY_MS).saturating_add(i64::from(self.ms)))
    }

    /// The same second with other milliseconds (below 1000).
    pub(super) fn with_ms(self, ms: u32) -> Self {
        Self { day: self.day, ms: self.second_of_day().saturating_mul(1000).saturating_add(ms.min(999)) }
    }

    /// Days since 1970-01-01.
    #[must_use]
    pub const fn day(self) -> i32 {
        self.day
    }

    /// Seconds since midnight, rounded down.
    #[must_use]
    pub const fn second_of_day(self) -> u32 {
        self.ms / 1000
    }

    /// Milliseconds since midnight.
    #[must_use]
    pub const fn ms_of_day(self) -> u32 {
        self.ms
    }

    /// The day of the week: 0 is Monday, 6 is Sunday.
    #[must_use]
    pub fn weekday(self) -> u8 {
        weekday(self.day)
    }

    /// Year, month and day. Months and days count from 1.
    #[must_use]
    pub fn date(self) -> (i32, u32, u32) {
        date(self.day)
    }

    /// Milliseconds of local time since an earlier time.
    pub(super) fn ms_since(self, earlier: Self) -> i64 {
        self.as_utc().0.saturating_sub(earlier.as_utc().0)
    }
}

/// Day of the week of a day since 1970-01-01, which was a Thursday: 0 is Monday.
pub(crate) fn weekday(day: i32) -> u8 {
    u8::try_from(day.saturating_add(3).rem_euclid(7)).unwrap_or_default()
}

pub(super) fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) fn days_in_month(year: i32, month: u32) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date, or `None` for an invalid date.
pub(crate) fn day_number(year: i32, month: u32, day: u32) -> Option<i32> {
    let valid =
        (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    valid.then(|| first_of_month(year, month).saturating_add(i32::try_from(day).unwrap_or_default()).saturating_sub(1))
}

/// First day of a month as days since 1970-01-01, in the proleptic Gregorian calendar. The algorithm counts from 1
/// March of year 0, so that a leap day is the last day of its year.
#[expect(clippy::arithmetic_side_effects, reason = "years have at most five digits, so nothing overflows an i32")]
pub(super) fn first_of_month(year: i32, month: u32) -> i32 {
    let month = i32::try_from(month.clamp(1, 12)).unwrap_or(1);
    let year = year.clamp(-9999, 19_999) - i32::from(month <= 2);
    let in_year = (153 * ((month + 9) % 12) + 2) / 5;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + in_year - 719_468
}

/// Date of a day since 1970-01-01: the inverse of [`day_number`].
#[expect(clippy::arithmetic_side_effects, reason = "days are clamped to the years 1 to 9999, so nothing overflows")]
pub(crate) fn date(day: i32) -> (i32, u32, u32) {
    let shifted = day.clamp(FIRST_DAY, LAST_DAY) + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = (from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i32::from(month <= 2);
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    (year, month.unsigned_abs(), day.unsigned_abs())
}
