//! Days, the clock on the wall, and instants.

/// Seconds of a day.
pub(super) const DAY: u32 = 86_400;
const DAY_MS: i64 = 86_400_000;

/// 0001-01-01 and 9999-12-31 as days since 1970-01-01: what is outside is brought to the nearer of them.
const FIRST_DAY: i32 = -719_162;
const LAST_DAY: i32 = 2_932_896;

/// A moment everybody shares: milliseconds since 1970-01-01T00:00:00Z, without leap seconds. From the year 1 to 9999;
/// anything outside becomes the nearer bound, so that no arithmetic on it can overflow.
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

    /// An instant from milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_unix_ms(ms: i64) -> Self {
        match ms {
            ..Self::MIN => Self(Self::MIN),
            Self::MIN..=Self::MAX => Self(ms),
            _ => Self(Self::MAX),
        }
    }

    /// An instant from seconds since 1970-01-01T00:00:00Z, as time servers count.
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

    /// Later by so many seconds, or earlier.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self::from_unix_ms(self.0.saturating_add(seconds.saturating_mul(1000)))
    }
}

/// What calendar and clock on the wall show: a day and the milliseconds since its midnight. It knows of no time zone:
/// a local time may happen never or twice.
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
    /// A date and a time of day, if there are such: years 1 to 9999, months and days from 1.
    #[must_use]
    pub fn new(year: i32, month: u32, day: u32, hour: u32, minute: u32, second: u32) -> Option<Self> {
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = hour.saturating_mul(3600).saturating_add(minute.saturating_mul(60)).saturating_add(second);
        Some(Self { day: day_number(year, month, day)?, ms: seconds.saturating_mul(1000) })
    }

    /// So many seconds after the midnight with which a day (counted from 1970-01-01) begins.
    pub(super) fn after_midnight(day: i32, seconds: u32) -> Self {
        let days = i32::try_from(seconds / DAY).unwrap_or_default();
        let day = day.saturating_add(days).clamp(FIRST_DAY, LAST_DAY);
        Self { day, ms: (seconds % DAY).saturating_mul(1000) }
    }

    /// What a clock in UTC shows at an instant.
    pub(super) fn in_utc(instant: Instant) -> Self {
        let day = i32::try_from(instant.0.div_euclid(DAY_MS)).unwrap_or_default();
        Self { day, ms: u32::try_from(instant.0.rem_euclid(DAY_MS)).unwrap_or_default() }
    }

    /// The instant at which a clock in UTC shows this.
    pub(super) fn as_utc(self) -> Instant {
        Instant::from_unix_ms(i64::from(self.day).saturating_mul(DAY_MS).saturating_add(i64::from(self.ms)))
    }

    /// The same day, so many milliseconds (below 1000) after this time's whole second.
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

    /// Year, month and day of the month, both from 1.
    #[must_use]
    pub fn date(self) -> (i32, u32, u32) {
        date(self.day)
    }

    /// Modifiers many milliseconds of the clock on the wall lie between an earlier time and this one.
    pub(super) fn ms_since(self, earlier: Self) -> i64 {
        self.as_utc().0.saturating_sub(earlier.as_utc().0)
    }
}

/// The day of the week of a day since 1970-01-01, which was a Thursday.
pub(super) fn weekday(day: i32) -> u8 {
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

/// The days from 1970-01-01 to a date, if there is such a date.
pub(super) fn day_number(year: i32, month: u32, day: u32) -> Option<i32> {
    let valid =
        (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    valid.then(|| first_of_month(year, month).saturating_add(i32::try_from(day).unwrap_or_default()).saturating_sub(1))
}

/// The day a month begins with, in the calendar of today at all times. Counted from 1 March of a year 0, so that the
/// leap day is the last one of its year.
#[allow(clippy::arithmetic_side_effects, reason = "years are four digits at most: all of it stays far inside an i32")]
pub(super) fn first_of_month(year: i32, month: u32) -> i32 {
    let month = i32::try_from(month.clamp(1, 12)).unwrap_or(1);
    let year = year.clamp(-9999, 19_999) - i32::from(month <= 2);
    let in_year = (153 * ((month + 9) % 12) + 2) / 5;
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + in_year - 719_468
}

/// The other way round.
#[allow(clippy::arithmetic_side_effects, reason = "days reach from the year 1 to 9999: all of it stays inside an i32")]
pub(super) fn date(day: i32) -> (i32, u32, u32) {
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
