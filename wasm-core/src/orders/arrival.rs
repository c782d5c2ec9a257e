//! Estimated arrival of an order.

use alloc::format;
use alloc::string::String;

use crate::delivery::DeliveryTimes;
use crate::schedule::civil;
use crate::validation::Country;

/// 0 is Monday.
const SATURDAY: u8 = 5;

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Days on which an order of this time (RFC 3339; the day as written) arrives, by business days from Monday to Friday. Holidays count
/// as business days. None for text in another format.
///
/// ```
/// use wasm_core::delivery::DeliveryTimes;
/// use wasm_core::orders::estimated_arrival;
/// use wasm_core::validation::Country;
///
/// // A Wednesday: ships in 1–2 business days, and is 3–5 in transit.
/// let arrival = estimated_arrival("2026-11-25T18:00:00Z", Country::Us, &DeliveryTimes::default());
/// assert_eq!(arrival.as_deref(), Some("Dec 1–4"));
/// ```
#[must_use]
pub fn estimated_arrival(order_date: &str, country: Country, times: &DeliveryTimes) -> Option<String> {
    let ordered = day(order_date)?;
    let (handling, transit) = (times.handling, times.transit.to(country));
    let first = plus_business_days(ordered, handling.min.saturating_add(transit.min));
    let last = plus_business_days(ordered, handling.max.saturating_add(transit.max));
    Some(range(first, last))
}

/// Days from 1970-01-01 to the timestamp's day.
fn day(rfc3339: &str) -> Option<i32> {
    let (date, _) = rfc3339.split_once(['T', 't', ' '])?;
    let mut parts = date.splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    civil::day_number(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

/// The day after this many business days. A weekend is followed by Monday, also after none.
fn plus_business_days(mut day: i32, mut left: u8) -> i32 {
    while left > 0 || civil::weekday(day) >= SATURDAY {
        day = day.saturating_add(1);
        if civil::weekday(day) < SATURDAY {
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

    use super::estimated_arrival;
    use crate::delivery::{DayRange, DeliveryTimes, TransitTimes};
    use crate::validation::Country;

    fn times(handling: (u8, u8), transit: (u8, u8)) -> DeliveryTimes {
        let range = |(min, max)| DayRange { min, max };
        let transit = TransitTimes { us: range(transit), ca: range((transit.0 + 5, transit.1 + 5)) };
        DeliveryTimes { handling: range(handling), transit }
    }

    fn arrives(ordered: &str, handling: (u8, u8), transit: (u8, u8)) -> String {
        estimated_arrival(ordered, Country::Us, &times(handling, transit)).unwrap()
    }

    // 23 November 2026 is a Monday.
    #[test]
    fn weekends_are_not_counted() {
        assert_eq!(arrives("2026-11-23T00:00:00Z", (1, 1), (3, 3)), "Nov 27");
        assert_eq!(arrives("2026-11-24T23:59:59Z", (1, 1), (3, 3)), "Nov 30");
        assert_eq!(arrives("2026-11-27T12:00:00Z", (0, 0), (1, 5)), "Nov 30 – Dec 4");
        assert_eq!(arrives("2026-11-27T12:00:00Z", (1, 2), (3, 5)), "Dec 3–8");
    }

    #[test]
    fn an_order_of_a_weekend_starts_on_monday() {
        for ordered in ["2026-11-28T12:00:00Z", "2026-11-29T12:00:00Z"] {
            // Monday is the first business day after a weekend.
            assert_eq!(arrives(ordered, (0, 0), (0, 1)), "Nov 30");
            assert_eq!(arrives(ordered, (1, 2), (0, 0)), "Nov 30 – Dec 1");
        }
        assert_eq!(arrives("2026-11-27T12:00:00Z", (0, 0), (0, 0)), "Nov 27");
    }

    #[test]
    fn the_year_may_end_in_between() {
        assert_eq!(arrives("2026-12-28T12:00:00Z", (1, 2), (3, 5)), "Jan 1–6");
        assert_eq!(arrives("2028-02-28T12:00:00Z", (0, 0), (1, 2)), "Feb 29 – Mar 1");
    }

    #[test]
    fn each_country_has_its_own_days() {
        let to = |country| estimated_arrival("2026-11-23T00:00:00Z", country, &times((1, 1), (1, 2))).unwrap();
        assert_eq!((to(Country::Us), to(Country::Ca)), ("Nov 25–26".into(), "Dec 2–3".into()));
    }

    #[test]
    fn the_longest_times_end() {
        assert_eq!(arrives("2026-11-23T00:00:00Z", (90, 90), (90, 90)), "Aug 2");
    }

    #[test]
    fn other_text_has_no_arrival() {
        for text in ["", "2026-11-23", "tomorrow", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "x-y-zT"] {
            assert_eq!(estimated_arrival(text, Country::Us, &DeliveryTimes::default()), None, "{text}");
        }
    }
}
