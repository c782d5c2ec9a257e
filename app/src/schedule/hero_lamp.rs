//! The lamp of the home page's hero, which follows a single line.
//!
//! The line decides the moment that is shown: when it next lights up. Time stands still there, so that a blink of ten
//! seconds can be seen. Days start on a fixed Monday.

use wasm_core::schedule::{Instant, Light, LocalTime, Moment, Schedule, When};

use super::describe::{clock, clock_digits, clock_of, duration, weekday};
use super::parsed_text::ParsedText;
use crate::pages::{BlinkSpeed, LampState};
use crate::ui::{Daypart, Lamp, Level};

const MONDAY: &str = "2026-11-30T00:00:00";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// The file of a line: its time zone, then the line.
const HEADER: &str = "timezone = UTC\n";
/// Fixes that are applied to a line before it counts as not understood.
const MAX_FIXES: usize = 5;

/// The lamp at the line's next light, or at a part of the day.
#[must_use]
pub fn hero_lamp(line: &str, daypart: Option<Daypart>) -> LampState {
    let read = ReadLine::of(line);
    let at = shown_moment(&read.schedule, daypart);
    let local = read.schedule.time_zone().local(at);
    let light = read.schedule.light_at(local);
    LampState {
        daypart: Daypart::at(hour(local)),
        lamp: lamp(light),
        level: level(light),
        speed: speed(light),
        meaning: meaning(&read, at),
        problem: read.problem,
        fix: read.fix,
    }
}

/// A line that is followed.
struct ReadLine {
    schedule: Schedule,
    /// Why the light would skip the line as it was typed.
    problem: Option<String>,
    /// What it follows instead.
    fix: Option<String>,
}

impl ReadLine {
    fn of(line: &str) -> Self {
        let line = line.lines().next().unwrap_or_default();
        let mut file = format!("{HEADER}{line}");
        let typed = ParsedText::of(&file);
        let Some(first) = typed.problems.first().filter(|problem| !problem.is_note()) else {
            return Self { schedule: typed.schedule, problem: None, fix: None };
        };
        let problem = Some(first.message.clone());
        let mut parsed = typed.clone();
        for _ in 0..MAX_FIXES {
            let fix =
                parsed.problems.iter().find(|problem| !problem.is_note()).and_then(|problem| problem.fix.as_ref());
            let Some((fixed, _)) = fix.and_then(|fix| fix.apply(&file)) else { break };
            file = fixed;
            parsed = ParsedText::of(&file);
        }
        let fix = file.strip_prefix(HEADER).filter(|_| !parsed.has_errors()).map(|fixed| fixed.trim_end().to_owned());
        let schedule = if fix.is_some() { parsed.schedule } else { typed.schedule };
        Self { schedule, problem, fix }
    }
}

/// The moment after a fixed Monday at which a schedule first lights up, or that Monday.
pub(super) fn first_light(schedule: &Schedule) -> Instant {
    first_lit(schedule, monday()).unwrap_or_else(monday)
}

fn monday() -> Instant {
    Moment::parse(MONDAY).map_or(Instant::from_unix_seconds(0), |monday| monday.instant(Schedule::EMPTY.time_zone()))
}

/// When the line first lights up; in a part of the day, when it does so then, or the middle of that part.
fn shown_moment(schedule: &Schedule, daypart: Option<Daypart>) -> Instant {
    let monday = monday();
    let lit = first_lit(schedule, monday);
    let Some(daypart) = daypart.or_else(|| lit.is_none().then_some(Daypart::Night)) else {
        return lit.unwrap_or(monday);
    };
    let day = lit.unwrap_or(monday).unix_seconds().div_euclid(DAY).saturating_mul(DAY);
    let at = |hours: i64| Instant::from_unix_seconds(day.saturating_add(hours.saturating_mul(HOUR)));
    let (from, middle, until) = match daypart {
        Daypart::Sunrise => (5, 6, 8),
        Daypart::Day => (8, 13, 17),
        Daypart::Dusk => (17, 18, 20),
        Daypart::Night => (20, 22, 29),
    };
    if schedule.light_at(schedule.time_zone().local(at(middle))) != Light::Off {
        return at(middle);
    }
    let changes = schedule.changes(at(from).plus_seconds(-1), at(until));
    changes.take(MAX_CHANGES).find(|change| change.light != Light::Off).map_or(at(middle), |change| change.at)
}

/// More than the changes of a part of the day, with a rule that blinks every few seconds.
const MAX_CHANGES: usize = 2_000;

/// The first change to light after an instant, within a year.
fn first_lit(schedule: &Schedule, from: Instant) -> Option<Instant> {
    let first = schedule.next_change(from.plus_seconds(-1))?;
    match first.light {
        Light::Off => schedule.next_change(first.at).map(|change| change.at),
        Light::On(_) | Light::Blink(..) => Some(first.at),
    }
}

fn meaning(read: &ReadLine, at: Instant) -> String {
    if read.schedule.rules().is_empty() {
        return match read.problem {
            Some(_) => "Off: the light skips this line.",
            None => "Off: this line says no time.",
        }
        .to_owned();
    }
    let zone = read.schedule.time_zone();
    let local = zone.local(at);
    let next = read.schedule.next_change(at).map(|change| zone.local(change.at));
    let until = next.map(|next| format!(" until {}", time_from(local, next))).unwrap_or_default();
    match (read.schedule.light_at(local), read.schedule.rules().first().map(|rule| rule.when)) {
        (Light::Off, _) if next.is_none() => "Off: this line never lights it.".to_owned(),
        (Light::Off, _) => format!("Off{until}."),
        (Light::On(brightness), _) if brightness.get() == 100 => format!("On{until}."),
        (Light::On(brightness), _) => format!("On at {}%{until}.", brightness.get()),
        (Light::Blink(..), Some(When::Every { start, range, interval, .. })) => {
            let every = format!("Blinks every {}", duration(interval.into()));
            let end = i64::from(start.saturating_add(range)) % DAY;
            if i64::from(range) >= DAY { format!("{every}.") } else { format!("{every} until {}.", clock_of(end)) }
        }
        (Light::Blink(..), Some(When::Once { length, .. })) => format!("Blinks for {}.", duration(length.into())),
        (Light::Blink(..), None) => "Blinks.".to_owned(),
    }
}

/// `11 PM`, or `Tuesday, 6 PM` if that is not within the day after `from`.
fn time_from(from: LocalTime, time: LocalTime) -> String {
    if time.day().saturating_sub(from.day()) < 2 {
        return clock(time);
    }
    format!("{}, {}", weekday(time), clock_digits(time))
}

fn hour(time: LocalTime) -> u32 {
    time.second_of_day() / 3_600
}

pub(super) const fn lamp(light: Light) -> Lamp {
    match light {
        Light::Off => Lamp::Off,
        Light::On(_) => Lamp::On,
        Light::Blink(..) => Lamp::Blink,
    }
}

pub(super) fn level(light: Light) -> Level {
    match light {
        Light::Off => Level::Full,
        Light::On(brightness) | Light::Blink(_, brightness) => Level::of(brightness.get()),
    }
}

fn speed(light: Light) -> BlinkSpeed {
    match light {
        Light::Blink(speed, _) if u32::from(speed.lit_ms()).saturating_add(speed.dark_ms().into()) < 1_000 => {
            BlinkSpeed::Fast
        }
        _ => BlinkSpeed::Slow,
    }
}

#[cfg(test)]
mod tests {
    use super::hero_lamp;
    use crate::pages::{BlinkSpeed, HERO_EXAMPLES, LampState};
    use crate::ui::{Daypart, Lamp, Level};

    fn shown(line: &str, daypart: Option<Daypart>) -> (Lamp, Daypart, String) {
        let state = hero_lamp(line, daypart);
        (state.lamp, state.daypart, state.meaning)
    }

    #[test]
    fn the_moment_that_is_shown_is_the_one_at_which_the_line_lights_up() {
        for (line, lamp, daypart, meaning) in [
            ("on 18:00-23:00 40%", Lamp::On, Daypart::Dusk, "On at 40% until 11 PM."),
            ("on 06:30-07:00 weekdays", Lamp::On, Daypart::Sunrise, "On until 7 AM."),
            ("blink 08:00 for 5m fast", Lamp::Blink, Daypart::Day, "Blinks for 5 min."),
            ("blink every 30m 09:00-17:00 for 10s", Lamp::Blink, Daypart::Day, "Blinks every 30 min until 5 PM."),
            ("blink every 1h for 10s", Lamp::Blink, Daypart::Night, "Blinks every 1 h."),
            ("on 21:00-06:30 5%", Lamp::On, Daypart::Night, "On at 5% until 6:30 AM."),
            ("on 22:00-24:00 sat", Lamp::On, Daypart::Night, "On until midnight."),
            ("on 09:00-10:00 2027-06-01", Lamp::On, Daypart::Day, "On until 10 AM."),
            ("on 00:00-24:00", Lamp::On, Daypart::Night, "On."),
            ("off 22:00-06:00", Lamp::Off, Daypart::Night, "Off: this line never lights it."),
            ("wifi = Home", Lamp::Off, Daypart::Night, "Off: this line says no time."),
            ("", Lamp::Off, Daypart::Night, "Off: this line says no time."),
            ("hello", Lamp::Off, Daypart::Night, "Off: the light skips this line."),
        ] {
            assert_eq!(shown(line, None), (lamp, daypart, meaning.to_owned()), "{line}");
        }
    }

    #[test]
    fn another_part_of_the_day_shows_the_light_then_and_when_it_changes() {
        let line = "on 18:00-23:00 40%";
        assert_eq!(shown(line, Some(Daypart::Day)), (Lamp::Off, Daypart::Day, "Off until 6 PM.".to_owned()));
        assert_eq!(shown(line, Some(Daypart::Night)).2, "On at 40% until 11 PM.");
        let blink = "blink 09:00 for 30s";
        assert_eq!(shown(blink, Some(Daypart::Night)), (Lamp::Off, Daypart::Night, "Off until 9 AM.".to_owned()));
        assert_eq!(shown(blink, Some(Daypart::Day)).0, Lamp::Blink, "the blink of that part of the day");
        assert_eq!(shown("on 18:00-23:00 tue", Some(Daypart::Sunrise)).2, "Off until 6 PM.");
        assert_eq!(shown("blink every 10s for 5s 40%", Some(Daypart::Dusk)).0, Lamp::Blink);
        for daypart in Daypart::ALL {
            assert_eq!(shown("hello", Some(daypart)).1, daypart);
        }
    }

    #[test]
    fn the_light_obeys_what_was_meant_and_says_what_to_write() {
        let meant = hero_lamp("turn on from 9 to 5", None);
        assert_eq!((meant.lamp, meant.fix.as_deref()), (Lamp::On, Some("on 09:00-17:00")));
        let typo = hero_lamp("blik 09:00 for 30s wekdays", None);
        assert_eq!((typo.lamp, typo.fix.as_deref()), (Lamp::Blink, Some("blink 09:00 for 30s weekdays")));
        assert_eq!(typo.problem.as_deref(), Some("Start with on, blink, or off."));
        let sunset = hero_lamp("on at sunset", None);
        assert_eq!((sunset.lamp, sunset.fix), (Lamp::Off, None));
        assert_eq!(sunset.problem.unwrap(), "This light has no sunset. Write a time such as 18:00.");
    }

    #[test]
    fn no_text_can_break_it() {
        for line in ["x".repeat(10_000), "\u{0}\u{7}\u{202e}on".to_owned(), "on 9-5\nblink".to_owned(), "é".repeat(300)]
        {
            let _ = hero_lamp(&line, Some(Daypart::Dusk));
        }
    }

    #[test]
    fn brightness_and_speed_can_be_seen() {
        assert_eq!(hero_lamp("on 18:00-23:00 5%", None).level, Level::Faint);
        assert_eq!(hero_lamp("on 18:00-23:00", None).level, Level::Full);
        assert_eq!(hero_lamp("blink 08:00 for 5m fast", None).speed, BlinkSpeed::Fast);
        assert_eq!(hero_lamp("blink 08:00 for 5m", None).speed, BlinkSpeed::Slow);
    }

    #[test]
    fn the_examples_light_up_each_at_its_time_and_the_server_renders_the_first_one() {
        for (name, line) in HERO_EXAMPLES {
            let state = hero_lamp(line, None);
            assert!(state.lamp != Lamp::Off && state.problem.is_none(), "{name}");
        }
        assert_eq!(hero_lamp(HERO_EXAMPLES[0].1, None), LampState::default());
    }
}
