//! The range of time that the timeline shows, and the light along it, in seconds from its start.

use std::fmt::Write as _;

use wasm_core::schedule::{Instant, Light, LocalTime, Schedule, TimeZone};

use super::describe;

const HOUR: i64 = 3_600;
/// 36 hours after midnight are within the next day, also across a daylight saving time change.
const NEXT_DAY: i64 = 36 * HOUR;
/// Limit of the changes that are drawn: more than a screen can show.
const MAX_CHANGES: usize = 20_000;
/// Minimum width of a bar, as a fraction of the range: a blink of ten seconds must be visible on a phone.
const MIN_WIDTH_FRACTION: i64 = 160;
/// The height of blinking, as a fraction of that of steady light.
const BLINK_DIVISOR: u32 = 3;

/// The length of the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    Week,
    Day,
}

impl Zoom {
    /// Step of an arrow key, in seconds.
    pub(super) const fn step(self) -> i64 {
        match self {
            Self::Week => HOUR / 4,
            Self::Day => 60,
        }
    }

    /// Step of a page key, in seconds.
    pub(super) const fn page_step(self) -> i64 {
        match self {
            Self::Week => 24 * HOUR,
            Self::Day => HOUR,
        }
    }
}

/// A week or a day, from midnight to midnight in a time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeRange {
    pub start: Instant,
    /// In seconds: a daylight saving time change makes it an hour shorter or longer.
    pub length: i64,
    /// Position and label of each mark of the scale.
    pub marks: Vec<(i64, String)>,
}

impl TimeRange {
    /// The week that starts on a day, or the day itself.
    #[must_use]
    pub fn from(zone: &TimeZone, day: Instant, zoom: Zoom) -> Self {
        let start = midnight(zone, day);
        let since = |instant: Instant| instant.unix_seconds().saturating_sub(start.unix_seconds());
        let next = |from: &Instant| midnight(zone, from.plus_seconds(NEXT_DAY));
        match zoom {
            Zoom::Week => {
                let days: Vec<Instant> = std::iter::successors(Some(start), |day| Some(next(day))).take(8).collect();
                let length = days.last().map_or(0, |end| since(*end));
                let mark = |day: &Instant| (since(*day), short_day(zone.local(*day)));
                Self { start, length, marks: days.iter().take(7).map(mark).collect() }
            }
            Zoom::Day => {
                let length = since(next(&start));
                let mark = |hour: i64| {
                    let at = hour.saturating_mul(HOUR);
                    (at, describe::clock(zone.local(start.plus_seconds(at))))
                };
                Self { start, length, marks: (0..8).map(|mark_at: i64| mark(mark_at.saturating_mul(3))).collect() }
            }
        }
    }

    /// Position of an instant, clamped to the range.
    #[must_use]
    pub fn position(&self, instant: Instant) -> i64 {
        let since = instant.unix_seconds().saturating_sub(self.start.unix_seconds());
        since.clamp(0, self.length)
    }

    #[must_use]
    pub fn contains(&self, instant: Instant) -> bool {
        let since = instant.unix_seconds().saturating_sub(self.start.unix_seconds());
        (0..self.length).contains(&since)
    }
}

fn midnight(zone: &TimeZone, instant: Instant) -> Instant {
    let (year, month, day) = zone.local(instant).date();
    let first = LocalTime::new(year, month, day, 0, 0, 0);
    first.map_or(instant, |first| zone.instant(first))
}

fn short_day(time: LocalTime) -> String {
    let name = describe::weekday(time).get(..3).unwrap_or_default();
    let (_, _, day) = time.date();
    format!("{name} {day}")
}

/// The light along a range as SVG paths: one unit is a second wide, and full brightness is 100 units high. Blinking is
/// lower, so that the light around it stays visible where a week's blinks touch each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    pub on: String,
    pub blink: String,
}

impl Bars {
    #[must_use]
    pub fn of(schedule: &Schedule, range: &TimeRange) -> Self {
        let end = range.start.plus_seconds(range.length);
        let mut bars = Self::default();
        let mut from = 0;
        let mut light = schedule.light_at(schedule.time_zone().local(range.start));
        for change in schedule.changes(range.start, end).take(MAX_CHANGES) {
            let to = range.position(change.at);
            bars.draw(light, from, to, range.length);
            (from, light) = (to, change.light);
        }
        bars.draw(light, from, range.length, range.length);
        bars
    }

    fn draw(&mut self, light: Light, from: i64, to: i64, length: i64) {
        let (path, brightness, divisor) = match light {
            Light::Off => return,
            Light::On(brightness) => (&mut self.on, brightness.get(), 1),
            Light::Blink(_, brightness) => (&mut self.blink, brightness.get(), BLINK_DIVISOR),
        };
        let width = to.saturating_sub(from).max(length / MIN_WIDTH_FRACTION);
        // Offset, so that a faint light is visible.
        let height = u32::from(brightness).saturating_mul(3) / 4;
        let height = height.saturating_add(25) / divisor;
        // Writing to a String is infallible.
        let _ = write!(path, "M{from} 100v-{height}h{width}v{height}z");
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::{Moment, Schedule};

    use super::{Bars, TimeRange, Zoom};
    use crate::schedule::ParsedText;

    fn week(schedule: &Schedule, day: &str, zoom: Zoom) -> TimeRange {
        let zone = schedule.time_zone();
        TimeRange::from(zone, Moment::parse(day).unwrap().instant(zone), zoom)
    }

    #[test]
    fn a_week_with_a_clock_change_is_an_hour_shorter_or_longer() {
        let schedule = ParsedText::of("timezone = America/New_York").schedule;
        let hours = |day| week(&schedule, day, Zoom::Week).length / 3_600;
        assert_eq!([hours("2027-02-01T12:00"), hours("2027-03-10T12:00"), hours("2027-11-03T12:00")], [168, 167, 169]);
        assert_eq!(week(&schedule, "2027-03-14T12:00", Zoom::Day).length, 23 * 3_600);
        let marks: Vec<String> =
            week(&schedule, "2026-11-27T12:00", Zoom::Week).marks.into_iter().map(|(_, name)| name).collect();
        assert_eq!(marks, ["Fri 27", "Sat 28", "Sun 29", "Mon 30", "Tue 1", "Wed 2", "Thu 3"]);
    }

    #[test]
    fn light_is_drawn_where_the_schedule_has_it_and_as_high_as_it_is_bright() {
        let schedule = ParsedText::of("timezone = UTC\non 01:00-02:00 20%\nblink 23:30 for 10s").schedule;
        let bars = Bars::of(&schedule, &week(&schedule, "2026-11-27T12:00", Zoom::Day));
        assert_eq!(bars.on, "M3600 100v-40h3600v40z");
        assert_eq!(bars.blink, "M84600 100v-33h540v33z", "wider than it lasts, so that it is seen");
    }

    #[test]
    fn light_that_goes_on_from_the_day_before_and_to_the_next_is_drawn_to_the_edges() {
        let schedule = ParsedText::of("timezone = UTC\non 00:00-24:00").schedule;
        let bars = Bars::of(&schedule, &week(&schedule, "2026-11-27T12:00", Zoom::Day));
        assert_eq!(bars.on, "M0 100v-100h86400v100z");
    }
}
