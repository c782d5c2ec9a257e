//! The shop's time zone: the day of an instant, the bounds of a day, and local timestamps. The only place that computes
//! days.
//!
//! The zones and their rules are those of the schedule (`wasm_core::schedule`): today's rule of a zone, without its
//! history. The zone in force is the one in which the daily totals are counted ([`store::load`]), so that every list,
//! total, email and file has the same days ([ADR 56](../../../docs/adr/0056-days-in-the-shops-time-zone.md)).

pub mod store;

use std::fmt::Write as _;
use std::ops::Range;

use wasm_core::orders::display_time;
use wasm_core::schedule::{Instant, TimeZone, zone_names};

use crate::infra::clock::{DAY, MINUTE, SECOND, day_text, rfc3339};

/// A time zone by its rule, a POSIX `TZ` string. Zones with the same rule are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShopZone(TimeZone);

/// UTC, as in the schema.
impl Default for ShopZone {
    fn default() -> Self {
        Self::of_rule("UTC0").unwrap_or(Self(TimeZone::UTC))
    }
}

impl ShopZone {
    /// The zone with a name of the table; `None` for any other name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, rule) = zone_names().find(|(known, _)| known.as_str() == name)?;
        Self::of_rule(rule)
    }

    #[must_use]
    pub fn of_rule(rule: &str) -> Option<Self> {
        TimeZone::parse(rule).map(Self)
    }

    /// The POSIX rule: `EST5EDT,M3.2.0,M11.1.0`.
    #[must_use]
    pub fn rule(&self) -> &str {
        self.0.name()
    }

    /// The day of an instant, in days since 1970-01-01.
    #[must_use]
    pub fn day_of(&self, ms: i64) -> i64 {
        ms.saturating_add(self.offset_ms(ms)).div_euclid(DAY)
    }

    /// The first instant of a day. Where the clock skips midnight, the day begins with the change.
    #[must_use]
    pub fn start_of(&self, day: i64) -> i64 {
        let midnight = TimeZone::UTC.local(Instant::from_unix_ms(day.saturating_mul(DAY)));
        self.0.instant(midnight).unix_ms()
    }

    /// The instants of a day.
    #[must_use]
    pub fn bounds(&self, day: i64) -> Range<i64> {
        self.start_of(day)..self.start_of(day + 1)
    }

    /// The day of an instant, as `2026-11-21`.
    #[must_use]
    pub fn day_text_of(&self, ms: i64) -> String {
        day_text(self.day_of(ms))
    }

    /// RFC 3339 with the zone's offset: `2026-11-21T01:17:47.123-05:00`.
    #[must_use]
    pub fn local(&self, ms: i64) -> String {
        let offset = self.offset_ms(ms);
        let mut text = rfc3339(ms.saturating_add(offset));
        if offset != 0 {
            text.pop();
            text.push_str(&offset_text(offset / MINUTE));
        }
        text
    }

    /// An instant to the minute, for emails: `11/21/2026, 1:17 AM (UTC-05:00)`.
    #[must_use]
    pub fn minute(&self, ms: i64) -> String {
        let text = self.local(ms);
        let offset = text.get(23..).unwrap_or_default();
        format!("{} (UTC{})", display_time(&text), offset.trim_end_matches('Z'))
    }

    /// The offset from UTC in minutes.
    #[must_use]
    pub fn offset_minutes(&self, ms: i64) -> i64 {
        self.offset_ms(ms) / MINUTE
    }

    fn offset_ms(&self, ms: i64) -> i64 {
        i64::from(self.0.offset_at(Instant::from_unix_ms(ms))) * SECOND
    }

    /// SQL for the day of an instant in a column, if all instants are within the range.
    #[must_use]
    pub fn day_sql(&self, column: &str, (oldest, newest): (i64, i64)) -> String {
        let mut cases = String::new();
        let mut from = oldest;
        while let Some(change) = self.next_change(from).filter(|change| *change <= newest) {
            let _ = write!(cases, "WHEN {column} < {change} THEN {} ", self.offset_ms(from));
            from = change;
        }
        let last = self.offset_ms(from);
        match cases.as_str() {
            "" => format!("({column} + ({last})) / {DAY}"),
            cases => format!("({column} + CASE {cases}ELSE {last} END) / {DAY}"),
        }
    }

    /// The next clock change after an instant.
    fn next_change(&self, after: i64) -> Option<i64> {
        self.0.next_transition(Instant::from_unix_ms(after)).map(Instant::unix_ms)
    }
}

/// `-05:00`
#[must_use]
pub fn offset_text(minutes: i64) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, minutes) = (minutes.abs() / 60, minutes.abs() % 60);
    format!("{sign}{hours:02}:{minutes:02}")
}

/// The name of the table's zone that is written like this, in any case.
///
/// # Errors
/// A message for a field.
pub fn parse_name(name: &str) -> Result<String, &'static str> {
    let name = name.trim();
    let known = zone_names().find(|(known, _)| known.as_str().eq_ignore_ascii_case(name));
    known.map(|(known, _)| known.as_str().to_owned()).ok_or("Choose a time zone, like America/New_York.")
}

#[cfg(test)]
mod tests;
