//! Days of a rule: days of the week and dates.

use super::civil;

/// 2000-01-01 as days since 1970-01-01. Stored dates count from this day.
pub(super) const EPOCH: i32 = 10_957;

/// Inclusive range of dates.
///
/// ```
/// use wasm_core::schedule::{self, LocalTime};
///
/// let schedule = schedule::parse(b"on 18:00-23:00 2026-12-24..2027-01-02", &mut |_| ());
/// let dates = schedule.dates(schedule.rules()[0].days);
/// assert_eq!((dates[0].first().to_string(), dates[0].last().to_string()), (
///     "2026-12-24T00:00:00".into(), "2027-01-02T00:00:00".into(),
/// ));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateRange {
    pub(super) first: u16,
    pub(super) last: u16,
}

impl DateRange {
    /// Value of an unused slot.
    pub(super) const NEVER: Self = Self { first: 0, last: 0 };

    /// Midnight of the first day.
    #[must_use]
    pub fn first(self) -> civil::LocalTime {
        civil::LocalTime::after_midnight(self.first_day(), 0)
    }

    /// Midnight of the last day.
    #[must_use]
    pub fn last(self) -> civil::LocalTime {
        civil::LocalTime::after_midnight(self.last_day(), 0)
    }

    /// As days since 1970-01-01.
    pub(super) fn first_day(self) -> i32 {
        EPOCH.saturating_add(i32::from(self.first))
    }

    pub(super) fn last_day(self) -> i32 {
        EPOCH.saturating_add(i32::from(self.last))
    }

    fn includes(self, day: i32) -> bool {
        (self.first_day()..=self.last_day()).contains(&day)
    }
}

/// Days of a rule: days of the week, and dates, which are stored in the schedule.
#[derive(Clone, Copy, Debug)]
pub struct Days {
    /// One bit for each day of the week; the lowest is Monday.
    pub(super) weekdays: u8,
    /// Index of the rule's first date among the schedule's dates, and their number.
    pub(super) from: u16,
    pub(super) count: u16,
}

impl Days {
    pub(super) const NEVER: Self = Self { weekdays: 0, from: 0, count: 0 };
    /// Every day of the week, the default of a rule.
    pub(super) const DAILY: Self = Self { weekdays: 0b111_1111, ..Self::NEVER };

    /// Days of the week as bits: the lowest is Monday, and 127 is every day.
    ///
    /// ```
    /// let schedule = wasm_core::schedule::parse(b"on 07:00-07:30 weekends", &mut |_| ());
    /// assert_eq!(schedule.rules()[0].days.weekdays(), 0b110_0000);
    /// ```
    #[must_use]
    pub const fn weekdays(self) -> u8 {
        self.weekdays
    }

    /// The rule's dates among all dates of the schedule.
    pub(super) fn dates(self, all: &[DateRange]) -> &[DateRange] {
        let from = usize::from(self.from);
        all.get(from..from.saturating_add(usize::from(self.count))).unwrap_or_default()
    }

    fn includes_weekday(self, day: i32) -> bool {
        self.weekdays >> civil::weekday(day) & 1 == 1
    }

    /// Whether the rule applies to a day, which counts from 1970-01-01.
    pub(super) fn include(self, day: i32, all: &[DateRange]) -> bool {
        self.includes_weekday(day) || self.dates(all).iter().any(|range| range.includes(day))
    }

    /// The first day of the rule at or after `from`.
    pub(super) fn next(self, from: i32, all: &[DateRange]) -> Option<i32> {
        let by_weekday = (0..7).map(|days| from.saturating_add(days)).find(|day| self.includes_weekday(*day));
        let by_date =
            self.dates(all).iter().filter(|range| range.last_day() >= from).map(|range| range.first_day().max(from));
        by_date.chain(by_weekday).min()
    }
}

/// Short and long names of the days of the week.
pub(super) const WEEKDAYS: [(&str, &str); 7] = [
    ("mon", "monday"),
    ("tue", "tuesday"),
    ("wed", "wednesday"),
    ("thu", "thursday"),
    ("fri", "friday"),
    ("sat", "saturday"),
    ("sun", "sunday"),
];

/// Keywords for groups of days.
pub(super) const GROUPS: [(&str, u8); 3] = [("daily", 0b111_1111), ("weekdays", 0b001_1111), ("weekends", 0b110_0000)];
