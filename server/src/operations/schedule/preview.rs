//! A week as text: one line per day, one character per half hour of local time.

use std::fmt::Write as _;

use wasm_core::schedule::{Instant, Light, LocalTime, Schedule};

const DAYS: i64 = 7;
const HALF_HOURS: u32 = 48;
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const OFF: char = '.';
const ON: char = '#';
const BLINK: char = '*';
/// A half hour that daylight saving time skips.
const SKIPPED: char = ' ';

/// Seven days, starting with the day of `first`.
pub fn week(schedule: &Schedule, first: LocalTime) -> String {
    let (year, month, day) = first.date();
    let zone = schedule.time_zone();
    let mut text = format!("{:16}", "");
    for hour in (0..24).step_by(3) {
        let _ = write!(text, "{hour:02}    ");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    let midnight = LocalTime::new(year, month, day, 0, 0, 0).unwrap_or(first);
    // Noon plus 24 hours is always within the next day, even when daylight saving time changes.
    let noon = zone.instant(midnight).plus_seconds(12 * 3600);
    for number in 0..DAYS {
        let (year, month, day) = zone.local(noon.plus_seconds(number * 86_400)).date();
        let cells = (0..HALF_HOURS).filter_map(|cell| Some(symbol(schedule, half_hour((year, month, day), cell)?)));
        let name = LocalTime::new(year, month, day, 0, 0, 0)
            .and_then(|midnight| WEEKDAYS.get(usize::from(midnight.weekday())).copied());
        let cells: String = cells.collect();
        let _ = writeln!(text, "{} {year:04}-{month:02}-{day:02}  {}", name.unwrap_or_default(), cells.trim_end());
    }
    let _ = writeln!(text, "\n{ON} on  {BLINK} blinks  {OFF} off  ({})", zone.name());
    text
}

fn half_hour((year, month, day): (i32, u32, u32), cell: u32) -> Option<LocalTime> {
    LocalTime::new(year, month, day, cell / 2, cell % 2 * 30, 0)
}

/// The most notable state of the lamp within a half hour, however short.
fn symbol(schedule: &Schedule, from: LocalTime) -> char {
    let zone = schedule.time_zone();
    let begin = zone.instant(from);
    if zone.local(begin) != from {
        return SKIPPED;
    }
    let changes = schedule.changes(begin, end_of(schedule, begin));
    let lights = changes.map(|change| change.light).chain([schedule.light_at(from)]);
    lights
        .map(|light| match light {
            Light::Off => OFF,
            Light::On(_) => ON,
            Light::Blink(..) => BLINK,
        })
        .max_by_key(|symbol| [OFF, ON, BLINK].iter().position(|known| known == symbol))
        .unwrap_or(OFF)
}

/// Half an hour later. A repeated hour at the end of daylight saving time belongs to it.
fn end_of(schedule: &Schedule, begin: Instant) -> Instant {
    let zone = schedule.time_zone();
    let end = begin.plus_seconds(1800);
    let set_back = i64::from(zone.offset_at(begin)) - i64::from(zone.offset_at(end));
    end.plus_seconds(set_back.max(0))
}
