//! Property tests: invariants of schedules, and of arbitrary bytes.
#![cfg(not(target_arch = "wasm32"))]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "tests fail by panicking"
)]

use proptest::prelude::*;
use wasm_core::schedule::{self, Diagnostic, Instant, Light, LocalTime, Schedule, Severity, When};

/// Zones whose clock changes are tested. The last two have changes of half an hour and of two hours.
const ZONES: [&str; 8] = [
    "UTC",
    "America/New_York",
    "America/St_Johns",
    "America/Phoenix",
    "America/Vancouver",
    "Europe/Dublin",
    "Australia/Lord_Howe",
    "Antarctica/Troll",
];

const START_OF_2027: i64 = 1_798_761_600;
const DAY: i64 = 86_400;
const MINUTE: usize = 60;

fn parse(text: &str) -> (Schedule, Vec<Diagnostic>) {
    let mut found = Vec::new();
    let schedule = schedule::parse(text, &mut |diagnostic| found.push(diagnostic));
    (schedule, found)
}

fn clock() -> impl Strategy<Value = String> {
    (0..24_u32, 0..60_u32, prop::option::weighted(0.2, 0..60_u32), 0..4).prop_map(|(hour, minute, second, form)| {
        let seconds = second.map(|second| format!(":{second:02}")).unwrap_or_default();
        if form > 0 {
            return format!("{hour:02}:{minute:02}{seconds}");
        }
        let half = if hour < 12 { "am" } else { "pm" };
        format!("{}:{minute:02}{seconds}{half}", (hour + 11) % 12 + 1)
    })
}

fn when() -> impl Strategy<Value = String> {
    let duration = || prop::sample::select(vec!["1s", "10s", "45s", "1m", "7m", "30m", "1h", "2h30m", "23h", "24h"]);
    let interval = prop::sample::select(vec!["2s", "1m30s", "13m", "30m", "1h", "7h", "24h"]);
    let range = || (clock(), clock()).prop_map(|(start, end)| format!("{start}-{end}"));
    prop_oneof![
        range(),
        (clock(), duration()).prop_map(|(start, length)| format!("{start} for {length}")),
        (interval.clone(), range(), duration())
            .prop_map(|(every, range, length)| format!("every {every} {range} for {length}")),
        (interval, duration()).prop_map(|(every, length)| format!("every {every} for {length}")),
    ]
}

fn days() -> impl Strategy<Value = String> {
    let day = prop::sample::select(vec![
        "mon",
        "tuesday",
        "fri-mon",
        "weekdays",
        "weekends",
        "daily",
        "sat",
        "2027-03-13",
        "2027-03-14",
        "2027-11-07",
        "2027-03-14..2027-03-28",
        "2026-12-24..2027-01-02",
        "2027-10-31",
        "2028-02-29",
    ]);
    prop::collection::vec(day, 1..4).prop_map(|days| days.join(","))
}

fn rule() -> impl Strategy<Value = String> {
    let speed = prop::sample::select(vec!["", " slow", " fast", " 200ms/800ms", " 1500ms/60s"]);
    let brightness = prop::sample::select(vec!["", " 40%", " 1%"]);
    (0..3, when(), prop::option::of(days()), speed, brightness).prop_map(|(action, when, days, speed, brightness)| {
        let days = days.map(|days| format!(" {days}")).unwrap_or_default();
        match action {
            0 => format!("off {when}{days}"),
            1 => format!("on {when}{days}{brightness}"),
            _ => format!("blink {when}{speed}{days}{brightness}"),
        }
    })
}

/// Valid file. Its empty rules, such as `on 09:00-09:00`, are skipped by the parser.
fn file() -> impl Strategy<Value = String> {
    (prop::sample::select(ZONES.to_vec()), prop::collection::vec(rule(), 0..8))
        .prop_map(|(zone, rules)| format!("timezone = {zone}\n{}\n", rules.join("\n")))
}

/// Keywords and misspelled words in any order.
fn word_soup() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "on",
        "off",
        "blink",
        "every",
        "for",
        "slow",
        "fast",
        "weekdays",
        "mon",
        "fri-mon",
        "mon,",
        ",wed",
        "07:00",
        "9:00",
        "7:00am",
        "24:00",
        "am",
        "-",
        "–",
        "09:00-17:00",
        "17:00-09:00",
        "09:00-",
        "30m",
        "10s",
        "1h30m",
        "99h",
        "0s",
        "30",
        "s",
        "40%",
        "0%",
        "40",
        "%",
        "200ms/800ms",
        "200/800",
        "/",
        "2026-12-24",
        "2026-12-24..",
        "2026-12-24..2027-01-02",
        "2026-02-30",
        "#",
        "# note",
        "=",
        "wifi",
        "wifi =",
        "password =",
        "timezone =",
        "America/Toronto",
        "UTC-5",
        "EST5EDT,M3.2.0,M11.1.0",
        "time-server=",
        "é",
        "☕",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\t",
        "\u{feff}",
        "\0",
        "\"",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

/// Reference implementation: the light by a search of every window of every rule.
fn by_hand(schedule: &Schedule, local: LocalTime) -> Light {
    let now = i64::from(local.day()) * DAY + i64::from(local.second_of_day());
    let covering = schedule.rules().iter().rev().find(|rule| {
        (local.day() - 3..=local.day()).any(|day| {
            let weekday = 1 << (day + 3).rem_euclid(7) & rule.days.weekdays() != 0;
            let dated =
                schedule.dates(rule.days).iter().any(|range| (range.first().day()..=range.last().day()).contains(&day));
            let midnight = i64::from(day) * DAY;
            let (starts, length): (Vec<u32>, u32) = match rule.when {
                When::Once { start, length } => (vec![start], length),
                When::Every { start, range, interval, length } => {
                    ((start..start + range).step_by(interval.try_into().unwrap()).collect(), length)
                }
            };
            let covers =
                |start: &u32| (midnight + i64::from(*start)..midnight + i64::from(start + length)).contains(&now);
            (weekday || dated) && starts.iter().any(covers)
        })
    });
    covering.map_or(Light::Off, |rule| rule.light)
}

/// Compares the light at every step between changes.
fn agrees_between_changes(schedule: &Schedule, from: Instant, days: i64, step: usize) {
    let zone = schedule.time_zone();
    let until = from.plus_seconds(days * DAY);
    let (mut at, mut light) = (from, schedule.light_at(zone.local(from)));
    for change in schedule.changes(from, until).map(Some).chain([None]) {
        let end = change.map_or(until, |change| change.at);
        assert!(end > at, "a change at {end} after {at}");
        for second in (at.unix_seconds()..end.unix_seconds()).step_by(step).chain([end.unix_seconds() - 1]) {
            let local = zone.local(Instant::from_unix_seconds(second));
            assert_eq!(schedule.light_at(local), light, "{local} in {}\n{schedule}", zone.name());
        }
        if let Some(change) = change {
            assert_ne!(change.light, light, "no change at {}\n{schedule}", zone.show(end));
            assert_eq!(schedule.light_at(zone.local(end)), change.light, "{}\n{schedule}", zone.show(end));
            light = change.light;
        }
        at = end;
    }
}

// spec: a light that turns on or blinks at a programmed time and interval
#[test]
fn light_and_next_change_agree_at_every_minute_of_two_years() {
    let rules = "off 22:00-06:30\non 07:00-07:30 mon-fri\nblink 09:00 for 30s weekdays fast\n\
                 blink every 30m 09:00-17:00 for 10s mon,wed,fri\non 18:00-23:00 2026-12-24..2027-01-02 40%\n\
                 on 01:15-03:45 sun 20%\nblink every 50m 23:00-04:00 for 20m 60% fast\noff 02:10-02:20\n";
    for zone in ZONES {
        let (schedule, found) = parse(&format!("timezone = {zone}\n{rules}"));
        assert_eq!(found, [], "{zone}");
        agrees_between_changes(&schedule, Instant::from_unix_seconds(START_OF_2027), 2 * 365, MINUTE);
    }
}

proptest! {
    #[test]
    fn light_and_next_change_agree_at_every_second_around_a_clock_change(
        text in file(),
        (month, day) in prop::sample::select(vec![(1, 1), (3, 14), (3, 28), (4, 4), (10, 3), (10, 31), (11, 7), (12, 31)]),
    ) {
        let (schedule, _) = parse(&text);
        let noon = LocalTime::new(2027, month, day, 12, 0, 0).unwrap();
        let from = schedule.time_zone().instant(noon).plus_seconds(-2 * DAY / 3);
        // A quarter of a day is enough: some schedules change every other second.
        let dense = schedule.rules().iter().any(|rule| matches!(rule.when, When::Every { interval: 0..60, .. }));
        agrees_between_changes(&schedule, from, 1, if dense { 61 } else { 7 });
    }

    #[test]
    fn the_light_is_that_of_the_lowest_rule_with_a_window_there(
        text in file(), day in -3..400_i64, seconds in prop::collection::vec(0..DAY, 20),
    ) {
        let (schedule, _) = parse(&text);
        for second in seconds {
            let at = Instant::from_unix_seconds(START_OF_2027 + day * DAY + second);
            let local = schedule.time_zone().local(at);
            prop_assert_eq!(schedule.light_at(local), by_hand(&schedule, local), "{} {}", local, schedule);
        }
    }

    #[test]
    fn a_schedule_survives_being_written_and_read(text in file()) {
        let (schedule, _) = parse(&text);
        let written = schedule.to_string();
        let (again, found) = parse(&written);
        prop_assert_eq!(found, [], "{}", written);
        prop_assert!(again == schedule, "{}\n{}", text, written);
        prop_assert_eq!(again.to_string(), written);
    }

    #[test]
    fn what_counts_of_a_file_with_mistakes_survives_being_written_and_read(text in word_soup()) {
        let (schedule, _) = parse(&text);
        let (again, found) = parse(&schedule.to_string());
        prop_assert!(found.iter().all(|diagnostic| diagnostic.severity() == Severity::Warning), "{:?}", found);
        prop_assert!(again == schedule, "{:?}", text);
    }

    #[test]
    fn every_diagnostic_points_into_its_file(text in word_soup()) {
        let (_, found) = parse(&text);
        for diagnostic in found {
            let Diagnostic { line, column, end_column, span, suggestion, .. } = diagnostic;
            prop_assert!(text.get(span.start..span.end).is_some(), "{:?} {:?}", span, text);
            prop_assert!(usize::from(line) <= text.matches('\n').count() + 1);
            prop_assert!(1 <= column && column <= end_column);
            if let Some(suggestion) = suggestion {
                let (start, end) = (suggestion.span.start, suggestion.span.end);
                prop_assert!(text.get(start..end).is_some(), "{:?} {:?}", suggestion, text);
                prop_assert!(suggestion.replacement.as_str() != &text[start..end], "{:?} {:?}", suggestion, text);
            }
        }
    }

    #[test]
    fn taking_every_suggestion_comes_to_an_end(text in word_soup()) {
        let mut text = text;
        for _ in 0..200 {
            let (_, found) = parse(&text);
            let Some(suggestion) = found.iter().find_map(|diagnostic| diagnostic.suggestion) else { return Ok(()) };
            text.replace_range(suggestion.span.start..suggestion.span.end, suggestion.replacement.as_str());
        }
        prop_assert!(false, "still not mended: {:?}", text);
    }

    #[test]
    fn any_bytes_are_read_and_give_a_light_and_a_next_change(
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..600),
            word_soup().prop_map(String::into_bytes),
            (word_soup(), prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8)).prop_map(|(text, changes)| {
                let mut bytes = text.into_bytes();
                for (index, byte) in changes {
                    if !bytes.is_empty() {
                        let at = index.index(bytes.len());
                        bytes[at] = byte;
                    }
                }
                bytes
            }),
        ],
        ms in any::<i64>(),
        near in -10_000_000_000..10_000_000_000_000_i64,
    ) {
        let schedule = schedule::parse(&bytes, &mut |diagnostic| drop(diagnostic.to_string()));
        for ms in [ms, near] {
            let instant = Instant::from_unix_ms(ms);
            let local = schedule.time_zone().local(instant);
            prop_assert!(schedule.brightness_at(local) <= 100);
            if let Some(change) = schedule.next_change(instant) {
                prop_assert!(change.at > instant);
            }
        }
    }

    #[test]
    fn any_zone_is_read_without_a_panic(zone in "[A-Z<>]{0,5}[-+0-9:]{0,6}[A-Za-z]{0,4}(,[JM]?[0-9.]{0,6}(/[-0-9:]{0,6})?){0,2}", ms in any::<i64>()) {
        if let Some(zone) = schedule::TimeZone::parse(&zone) {
            let instant = Instant::from_unix_ms(ms);
            prop_assert!(zone.next_transition(instant).is_none_or(|next| next > instant));
            prop_assert!(zone.offset_at(instant).abs() <= 25 * 3600 + 3600);
        }
    }
}
