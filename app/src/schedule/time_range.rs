//! The range of time that the timeline shows, and the light along it, in seconds from its start.

use std::fmt::Write as _;

use wasm_core::schedule::{Instant, Light, LocalTime, Schedule, Speed, TimeZone};

use super::describe;

const MINUTE: i64 = 60;
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
    /// Each flash of a blink is drawn.
    Minute,
}

impl Zoom {
    /// Step of an arrow key, in seconds.
    pub(super) const fn step(self) -> i64 {
        match self {
            Self::Week => HOUR / 4,
            Self::Day => MINUTE,
            Self::Minute => 1,
        }
    }

    /// Step of a page key, in seconds.
    pub(super) const fn page_step(self) -> i64 {
        match self {
            Self::Week => 24 * HOUR,
            Self::Day => HOUR,
            Self::Minute => 10,
        }
    }
}

/// A week or a day, from midnight to midnight in a time zone, or a minute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeRange {
    pub start: Instant,
    /// In seconds: a daylight saving time change makes it an hour shorter or longer.
    pub length: i64,
    /// Position and label of each mark of the scale.
    pub marks: Vec<(i64, String)>,
    zoom: Zoom,
}

impl TimeRange {
    /// The week that starts on the day of a moment, or the moment's day or minute.
    #[must_use]
    pub fn from(zone: &TimeZone, moment: Instant, zoom: Zoom) -> Self {
        let (start, length, marks) = match zoom {
            Zoom::Week => week(zone, midnight(zone, moment)),
            Zoom::Day => day(zone, midnight(zone, moment)),
            Zoom::Minute => minute(zone, moment),
        };
        Self { start, length, marks, zoom }
    }

    /// Position of an instant, clamped to the range.
    #[must_use]
    pub fn position(&self, instant: Instant) -> i64 {
        seconds_between(self.start, instant).clamp(0, self.length)
    }

    #[must_use]
    pub fn contains(&self, instant: Instant) -> bool {
        (0..self.length).contains(&seconds_between(self.start, instant))
    }
}

/// Start, length and marks of a range.
type Scale = (Instant, i64, Vec<(i64, String)>);

fn week(zone: &TimeZone, start: Instant) -> Scale {
    let days: Vec<Instant> = std::iter::successors(Some(start), |day| Some(next_day(zone, *day))).take(8).collect();
    let length = days.last().map_or(0, |end| seconds_between(start, *end));
    let mark = |day: &Instant| (seconds_between(start, *day), short_day(zone.local(*day)));
    (start, length, days.iter().take(7).map(mark).collect())
}

fn day(zone: &TimeZone, start: Instant) -> Scale {
    let mark = |hours: i64| {
        let at = hours.saturating_mul(HOUR);
        (at, describe::clock_digits(zone.local(start.plus_seconds(at))))
    };
    let marks = (0..8).map(|index: i64| mark(index.saturating_mul(3))).collect();
    (start, seconds_between(start, next_day(zone, start)), marks)
}

fn minute(zone: &TimeZone, moment: Instant) -> Scale {
    let seconds = moment.unix_seconds();
    let start = Instant::from_unix_seconds(seconds.saturating_sub(seconds.rem_euclid(MINUTE)));
    let mark = |at: i64| match at {
        0 => (at, describe::clock_digits(zone.local(start))),
        _ => (at, format!(":{at}")),
    };
    (start, MINUTE, (0..6).map(|index: i64| mark(index.saturating_mul(10))).collect())
}

const fn seconds_between(from: Instant, to: Instant) -> i64 {
    to.unix_seconds().saturating_sub(from.unix_seconds())
}

fn next_day(zone: &TimeZone, start: Instant) -> Instant {
    midnight(zone, start.plus_seconds(NEXT_DAY))
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
/// lower, so that the light around it stays visible where a week's blinks touch each other. In a minute, each flash is
/// drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bars {
    pub on: String,
    pub blink: String,
}

impl Bars {
    #[must_use]
    pub fn of(schedule: &Schedule, range: &TimeRange) -> Self {
        let mut bars = Self::default();
        let mut drawn = (Light::Off, 0);
        let mut change_to = |light: Light, at: i64| {
            bars.draw(drawn.0, drawn.1, at, range);
            drawn = (light, at);
        };
        match range.zoom {
            Zoom::Week | Zoom::Day => windows(schedule, range, &mut change_to),
            Zoom::Minute => flashes(schedule, range, &mut change_to),
        }
        change_to(Light::Off, range.length.saturating_mul(1_000));
        bars
    }

    /// Draws light from one position to another, in milliseconds.
    fn draw(&mut self, light: Light, from: i64, to: i64, range: &TimeRange) {
        let (blink_divisor, min_width) = match range.zoom {
            Zoom::Week | Zoom::Day => (BLINK_DIVISOR, (range.length / MIN_WIDTH_FRACTION).saturating_mul(1_000)),
            Zoom::Minute => (1, 0),
        };
        let (path, brightness, divisor) = match light {
            Light::Off => return,
            Light::On(brightness) => (&mut self.on, brightness.get(), 1),
            Light::Blink(_, brightness) => (&mut self.blink, brightness.get(), blink_divisor),
        };
        let (from, width) = (seconds(from), seconds(to.saturating_sub(from).max(min_width)));
        // Offset, so that a faint light is visible.
        let height = u32::from(brightness).saturating_mul(3) / 4;
        let height = height.saturating_add(25) / divisor;
        // Writing to a String is infallible.
        let _ = write!(path, "M{from} 100v-{height}h{width}v{height}z");
    }
}

/// The changes of the light along a range, with their positions in milliseconds.
fn windows(schedule: &Schedule, range: &TimeRange, change_to: &mut impl FnMut(Light, i64)) {
    change_to(schedule.light_at(schedule.time_zone().local(range.start)), 0);
    let end = range.start.plus_seconds(range.length);
    for change in schedule.changes(range.start, end).take(MAX_CHANGES) {
        change_to(change.light, range.position(change.at).saturating_mul(1_000));
    }
}

/// Flashes along a range: the lit halves of its blinks, with their positions in milliseconds.
fn flashes(schedule: &Schedule, range: &TimeRange, change_to: &mut impl FnMut(Light, i64)) {
    let start = range.start.unix_ms();
    let mut shown = Light::Off;
    for at in (0..range.length.saturating_mul(1_000)).step_by(usize::from(Speed::MIN_MS)) {
        let local = schedule.time_zone().local(Instant::from_unix_ms(start.saturating_add(at)));
        let rule = schedule.active_rule(local);
        let lit = rule.filter(|active| active.rule.light.is_lit(active.elapsed_ms(local)));
        let light = lit.map_or(Light::Off, |active| active.rule.light);
        if light != shown {
            change_to(light, at);
            shown = light;
        }
    }
}

/// Milliseconds as seconds: `2` or `2.400`.
fn seconds(ms: i64) -> String {
    match ms.rem_euclid(1_000) {
        0 => (ms / 1_000).to_string(),
        rest => format!("{}.{rest:03}", ms / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::{Moment, Schedule};

    use super::{Bars, TimeRange, Zoom};
    use crate::schedule::ParsedText;

    fn range(schedule: &Schedule, day: &str, zoom: Zoom) -> TimeRange {
        let zone = schedule.time_zone();
        TimeRange::from(zone, Moment::parse(day).unwrap().instant(zone), zoom)
    }

    #[test]
    fn a_week_with_a_clock_change_is_an_hour_shorter_or_longer() {
        let schedule = ParsedText::of("timezone = America/New_York").schedule;
        let hours = |day| range(&schedule, day, Zoom::Week).length / 3_600;
        assert_eq!([hours("2027-02-01T12:00"), hours("2027-03-10T12:00"), hours("2027-11-03T12:00")], [168, 167, 169]);
        assert_eq!(range(&schedule, "2027-03-14T12:00", Zoom::Day).length, 23 * 3_600);
        let marks: Vec<String> =
            range(&schedule, "2026-11-27T12:00", Zoom::Week).marks.into_iter().map(|(_, name)| name).collect();
        assert_eq!(marks, ["Fri 27", "Sat 28", "Sun 29", "Mon 30", "Tue 1", "Wed 2", "Thu 3"]);
    }

    #[test]
    fn light_is_drawn_where_the_schedule_has_it_and_as_high_as_it_is_bright() {
        let schedule = ParsedText::of("timezone = UTC\non 01:00-02:00 20%\nblink 23:30 for 10s").schedule;
        let bars = Bars::of(&schedule, &range(&schedule, "2026-11-27T12:00", Zoom::Day));
        assert_eq!(bars.on, "M3600 100v-40h3600v40z");
        assert_eq!(bars.blink, "M84600 100v-33h540v33z", "wider than it lasts, so that it is seen");
    }

    #[test]
    fn light_that_goes_on_from_the_day_before_and_to_the_next_is_drawn_to_the_edges() {
        let schedule = ParsedText::of("timezone = UTC\non 00:00-24:00").schedule;
        let bars = Bars::of(&schedule, &range(&schedule, "2026-11-27T12:00", Zoom::Day));
        assert_eq!(bars.on, "M0 100v-100h86400v100z");
    }

    #[test]
    fn a_minute_shows_each_flash_by_the_phase_of_its_window() {
        let minute = |rules: &str, moment| {
            let schedule = ParsedText::of(&format!("timezone = UTC\n{rules}")).schedule;
            let range = range(&schedule, moment, Zoom::Minute);
            let marks: Vec<String> = range.marks.iter().map(|(_, name)| name.clone()).collect();
            assert_eq!((range.length, marks.join(" ").as_str()), (60, "2:30 PM :10 :20 :30 :40 :50"));
            Bars::of(&schedule, &range)
        };
        let slow = minute("blink 14:29:59 for 4s 20%", "2026-11-27T14:30:47");
        assert_eq!((slow.on.as_str(), slow.blink.as_str()), ("", "M1 100v-40h1v40z"));
        let fast = minute("blink 14:30:58 for 1s 200ms/300ms\non 14:30:59 for 3s", "2026-11-27T14:30:00");
        assert_eq!(fast.blink, "M58 100v-100h0.200v100zM58.500 100v-100h0.200v100z");
        assert_eq!(fast.on, "M59 100v-100h1v100z");
        let again = minute("blink every 20s for 10s 2s/6s", "2026-11-27T14:30:00");
        assert!(
            again.blink.starts_with("M0 100v-100h2v100zM8 100v-100h2v100zM20 100v-100h2v100z"),
            "each window starts lit: {}",
            again.blink
        );
    }
}
