//! Fast forward: a day in ten seconds.

use wasm_core::schedule::{Instant, Light, Schedule};

/// Interval of the lamp's updates in milliseconds. The fastest blink that is drawn has half-periods of 167 ms.
pub const TICK: i64 = 50;
pub const DAY_MS: i64 = 86_400_000;
/// Time that passes per tick, in milliseconds (7.2 minutes).
pub const STEP: i64 = DAY_MS / (10_000 / TICK);
/// How long each light is drawn at least, in ticks: a blink of ten seconds must be seen, and more than three flashes per
/// second can trigger seizures (WCAG 2.3.1).
const MIN_TICKS: i64 = 7;

/// The brightness that is drawn at a moment in fast forward, in percent: that of a light in the ticks before it.
pub fn brightness(schedule: &Schedule, now: Instant) -> u8 {
    let from = Instant::from_unix_ms(now.unix_ms().saturating_sub(STEP.saturating_mul(MIN_TICKS)));
    let at = |instant| percent(schedule.light_at(schedule.time_zone().local(instant)));
    let between = || {
        let change = schedule.next_change(from).filter(|change| change.at <= now);
        change.map_or(0, |change| percent(change.light))
    };
    [at(now), at(from)].into_iter().find(|percent| *percent > 0).unwrap_or_else(between)
}

const fn percent(light: Light) -> u8 {
    match light {
        Light::Off => 0,
        Light::On(brightness) | Light::Blink(_, brightness) => brightness.get(),
    }
}

#[cfg(test)]
mod tests {
    use wasm_core::schedule::{Instant, Moment};

    use super::{DAY_MS, STEP, brightness};
    use crate::schedule::ParsedText;

    /// What is drawn in each tick of a day.
    fn day(rules: &str) -> Vec<u8> {
        let schedule = ParsedText::of(&format!("timezone = UTC\n{rules}")).schedule;
        let midnight = Moment::parse("2026-11-27T00:00:00").unwrap().instant(schedule.time_zone()).unix_ms();
        let at = |tick: i64| brightness(&schedule, Instant::from_unix_ms(midnight + tick * STEP));
        (0..DAY_MS / STEP).map(at).collect()
    }

    #[test]
    fn a_day_takes_ten_seconds_and_a_blink_of_ten_seconds_is_seen_in_it() {
        let drawn = day("blink 09:03 for 10s 40%\non 18:00-23:00");
        assert_eq!(drawn.len(), 200);
        assert_eq!(drawn.iter().filter(|percent| **percent == 40).count(), 7, "a third of a second: {drawn:?}");
        let evening = drawn.iter().filter(|percent| **percent == 100).count();
        assert!((42..=49).contains(&evening), "{evening}");
    }

    #[test]
    fn it_never_flashes_more_than_three_times_a_second() {
        for rules in
            ["blink every 30m for 10s", "blink every 55m for 10s", "on every 1h for 30m", "blink every 10s for 5s"]
        {
            let drawn = day(rules);
            for second in drawn.windows(20) {
                let flashes = second.windows(2).filter(|pair| pair[0] == 0 && pair[1] > 0).count();
                assert!(flashes <= 3, "{rules}: {second:?}");
            }
        }
    }
}
