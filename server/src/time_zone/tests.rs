use super::*;
use crate::infra::clock::{HOUR, parse_day};

fn zone(name: &str) -> ShopZone {
    ShopZone::of_name(name).unwrap()
}

fn at(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

/// Every rule of the table once.
fn zones() -> Vec<ShopZone> {
    let mut rules: Vec<&str> = zone_names().map(|(_, rule)| rule).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.into_iter().map(|rule| ShopZone::of_rule(rule).unwrap()).collect()
}

// invariant: days-tile-time
#[test]
fn days_follow_each_other_without_gap_or_overlap_in_every_zone_at_every_half_hour() {
    let (first, last) = (at("2025-12-30T00:00:00Z"), at("2029-01-03T00:00:00Z"));
    for zone in zones() {
        let mut day = zone.day_of(first);
        let mut bounds = zone.bounds(day);
        for instant in (first..last).step_by(usize::try_from(HOUR / 2).unwrap()) {
            while instant >= bounds.end {
                let next = zone.bounds(day + 1);
                assert_eq!(bounds.end, next.start, "{}", zone.rule());
                assert_eq!([next.start - 1, next.start].map(|edge| zone.day_of(edge)), [day, day + 1]);
                assert!((22 * HOUR..=26 * HOUR).contains(&(next.end - next.start)), "{}: {next:?}", zone.rule());
                (day, bounds) = (day + 1, next);
            }
            assert_eq!(zone.day_of(instant), day, "{} at {instant}", zone.rule());
            assert!(zone.local(instant).starts_with(&day_text(day)), "{} at {instant}", zone.rule());
        }
    }
}

#[test]
fn every_name_of_the_table_is_a_zone_with_its_rule() {
    for (name, rule) in zone_names() {
        assert_eq!(zone(name.as_str()).rule(), rule, "{}", name.as_str());
    }
    assert_eq!(ShopZone::default(), zone("UTC"));
}

#[test]
fn a_day_can_begin_at_one_and_be_23_or_25_hours_long() {
    let new_york = zone("America/New_York");
    let length = |zone: ShopZone, day: &str| {
        let bounds = zone.bounds(parse_day(day).unwrap());
        (bounds.end - bounds.start) / HOUR
    };
    assert_eq!(length(new_york, "2027-03-14"), 23);
    assert_eq!(length(new_york, "2027-11-07"), 25);
    // Cuba's clocks skip midnight.
    let havana = zone("America/Havana");
    let start = havana.start_of(parse_day("2027-03-14").unwrap());
    assert_eq!(havana.local(start), "2027-03-14T01:00:00.000-04:00");
    assert_eq!(havana.local(start - 1), "2027-03-13T23:59:59.999-05:00");
}

#[test]
fn local_times_have_the_offset_and_utc_is_written_with_z() {
    let noon = at("2026-11-21T06:17:47.123Z");
    assert_eq!(zone("UTC").local(noon), "2026-11-21T06:17:47.123Z");
    assert_eq!(zone("America/St_Johns").local(noon), "2026-11-21T02:47:47.123-03:30");
    assert_eq!(zone("America/New_York").minute(noon), "11/21/2026, 1:17 AM (UTC-05:00)");
    assert_eq!(zone("UTC").minute(noon), "11/21/2026, 6:17 AM (UTC)");
}

#[test]
fn a_name_is_found_in_any_case_and_no_other_text_is_one() {
    assert_eq!(parse_name(" america/new_york "), Ok("America/New_York".to_owned()));
    for other in ["", "New York", "EST5EDT,M3.2.0,M11.1.0", "Mars/Olympus_Mons", "UTC\0"] {
        assert!(parse_name(other).is_err(), "{other}");
    }
}

#[test]
fn the_sql_of_a_day_names_the_changes_of_its_range_only() {
    let new_york = zone("America/New_York");
    let winter = (at("2026-12-01T00:00:00Z"), at("2026-12-31T00:00:00Z"));
    assert_eq!(new_york.day_sql("created_at", winter), "(created_at + (-18000000)) / 86400000");
    let spring = (at("2027-03-01T00:00:00Z"), at("2027-04-01T00:00:00Z"));
    let change = at("2027-03-14T07:00:00Z");
    let expected = format!("(at + CASE WHEN at < {change} THEN -18000000 ELSE -14400000 END) / 86400000");
    assert_eq!(new_york.day_sql("at", spring), expected);
}
