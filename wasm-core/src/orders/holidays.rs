//! Days on which carriers don't deliver, besides weekends.
//!
//! Sources: the federal holidays of the United States, which the Postal Service observes (5 U.S.C. § 6103; one on a
//! Sunday is observed on Monday), and the national holidays of Canada Post with the Civic Holiday of most provinces
//! (<https://www.canadapost-postescanada.ca/cpc/en/support/kb/other-products-services/post-office/find-out-operating-hours-on-holidays>;
//! one on a weekend moves to the next business day).

use crate::schedule::civil;
use crate::validation::Country;

const SATURDAY: u8 = 5;
const SUNDAY: u8 = 6;
const MONDAY: u8 = 0;
const THURSDAY: u8 = 3;

/// Whether the carriers of a country rest on a day, counted from 1970-01-01.
pub(super) fn is_holiday(day: i32, country: Country) -> bool {
    match country {
        Country::Us => is_us_holiday(day),
        Country::Ca => is_canadian_holiday(day),
    }
}

/// A date, or one on a Sunday that is observed on this Monday.
fn is_us_holiday(day: i32) -> bool {
    let is_observed = |day: i32| {
        let (_, month, date) = civil::date(day);
        matches!((month, date), (1, 1) | (6, 19) | (7, 4) | (11, 11) | (12, 25))
    };
    let on_sunday = civil::weekday(day) == MONDAY && is_observed(day.saturating_sub(1));
    is_observed(day) || on_sunday || is_us_weekday_holiday(day)
}

fn is_us_weekday_holiday(day: i32) -> bool {
    let (_, month, date) = civil::date(day);
    let week = date.saturating_sub(1) / 7;
    match (month, civil::weekday(day)) {
        // Martin Luther King Jr. Day and Washington's Birthday.
        (1 | 2, MONDAY) => week == 2,
        // Memorial Day: the last Monday.
        (5, MONDAY) => date > 24,
        // Labor Day.
        (9, MONDAY) => week == 0,
        // Columbus Day.
        (10, MONDAY) => week == 1,
        // Thanksgiving.
        (11, THURSDAY) => week == 3,
        _ => false,
    }
}

fn is_canadian_holiday(day: i32) -> bool {
    let (year, month, date) = civil::date(day);
    let easter = easter(year);
    let is_easter = easter.is_some_and(|easter| day == easter.saturating_sub(2) || day == easter.saturating_add(1));
    let is_monday = civil::weekday(day) == MONDAY;
    let is_moving = match month {
        // Victoria Day: the Monday before May 25.
        5 => is_monday && (18..25).contains(&date),
        // Civic Holiday, Labour Day.
        8 | 9 => is_monday && date <= 7,
        // Thanksgiving.
        10 => is_monday && (8..15).contains(&date),
        _ => false,
    };
    is_easter || is_moving || is_canadian_date(day) || moved_from_weekend(day)
}

fn is_canadian_date(day: i32) -> bool {
    let (_, month, date) = civil::date(day);
    matches!((month, date), (1, 1) | (7, 1) | (9, 30) | (11, 11) | (12, 25 | 26))
}

/// Monday after a holiday on the weekend. Christmas and Boxing Day can take Monday and Tuesday.
fn moved_from_weekend(day: i32) -> bool {
    let before = |days: i32| is_canadian_date(day.saturating_sub(days));
    match civil::weekday(day) {
        MONDAY => before(1) || before(2),
        // Both on the weekend, or one on Sunday and the other on Monday.
        1 => before(2) && (before(3) || before(1)),
        _ => false,
    }
}

/// Easter Sunday in the Gregorian calendar (Meeus, Jones and Butcher).
fn easter(year: i32) -> Option<i32> {
    let golden = year.rem_euclid(19);
    let (century, rest) = (year.div_euclid(100), year.rem_euclid(100));
    let correction = (century.saturating_add(8)) / 25;
    let moon = (century.saturating_sub(correction).saturating_add(1)) / 3;
    let epact = (19_i32.saturating_mul(golden).saturating_add(century).saturating_sub(century / 4))
        .saturating_sub(moon)
        .saturating_add(15)
        .rem_euclid(30);
    let sunday = (32_i32.saturating_add(2_i32.saturating_mul(century.rem_euclid(4))))
        .saturating_add(2_i32.saturating_mul(rest / 4))
        .saturating_sub(epact)
        .saturating_sub(rest.rem_euclid(4))
        .rem_euclid(7);
    let late =
        (golden.saturating_add(11_i32.saturating_mul(epact)).saturating_add(22_i32.saturating_mul(sunday))) / 451;
    let sum = epact.saturating_add(sunday).saturating_sub(7_i32.saturating_mul(late)).saturating_add(114);
    let (month, date) = (u32::try_from(sum / 31).ok()?, u32::try_from(sum.rem_euclid(31)).ok()?.saturating_add(1));
    civil::day_number(year, month, date)
}

/// Whether carriers take and deliver packages to a country: no weekend, no holiday there, and none in the United
/// States, from where packages ship.
pub(super) fn is_business_day(day: i32, country: Country) -> bool {
    !matches!(civil::weekday(day), SATURDAY | SUNDAY)
        && !is_holiday(day, Country::Us)
        && (country == Country::Us || !is_holiday(day, country))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::{easter, is_holiday};
    use crate::schedule::civil;
    use crate::validation::Country;

    fn of_year(year: i32, country: Country) -> Vec<String> {
        let first = civil::day_number(year, 1, 1).unwrap();
        let days = (first..first + 366).filter(|day| civil::date(*day).0 == year && civil::weekday(*day) < 5);
        let written = |day| {
            let (_, month, date) = civil::date(day);
            format!("{month}/{date}")
        };
        days.filter(|day| is_holiday(*day, country)).map(written).collect()
    }

    #[test]
    fn the_postal_service_rests_on_federal_holidays() {
        let of_2026 = ["1/1", "1/19", "2/16", "5/25", "6/19", "9/7", "10/12", "11/11", "11/26", "12/25"];
        // July 4 is a Saturday, which is no business day anyway.
        assert_eq!(of_year(2026, Country::Us), of_2026);
        assert!(of_year(2027, Country::Us).contains(&"7/5".into()), "July 4 is a Sunday");
    }

    #[test]
    fn canada_post_rests_on_the_days_that_it_publishes() {
        let of_2025 = ["1/1", "4/18", "4/21", "5/19", "7/1", "8/4", "9/1", "9/30", "10/13", "11/11", "12/25", "12/26"];
        assert_eq!(of_year(2025, Country::Ca), of_2025);
        let of_2026 = ["1/1", "4/3", "4/6", "5/18", "7/1", "8/3", "9/7", "9/30", "10/12", "11/11", "12/25", "12/28"];
        assert_eq!(of_year(2026, Country::Ca), of_2026);
        let of_2023 = ["1/2", "4/7", "4/10", "5/22", "7/3", "8/7", "9/4", "10/2", "10/9", "11/13", "12/25", "12/26"];
        assert_eq!(of_year(2023, Country::Ca), of_2023);
    }

    #[test]
    fn christmas_and_boxing_day_on_a_weekend_take_two_days_after_it() {
        let december = |year| {
            let days: Vec<String> =
                of_year(year, Country::Ca).into_iter().filter(|day| day.starts_with("12/")).collect();
            days.join(" ")
        };
        assert_eq!([december(2021), december(2022), december(2020)], ["12/27 12/28", "12/26 12/27", "12/25 12/28"]);
    }

    #[test]
    fn easter_is_on_its_sunday() {
        for (year, month, date) in
            [(2000, 4, 23), (2024, 3, 31), (2025, 4, 20), (2026, 4, 5), (2038, 4, 25), (2285, 3, 22)]
        {
            assert_eq!(easter(year), civil::day_number(year, month, date), "{year}");
        }
    }
}
