//! Schedule in memory, without an allocator.

use super::days::{DateRange, Days};
use super::network::Network;
use super::rule::Rule;
use super::timezone::TimeZone;
use super::{MAX_BYTES, MAX_RULES};

/// Capacity for dates: a file of [`MAX_BYTES`] cannot have more.
const MAX_DATES: usize = MAX_BYTES / "2026-12-24,".len();

/// Parsed file: settings and up to [`MAX_RULES`] rules, in about 5.6 KB without references.
///
/// Its text (`Display`) is a normalized file without comments and invalid lines. Schedules are equal if their settings
/// and rules are, regardless of line numbers.
#[derive(Clone)]
pub struct Schedule {
    pub(super) network: Network,
    time_zone: TimeZone,
    rules: [Rule; MAX_RULES],
    rule_count: u8,
    dates: [DateRange; MAX_DATES],
    date_count: u16,
}

impl Schedule {
    /// Schedule without rules, in UTC: the lamp is off. A `static` can hold it for [`Schedule::read`].
    pub const EMPTY: Self = Self {
        network: Network::NONE,
        time_zone: TimeZone::UTC,
        rules: [Rule::NEVER; MAX_RULES],
        rule_count: 0,
        dates: [DateRange::NEVER; MAX_DATES],
        date_count: 0,
    };

    /// Wi-Fi network and time server.
    #[must_use]
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Time zone of the rules.
    #[must_use]
    pub fn time_zone(&self) -> &TimeZone {
        &self.time_zone
    }

    /// Rules in the order of the file. Of the rules whose windows cover a time, the last one is active.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        self.rules.get(..usize::from(self.rule_count)).unwrap_or_default()
    }

    /// Dates of a rule, besides its days of the week.
    #[must_use]
    pub fn dates(&self, days: Days) -> &[DateRange] {
        days.dates(self.all_dates())
    }

    pub(super) fn all_dates(&self) -> &[DateRange] {
        self.dates.get(..usize::from(self.date_count)).unwrap_or_default()
    }

    /// Clears the schedule in place, without a copy on the stack.
    pub(super) fn clear(&mut self) {
        self.network = Network::NONE;
        self.time_zone = TimeZone::UTC;
        self.rule_count = 0;
        self.date_count = 0;
    }

    pub(super) fn set_time_zone(&mut self, zone: TimeZone) {
        self.time_zone = zone;
    }

    pub(super) fn is_full(&self) -> bool {
        self.rules().len() == MAX_RULES
    }

    /// Appends a rule, unless there are [`MAX_RULES`].
    pub(super) fn push_rule(&mut self, rule: Rule) {
        if let Some(place) = self.rules.get_mut(usize::from(self.rule_count)) {
            *place = rule;
            self.rule_count = self.rule_count.saturating_add(1);
        }
    }

    /// Number of dates, which is the index of the next one.
    pub(super) fn date_count(&self) -> u16 {
        self.date_count
    }

    pub(super) fn push_date(&mut self, range: DateRange) {
        if let Some(place) = self.dates.get_mut(usize::from(self.date_count)) {
            *place = range;
            self.date_count = self.date_count.saturating_add(1);
        }
    }

    /// Removes the dates of an invalid rule.
    pub(super) fn drop_dates_from(&mut self, count: u16) {
        self.date_count = self.date_count.min(count);
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PartialEq for Schedule {
    fn eq(&self, other: &Self) -> bool {
        let same = |(mine, theirs): (&Rule, &Rule)| {
            mine.light == theirs.light
                && mine.when == theirs.when
                && mine.days.weekdays() == theirs.days.weekdays()
                && self.dates(mine.days) == other.dates(theirs.days)
        };
        self.network == other.network
            && self.time_zone == other.time_zone
            && self.rule_count == other.rule_count
            && self.rules().iter().zip(other.rules()).all(same)
    }
}

impl Eq for Schedule {}

impl core::fmt::Debug for Schedule {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Schedule")
            .field("network", &self.network)
            .field("time_zone", &self.time_zone)
            .field("rules", &self.rules())
            .finish_non_exhaustive()
    }
}
