//! Estimated arrival of an order.

use alloc::format;
use alloc::string::String;

use super::holidays::is_business_day;
use crate::delivery::DeliveryTimes;
use crate::schedule::civil;
use crate::validation::Country;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Days on which an order of this time (RFC 3339; day and hour as written) arrives, in business days: Monday to Friday,
/// without the holidays of carriers in the United States and in the country of the address. An order on another day, or
/// from the cutoff hour on, counts as one of the next business day. None for text in another format.
///
/// ```
/// use wasm_core::delivery::DeliveryTimes;
/// use wasm_core::orders::estimated_arrival;
/// use wasm_core::validation::Country;
///
/// // A Wednesday before Thanksgiving: ships in 1–2 business days, and is 3–5 in transit.
/// let times = DeliveryTimes { cutoff_hour: 15, ..DeliveryTimes::default() };
/// let arrival = |ordered| estimated_arrival(ordered, Country::Us, &times);
/// assert_eq!(arrival("2026-11-25T14:59:00Z").as_deref(), Some("Dec 2–7"));
/// assert_eq!(arrival("2026-11-25T15:00:00Z").as_deref(), Some("Dec 3–8"));
/// ```
#[must_use]
pub fn estimated_arrival(order_date: &str, country: Country, times: &DeliveryTimes) -> Option<String> {
    let ordered = Ordered::parse(order_date)?;
    let received = received(ordered, times.cutoff_hour);
    let (handling, transit) = (times.handling, times.transit.to(country));
    let arrives = |handling, transit| {
        let ships = plus_business_days(received, handling, Country::Us);
        plus_business_days(ships, transit, country)
    };
    Some(range(arrives(handling.min, transit.min), arrives(handling.max, transit.max)))
}

/// Minutes that are left to order at this time (as in [`estimated_arrival`]) for the order to count as one of the day.
/// None after the cutoff hour, on a day that is no business day, without a cutoff, and for text in another format.
///
/// ```
/// use wasm_core::delivery::DeliveryTimes;
/// use wasm_core::orders::minutes_to_cutoff;
///
/// let times = DeliveryTimes { cutoff_hour: 15, ..DeliveryTimes::default() };
/// assert_eq!(minutes_to_cutoff("2026-11-25T09:48:00-05:00", &times), Some(312));
/// assert_eq!(minutes_to_cutoff("2026-11-26T09:48:00-05:00", &times), None, "Thanksgiving");
/// ```
#[must_use]
pub fn minutes_to_cutoff(now: &str, times: &DeliveryTimes) -> Option<u32> {
    let Ordered { day, minute } = Ordered::parse(now)?;
    let cutoff = u32::from(times.cutoff_hour).saturating_mul(60);
    let is_open = times.cutoff_hour < 24 && minute < cutoff && is_business_day(day, Country::Us);
    is_open.then(|| cutoff.saturating_sub(minute))
}

/// Day and minute of an order.
struct Ordered {
    /// Days from 1970-01-01.
    day: i32,
    /// Minutes after midnight.
    minute: u32,
}

impl Ordered {
    fn parse(rfc3339: &str) -> Option<Self> {
        let (date, time) = rfc3339.split_once(['T', 't', ' '])?;
        let mut parts = date.splitn(3, '-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let day = civil::day_number(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
        let mut parts = time.splitn(3, ':');
        let (hour, minute): (u32, u32) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        (hour < 24 && minute < 60).then(|| Self { day, minute: hour.saturating_mul(60).saturating_add(minute) })
    }
}

/// The business day as whose order it counts.
fn received(ordered: Ordered, cutoff_hour: u8) -> i32 {
    let is_late = ordered.minute >= u32::from(cutoff_hour).saturating_mul(60);
    let mut day = if is_late { ordered.day.saturating_add(1) } else { ordered.day };
    while !is_business_day(day, Country::Us) {
        day = day.saturating_add(1);
    }
    day
}

/// The day after this many business days of a country.
fn plus_business_days(mut day: i32, mut left: u8, country: Country) -> i32 {
    while left > 0 {
        day = day.saturating_add(1);
        if is_business_day(day, country) {
            left = left.saturating_sub(1);
        }
    }
    day
}

/// `Dec 2–7`, or `Nov 30 – Dec 3` across a month's end.
fn range(first: i32, last: i32) -> String {
    let ((_, month, from), (_, last_month, to)) = (civil::date(first), civil::date(last));
    match (month == last_month, from == to) {
        (true, true) => format!("{} {from}", name(month)),
        (true, false) => format!("{} {from}–{to}", name(month)),
        _ => format!("{} {from} – {} {to}", name(month), name(last_month)),
    }
}

/// The month's name. Months count from 1.
fn name(month: u32) -> &'static str {
    let index = usize::try_from(month.saturating_sub(1)).unwrap_or_default();
    MONTHS.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{estimated_arrival, minutes_to_cutoff};
    use crate::delivery::{DayRange, DeliveryTimes, TransitTimes};
    use crate::validation::Country;

    fn times(handling: (u8, u8), transit: (u8, u8)) -> DeliveryTimes {
        let range = |(min, max)| DayRange { min, max };
        let transit = TransitTimes { us: range(transit), ca: range((transit.0 + 5, transit.1 + 5)) };
        DeliveryTimes { handling: range(handling), transit, cutoff_hour: 15 }
    }

    fn arrives(ordered: &str, handling: (u8, u8), transit: (u8, u8)) -> String {
        estimated_arrival(ordered, Country::Us, &times(handling, transit)).unwrap()
    }

    // 9 March 2026 is a Monday; there is no holiday near.
    #[test]
    fn weekends_are_not_counted() {
        assert_eq!(arrives("2026-03-09T00:00:00Z", (1, 1), (3, 3)), "Mar 13");
        assert_eq!(arrives("2026-03-10T14:59:59Z", (1, 1), (3, 3)), "Mar 16");
        assert_eq!(arrives("2026-03-13T12:00:00Z", (0, 0), (1, 5)), "Mar 16–20");
        assert_eq!(arrives("2026-03-13T12:00:00Z", (1, 2), (3, 5)), "Mar 19–24");
        assert_eq!(arrives("2026-03-13T12:00:00Z", (0, 0), (0, 0)), "Mar 13");
    }

    #[test]
    fn an_order_of_a_weekend_or_after_the_cutoff_counts_as_one_of_the_next_business_day() {
        for ordered in ["2026-03-13T15:00:00Z", "2026-03-14T08:00:00Z", "2026-03-15T23:59:59Z", "2026-03-16T14:59:00Z"]
        {
            assert_eq!(arrives(ordered, (0, 0), (0, 1)), "Mar 16–17", "{ordered}");
            assert_eq!(arrives(ordered, (1, 2), (0, 0)), "Mar 17–18", "{ordered}");
        }
        let always = DeliveryTimes { cutoff_hour: 24, ..times((0, 0), (0, 0)) };
        assert_eq!(estimated_arrival("2026-03-13T23:59:00Z", Country::Us, &always).unwrap(), "Mar 13");
    }

    #[test]
    fn holidays_are_not_counted_those_of_canada_only_on_the_way_there() {
        // Thanksgiving is 26 November 2026; Victoria Day 18 May, Memorial Day 25 May.
        assert_eq!(arrives("2026-11-25T09:00:00Z", (1, 1), (1, 1)), "Nov 30");
        let to = |country| estimated_arrival("2026-05-15T09:00:00Z", country, &times((0, 0), (1, 1))).unwrap();
        assert_eq!(to(Country::Us), "May 18");
        // The sixth business day: without 18 and 25 May.
        assert_eq!(to(Country::Ca), "May 27");
        assert_eq!(arrives("2026-12-24T09:00:00Z", (0, 0), (1, 5)), "Dec 28 – Jan 4");
    }

    #[test]
    fn the_time_left_to_order_is_counted_on_business_days_before_the_cutoff() {
        let times = times((1, 1), (1, 1));
        for (now, left) in [
            ("2026-03-09T00:00:00Z", Some(900)),
            ("2026-03-09T14:59:30-05:00", Some(1)),
            ("2026-03-09T15:00:00Z", None),
            ("2026-03-14T09:00:00Z", None),
            ("2026-07-03T09:00:00Z", Some(360)),
            ("2026-11-26T09:00:00Z", None),
            ("2026-03-09", None),
            ("2026-03-09T25:00:00Z", None),
        ] {
            assert_eq!(minutes_to_cutoff(now, &times), left, "{now}");
        }
        assert_eq!(minutes_to_cutoff("2026-03-09T09:00:00Z", &DeliveryTimes { cutoff_hour: 24, ..times }), None);
    }

    #[test]
    fn the_year_may_end_in_between() {
        assert_eq!(arrives("2026-12-28T12:00:00Z", (1, 2), (3, 5)), "Jan 4–7");
        assert_eq!(arrives("2028-02-28T12:00:00Z", (0, 0), (1, 2)), "Feb 29 – Mar 1");
    }

    #[test]
    fn each_country_has_its_own_days() {
        let to = |country| estimated_arrival("2026-03-09T00:00:00Z", country, &times((1, 1), (1, 2))).unwrap();
        assert_eq!((to(Country::Us), to(Country::Ca)), ("Mar 11–12".into(), "Mar 18–19".into()));
    }

    #[test]
    fn the_longest_times_end() {
        assert_eq!(arrives("2026-11-23T00:00:00Z", (90, 90), (90, 90)), "Aug 11");
    }

    #[test]
    fn other_text_has_no_arrival() {
        for text in ["", "2026-11-23", "tomorrow", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "x-y-zT"] {
            assert_eq!(estimated_arrival(text, Country::Us, &DeliveryTimes::default()), None, "{text}");
        }
    }
}
