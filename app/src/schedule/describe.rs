//! Descriptions of the light and its schedule.

use wasm_core::schedule::{Instant, Light, LocalTime, Schedule};

const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAY: i64 = 86_400;
const NOON: i64 = 43_200;

/// The next change: "Next: blinks at 2:30 PM for 10 s."
#[must_use]
pub fn next_change(schedule: &Schedule, at: Instant) -> String {
    let Some(change) = schedule.next_change(at) else {
        return "No changes within a year.".to_owned();
    };
    let zone = schedule.time_zone();
    let when = when(zone.local(at), zone.local(change.at));
    let lasts = match change.light {
        Light::Off => None,
        Light::On(_) | Light::Blink(..) => schedule.next_change(change.at),
    };
    let length = lasts.map(|end| end.at.unix_seconds().saturating_sub(change.at.unix_seconds()));
    match length.filter(|length| *length <= DAY) {
        Some(length) => format!("Next: {} {when} for {}.", verb(change.light), duration(length)),
        None => format!("Next: {} {when}.", verb(change.light)),
    }
}

const fn verb(light: Light) -> &'static str {
    match light {
        Light::Off => "turns off",
        Light::On(_) => "lights up",
        Light::Blink(..) => "blinks",
    }
}

/// The light and, if it is off, when it is next lit: "Off until Tue 6 PM".
pub(super) fn light_until(schedule: &Schedule, at: Instant) -> String {
    let zone = schedule.time_zone();
    let now = zone.local(at);
    let shown = schedule.light_at(now);
    let next = schedule.next_change(at).filter(|_| shown == Light::Off).map(|change| zone.local(change.at));
    let Some(next) = next else { return light(shown) };
    match next.day().saturating_sub(now.day()) {
        0 => format!("Off until {}", clock(next)),
        1 if next.second_of_day() == 0 => "Off until midnight".to_owned(),
        1..=6 => format!("Off until {} {}", weekday(next).get(..3).unwrap_or_default(), clock_digits(next)),
        _ => format!("Off until {}", date(next)),
    }
}

/// The current light: "On at 30%".
pub(super) fn light(light: Light) -> String {
    let at = |percent: u8| if percent == 100 { String::new() } else { format!(" at {percent}%") };
    match light {
        Light::Off => "Off".to_owned(),
        Light::On(brightness) => format!("On{}", at(brightness.get())),
        Light::Blink(_, brightness) => format!("Blinking{}", at(brightness.get())),
    }
}

/// The coming midnight has no day: "tomorrow at midnight" would be read as a day later.
fn when(now: LocalTime, then: LocalTime) -> String {
    match then.day().saturating_sub(now.day()) {
        0 => format!("at {}", clock(then)),
        1 if then.second_of_day() == 0 => "at midnight".to_owned(),
        1 => format!("tomorrow at {}", clock(then)),
        2..=6 => format!("on {} at {}", weekday(then), clock_digits(then)),
        _ => format!("on {} at {}", date(then), clock_digits(then)),
    }
}

/// Clock time for a sentence that names no day: `2:30 PM`, `9 AM`, `2:30:10 PM`, `noon`, `midnight`.
pub(super) fn clock(time: LocalTime) -> String {
    clock_of(time.second_of_day().into())
}

/// A second of the day as [`clock`].
pub(super) fn clock_of(second: i64) -> String {
    match second {
        0 => "midnight".to_owned(),
        NOON => "noon".to_owned(),
        _ => digits(second),
    }
}

/// Clock time for scales, running clocks, and sentences that name a day: `2:30 PM`, `9 AM`, `2:30:10 PM`, `12 AM`.
pub(super) fn clock_digits(time: LocalTime) -> String {
    digits(time.second_of_day().into())
}

fn digits(second: i64) -> String {
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let half = if hour < 12 { "AM" } else { "PM" };
    let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    match (minute, second) {
        (0, 0) => format!("{hour} {half}"),
        (_, 0) => format!("{hour}:{minute:02} {half}"),
        _ => format!("{hour}:{minute:02}:{second:02} {half}"),
    }
}

pub(super) fn weekday(time: LocalTime) -> &'static str {
    WEEKDAYS.get(usize::from(time.weekday())).copied().unwrap_or_default()
}

/// `Nov 27`
pub(super) fn date(time: LocalTime) -> String {
    let (_, month, day) = time.date();
    let month = usize::try_from(month).ok().and_then(|month| MONTHS.get(month.checked_sub(1)?));
    format!("{} {day}", month.copied().unwrap_or_default())
}

/// `10 s`, `5 min`, `1 h 30 min`
pub(super) fn duration(seconds: i64) -> String {
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let units: Vec<String> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}")).collect();
    units.join(" ")
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::{Instant, Moment, Schedule};

    use super::{clock_of, duration, light_until, next_change};
    use crate::schedule::ParsedText;

    fn at(schedule: &Schedule, time: &str) -> Instant {
        Moment::parse(time).unwrap().instant(schedule.time_zone())
    }

    #[test]
    fn the_next_change_is_told_with_its_time_and_how_long_it_lasts() {
        let file = "timezone = America/Toronto\non 18:00-23:00 tue\nblink every 30m 09:00-17:00 for 10s weekdays\n";
        let schedule = ParsedText::of(file).schedule;
        let said = |time| next_change(&schedule, at(&schedule, time));
        assert_eq!(said("2026-11-27T14:10:00"), "Next: blinks at 2:30 PM for 10 s.");
        assert_eq!(said("2026-11-27T14:30:00"), "Next: turns off at 2:30:10 PM.");
        assert_eq!(said("2026-11-27T16:30:10"), "Next: blinks on Monday at 9 AM for 10 s.");
        assert_eq!(said("2026-12-01T17:00:00"), "Next: lights up at 6 PM for 5 h.");
        assert_eq!(said("2026-12-01T23:00:00"), "Next: blinks tomorrow at 9 AM for 10 s.");
        let evenings = ParsedText::of("timezone = UTC\non 18:00-24:00").schedule;
        assert_eq!(next_change(&evenings, at(&evenings, "2026-11-27T20:00:00")), "Next: turns off at midnight.");
        let sundays = ParsedText::of("timezone = UTC\non 00:00-06:00 sun").schedule;
        assert_eq!(
            next_change(&sundays, at(&sundays, "2026-11-27T20:00:00")),
            "Next: lights up on Sunday at 12 AM for 6 h."
        );
        assert_eq!(light_until(&sundays, at(&sundays, "2026-11-27T20:00:00")), "Off until Sun 12 AM");
        assert_eq!(light_until(&sundays, at(&sundays, "2026-11-28T20:00:00")), "Off until midnight");
        let far = ParsedText::of("on 18:00-23:00 2026-12-24").schedule;
        assert_eq!(next_change(&far, at(&far, "2026-11-01T00:00:00")), "Next: lights up on Dec 24 at 6 PM for 5 h.");
        assert_eq!(next_change(&far, at(&far, "2027-01-01T00:00:00")), "No changes within a year.");
    }

    #[test]
    fn a_light_that_is_off_says_when_it_is_next_lit() {
        let schedule = ParsedText::of("timezone = UTC\non 18:00-23:00 tue\nblink 18:00 for 1m 2027-03-05\n").schedule;
        let said = |time| light_until(&schedule, at(&schedule, time));
        assert_eq!(said("2026-12-01T12:00:00"), "Off until 6 PM");
        assert_eq!(said("2026-12-01T18:00:00"), "On");
        assert_eq!(said("2026-12-01T23:00:00"), "Off until Dec 8");
        assert_eq!(said("2026-12-02T00:00:00"), "Off until Tue 6 PM");
        let never = ParsedText::of("off 22:00-06:00").schedule;
        assert_eq!(light_until(&never, at(&never, "2026-12-01T12:00:00")), "Off");
    }

    #[test]
    fn times_are_12_hour_with_am_and_pm() {
        let written = [0, 43_200, 27_000, 61_230, 3_600, 1_800].map(clock_of);
        assert_eq!(written, ["midnight", "noon", "7:30 AM", "5:00:30 PM", "1 AM", "12:30 AM"]);
    }

    #[test]
    fn lengths_are_said_in_their_largest_parts() {
        assert_eq!([10, 300, 5_400, 3_661].map(duration), ["10 s", "5 min", "1 h 30 min", "1 h 1 min 1 s"]);
    }
}
