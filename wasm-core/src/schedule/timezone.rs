//! Time zones: conversion between instants and local times.

use super::civil::{Instant, LocalTime};
use super::posix::{self, PosixZone};
use super::text::Text;
use super::zones;

/// Time zone: its name and its rule for UTC offsets. It has today's rule and no history.
///
/// ```
/// use wasm_core::schedule::{Instant, LocalTime, TimeZone};
///
/// let zone = TimeZone::parse("america/new_york").unwrap();
/// assert_eq!(zone.name(), "America/New_York");
/// let noon = Instant::from_unix_seconds(1_798_891_200);
/// assert_eq!(zone.offset_at(noon), -5 * 3600);
/// assert_eq!(zone.local(noon), LocalTime::new(2027, 1, 2, 7, 0, 0).unwrap());
///
/// let posix = TimeZone::parse("EST5EDT,M3.2.0,M11.1.0").unwrap();
/// assert_eq!(posix.next_transition(noon), zone.next_transition(noon));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone {
    name: Text<96>,
    rule: PosixZone,
}

/// Parsed time zone, with its warnings.
pub(super) struct ParsedZone {
    pub zone: TimeZone,
    /// The rule has daylight saving time but no dates for it.
    pub without_rule: bool,
    /// The text is `UTC` or `GMT` with an offset, whose sign POSIX reverses.
    pub reversed: bool,
}

impl TimeZone {
    /// Coordinated Universal Time.
    pub const UTC: Self = Self { name: Text::EMPTY, rule: PosixZone::UTC };

    /// Parses an IANA name in any case, or a POSIX rule of up to 96 bytes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::parse_with_warnings(text).map(|understood| understood.zone)
    }

    pub(super) fn parse_with_warnings(text: &str) -> Option<ParsedZone> {
        if let Some((name, rule)) = zones::find(text) {
            let name = if name.as_str() == "UTC" { Text::EMPTY } else { name };
            return Some(ParsedZone { zone: Self { name, rule }, without_rule: false, reversed: false });
        }
        let name = Text::new(text)?;
        let (rule, without_rule) = posix::parse(text)?;
        let reversed = rule.standard != 0 && ["UTC", "GMT"].into_iter().any(|name| text.starts_with(name));
        Some(ParsedZone { zone: Self { name, rule }, without_rule, reversed })
    }

    /// Name of the zone: `America/Toronto`, or its POSIX rule.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.name.is_empty() { "UTC" } else { self.name.as_str() }
    }

    /// UTC offset at an instant in seconds; negative in the Americas.
    #[must_use]
    pub fn offset_at(&self, instant: Instant) -> i32 {
        self.rule.offset_at(instant)
    }

    /// The local time at an instant.
    #[must_use]
    pub fn local(&self, instant: Instant) -> LocalTime {
        LocalTime::in_utc(instant.plus_seconds(self.offset_at(instant).into()))
    }

    /// The instant of a local time. Of a time that occurs twice, the first one. A time that is skipped by a clock
    /// change is moved forward by the length of the gap.
    ///
    /// ```
    /// use wasm_core::schedule::{LocalTime, TimeZone};
    ///
    /// let zone = TimeZone::parse("America/New_York").unwrap();
    /// let show = |time: LocalTime| zone.instant(time).to_string();
    /// assert_eq!(show(LocalTime::new(2027, 3, 14, 2, 30, 0).unwrap()), "2027-03-14T07:30:00Z");
    /// assert_eq!(show(LocalTime::new(2027, 11, 7, 1, 30, 0).unwrap()), "2027-11-07T05:30:00Z");
    /// ```
    #[must_use]
    pub fn instant(&self, local: LocalTime) -> Instant {
        let summer = self.rule.summer.offset;
        let (most, least) = (self.rule.standard.max(summer), self.rule.standard.min(summer));
        let shown_with = |offset: i32| local.as_utc().plus_seconds(i64::from(offset).saturating_neg());
        // The larger offset gives the earlier instant.
        let earlier = shown_with(most);
        if self.offset_at(earlier) == most { earlier } else { shown_with(least) }
    }

    /// The first clock change after an instant.
    #[must_use]
    pub fn next_transition(&self, after: Instant) -> Option<Instant> {
        self.rule.next_transition(after)
    }
}
