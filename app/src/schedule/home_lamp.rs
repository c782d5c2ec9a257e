//! The schedule of the home page's lamp.

use serde::Serialize;
use wasm_core::schedule::{Instant, Light, Rule, Schedule, When};

use super::describe::{clock, duration};
use super::parsed_text::ParsedText;
use crate::pages::LampState;
use crate::ui::Lamp;

/// Evaluated in the visitor's local time, which is treated as UTC. The lamp is never off: the server renders it lit, and
/// a light that went out on page load would look broken.
const SCHEDULE: &str = "timezone = UTC\n\
    on 00:00-24:00\n\
    blink every 30m 09:00-17:00 for 10s\n";

/// State of the home page's lamp, and how long it is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(target_arch = "wasm32", derive(serde::Deserialize, tsify::Tsify))]
pub struct HomeLamp {
    pub state: LampState,
    /// Milliseconds.
    pub holds_for: i32,
}

/// The home page's lamp at the visitor's local time: milliseconds, as if it were UTC.
#[must_use]
pub fn home_lamp_at(wall_ms: i64) -> HomeLamp {
    let schedule = ParsedText::of(SCHEDULE).schedule;
    let now = Instant::from_unix_ms(wall_ms);
    let next = schedule.next_change(now);
    let holds_for = next.map_or(i64::from(i32::MAX), |change| change.at.unix_ms().saturating_sub(wall_ms));
    let holds_for = i32::try_from(holds_for).unwrap_or(i32::MAX);
    HomeLamp { state: lamp_state(&schedule, now, next.map(|change| change.at)).unwrap_or_default(), holds_for }
}

/// An upcoming blink takes precedence over a steady light.
fn lamp_state(schedule: &Schedule, now: Instant, next: Option<Instant>) -> Option<LampState> {
    let zone = schedule.time_zone();
    let active = schedule.active_rule(zone.local(now)).map(|active| active.rule);
    let then = zone.local(next?);
    let upcoming = schedule.active_rule(then).map(|active| active.rule);
    let light = active.map_or(Light::Off, |rule| rule.light);
    let (rule, meaning) = match (active, upcoming) {
        (Some(rule), _) if matches!(rule.light, Light::Blink(..)) => {
            (rule, format!("Blinking, {}", interval_text(rule)))
        }
        (_, Some(rule)) if matches!(rule.light, Light::Blink(..)) => {
            (rule, format!("Blinks {} · next at {}", interval_text(rule), clock(then)))
        }
        (Some(rule), _) => (rule, format!("On until {}.", clock(then))),
        (None, Some(rule)) => (rule, format!("Off until {}.", clock(then))),
        (None, None) => return None,
    };
    Some(LampState { lamp: lamp(light), rule: schedule.display_rule(rule).to_string(), meaning })
}

/// "every 30 min until 17:00"
fn interval_text(rule: &Rule) -> String {
    match rule.when {
        When::Every { start, range, interval, .. } => {
            let end = start.saturating_add(range);
            format!("every {} until {:02}:{:02}", duration(interval.into()), end / 3600 % 24, end / 60 % 60)
        }
        When::Once { length, .. } => format!("for {}", duration(length.into())),
    }
}

const fn lamp(light: Light) -> Lamp {
    match light {
        Light::Off => Lamp::Off,
        Light::On(_) => Lamp::On,
        Light::Blink(..) => Lamp::Blink,
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::{Moment, TimeZone};

    use super::home_lamp_at;
    use crate::ui::Lamp;

    fn described(time: &str) -> (String, i32) {
        let zone = TimeZone::parse("UTC").unwrap();
        let home = home_lamp_at(Moment::parse(time).unwrap().instant(&zone).unix_ms());
        (format!("{:?}: {}", home.state.lamp, home.state.meaning), home.holds_for)
    }

    #[test]
    fn the_home_pages_lamp_says_what_it_does_and_what_comes_next() {
        let cases = [
            ("2026-11-27T14:10:00", "On: Blinks every 30 min until 17:00 · next at 14:30", 1_200_000),
            ("2026-11-27T14:30:04", "Blink: Blinking, every 30 min until 17:00", 6_000),
            ("2026-11-27T19:00:00", "On: Blinks every 30 min until 17:00 · next at 09:00", 50_400_000),
            ("2026-11-27T23:30:00", "On: Blinks every 30 min until 17:00 · next at 09:00", 34_200_000),
        ];
        for (time, meaning, holds_for) in cases {
            assert_eq!(described(time), (meaning.to_owned(), holds_for));
        }
    }

    #[test]
    fn the_home_pages_lamp_is_dark_at_no_minute_of_the_day() {
        let zone = TimeZone::parse("UTC").unwrap();
        let midnight = Moment::parse("2026-11-27T00:00:00").unwrap().instant(&zone).unix_ms();
        for minute in 0..24 * 60 {
            assert_ne!(home_lamp_at(midnight + minute * 60_000).state.lamp, Lamp::Off, "minute {minute}");
        }
    }
}
