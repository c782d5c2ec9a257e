//! The lamp of the home page's hero: the sample schedule at an hour of a working day.

use wasm_core::schedule::{Instant, Light, Moment, Rule, Schedule, When};

use super::describe::{clock, duration, light};
use super::parsed_text::ParsedText;
use crate::pages::{HomeHour, LampState};
use crate::ui::{Lamp, SAMPLE_SCHEDULE};

/// State of the home page's lamp at an hour.
#[must_use]
pub fn home_lamp_at(hour: HomeHour) -> LampState {
    let schedule = ParsedText::of(SAMPLE_SCHEDULE).schedule;
    let moment = Moment::parse(working_day(hour));
    moment.and_then(|moment| lamp_state(&schedule, moment.instant(schedule.time_zone()))).unwrap_or_default()
}

/// A Monday.
const fn working_day(hour: HomeHour) -> &'static str {
    match hour {
        HomeHour::Morning => "2026-11-30T07:00:00",
        HomeHour::Noon => "2026-11-30T12:00:00",
        HomeHour::Evening => "2026-11-30T21:00:00",
    }
}

fn lamp_state(schedule: &Schedule, now: Instant) -> Option<LampState> {
    let zone = schedule.time_zone();
    let rule = schedule.active_rule(zone.local(now))?.rule;
    let meaning = match rule.light {
        Light::Blink(..) => format!("Blinking, {}.", interval_text(rule)),
        Light::On(_) | Light::Off => {
            format!("{} until {}.", light(rule.light), clock(zone.local(schedule.next_change(now)?.at)))
        }
    };
    Some(LampState { lamp: lamp(rule.light), rule: schedule.display_rule(rule).to_string(), meaning })
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
    use super::home_lamp_at;
    use crate::pages::{HomeHour, LampState};
    use crate::ui::{Lamp, SAMPLE_SCHEDULE};

    #[test]
    fn the_home_pages_lamp_shows_every_rule_of_the_sample_schedule() {
        let shown = HomeHour::ALL.map(home_lamp_at);
        let lamps = shown.each_ref().map(|state| (state.lamp, state.meaning.as_str()));
        assert_eq!(
            lamps,
            [
                (Lamp::On, "On until 07:30."),
                (Lamp::Blink, "Blinking, every 30 min until 17:00."),
                (Lamp::On, "On at 40% until 23:00."),
            ]
        );
        let rules = SAMPLE_SCHEDULE.lines().filter(|line| line.starts_with("on ") || line.starts_with("blink "));
        assert_eq!(rules.count(), HomeHour::ALL.len());
    }

    #[test]
    fn the_server_renders_what_the_evaluator_says_of_the_default_hour() {
        assert_eq!(home_lamp_at(HomeHour::default()), LampState::default());
    }
}
