//! A stretch of time, and the lamp's light along it, in seconds from its beginning.

use std::fmt::Write as _;

use wasm_core::schedule::{Instant, Light, LocalTime, Schedule, TimeZone};

use super::say;

const HOUR: i64 = 3_600;
/// From midnight, so far is always within the next day, also when that is 23 or 25 hours away.
const NEXT_DAY: i64 = 36 * HOUR;
/// More changes than can be told apart on a screen; what is behind them is not drawn.
const MOST_CHANGES: usize = 20_000;
/// A bar is never narrower than this part of the stretch, or a blink of ten seconds could not be seen.
const THINNEST: i64 = 500;

/// How much of the schedule is seen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zoom {
    Week,
    Day,
}

impl Zoom {
    /// How far an arrow key goes, in seconds.
    pub(super) const fn step(self) -> i64 {
        match self {
            Self::Week => HOUR / 4,
            Self::Day => 60,
        }
    }

    /// How far a page key goes.
    pub(super) const fn leap(self) -> i64 {
        match self {
            Self::Week => 24 * HOUR,
            Self::Day => HOUR,
        }
    }
}

/// Seven days or one, from midnight to midnight on the clock of a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub start: Instant,
    /// In seconds: a week with a clock change is an hour shorter or longer.
    pub length: i64,
    /// Where the scale has a mark, and what stands there.
    pub marks: Vec<(i64, String)>,
}

impl Stretch {
    /// The week that begins on a day, or that day.
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
                    (at, say::clock(zone.local(start.plus_seconds(at))))
                };
                Self { start, length, marks: (0..8).map(|mark_at: i64| mark(mark_at.saturating_mul(3))).collect() }
            }
        }
    }

    /// Where an instant is, held inside the stretch.
    #[must_use]
    pub fn place(&self, instant: Instant) -> i64 {
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
    let name = say::weekday(time).get(..3).unwrap_or_default();
    let (_, _, day) = time.date();
    format!("{name} {day}")
}

/// The light along a stretch as paths: a second is one unit wide, the brightest light 100 high.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    pub on: String,
    pub blink: String,
}

impl Bars {
    #[must_use]
    pub fn of(schedule: &Schedule, stretch: &Stretch) -> Self {
        let end = stretch.start.plus_seconds(stretch.length);
        let mut bars = Self::default();
        let mut from = 0;
        let mut light = schedule.light_at(schedule.time_zone().local(stretch.start));
        for change in schedule.changes(stretch.start, end).take(MOST_CHANGES) {
            let to = stretch.place(change.at);
            bars.draw(light, from, to, stretch.length);
            (from, light) = (to, change.light);
        }
        bars.draw(light, from, stretch.length, stretch.length);
        bars
    }

    fn draw(&mut self, light: Light, from: i64, to: i64, length: i64) {
        let (path, brightness) = match light {
            Light::Off => return,
            Light::On(brightness) => (&mut self.on, brightness.get()),
            Light::Blink(_, brightness) => (&mut self.blink, brightness.get()),
        };
        let width = to.saturating_sub(from).max(length / THINNEST);
        // A faint light is seen too.
        let height = u32::from(brightness).saturating_mul(3) / 4;
        let height = height.saturating_add(25);
        // Writing into a String cannot fail.
        let _ = write!(path, "M{from} 100v-{height}h{width}v{height}z");
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::{Moment, Schedule};

    use super::{Bars, Stretch, Zoom};
    use crate::schedule::Reading;

    fn week(schedule: &Schedule, day: &str, zoom: Zoom) -> Stretch {
        let zone = schedule.time_zone();
        Stretch::from(zone, Moment::parse(day).unwrap().instant(zone), zoom)
    }

    #[test]
    fn a_week_with_a_clock_change_is_an_hour_shorter_or_longer() {
        let schedule = Reading::of("timezone = America/New_York").schedule;
        let hours = |day| week(&schedule, day, Zoom::Week).length / 3_600;
        assert_eq!([hours("2027-02-01T12:00"), hours("2027-03-10T12:00"), hours("2027-11-03T12:00")], [168, 167, 169]);
        assert_eq!(week(&schedule, "2027-03-14T12:00", Zoom::Day).length, 23 * 3_600);
        let marks: Vec<String> =
            week(&schedule, "2026-11-27T12:00", Zoom::Week).marks.into_iter().map(|(_, name)| name).collect();
        assert_eq!(marks, ["Fri 27", "Sat 28", "Sun 29", "Mon 30", "Tue 1", "Wed 2", "Thu 3"]);
    }

    #[test]
    fn light_is_drawn_where_the_schedule_has_it_and_as_high_as_it_is_bright() {
        let schedule = Reading::of("timezone = UTC\non 01:00-02:00 20%\nblink 23:30 for 10s").schedule;
        let bars = Bars::of(&schedule, &week(&schedule, "2026-11-27T12:00", Zoom::Day));
        assert_eq!(bars.on, "M3600 100v-40h3600v40z");
        assert_eq!(bars.blink, "M84600 100v-100h172v100z", "wider than it lasts, so that it is seen");
    }

    #[test]
    fn light_that_goes_on_from_the_day_before_and_to_the_next_is_drawn_to_the_edges() {
        let schedule = Reading::of("timezone = UTC\non 00:00-24:00").schedule;
        let bars = Bars::of(&schedule, &week(&schedule, "2026-11-27T12:00", Zoom::Day));
        assert_eq!(bars.on, "M0 100v-100h86400v100z");
    }
}
