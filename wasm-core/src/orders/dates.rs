//! Dates for display.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// Day of an RFC 3339 timestamp, or of a date alone, as `MM/dd/yyyy`: the day as written, in the timestamp's own offset.
/// Text in another format is returned unchanged.
///
/// ```
/// use wasm_core::orders::display_date;
///
/// assert_eq!(display_date("2026-12-24T23:59:59Z"), "12/24/2026");
/// assert_eq!(display_date("2026-12-24"), "12/24/2026");
/// ```
#[must_use]
pub fn display_date(rfc3339: &str) -> String {
    day(rfc3339).unwrap_or_else(|| rfc3339.to_owned())
}

/// Date and time of an RFC 3339 timestamp, as written: `MM/dd/yyyy, h:mm AM`. Text in another format is returned unchanged.
///
/// ```
/// use wasm_core::orders::display_time;
///
/// assert_eq!(display_time("2026-12-24T23:59:59Z"), "12/24/2026, 11:59 PM");
/// assert_eq!(display_time("2026-12-24T00:05:00-05:00"), "12/24/2026, 12:05 AM");
/// ```
#[must_use]
pub fn display_time(rfc3339: &str) -> String {
    let time = || {
        let (day, time) = (day(rfc3339)?, rfc3339.split_once(['T', 't', ' '])?.1);
        let (hour, minute) = (time.get(..2)?.parse::<u8>().ok()?, time.get(3..5)?);
        let (hour, half) = (hour % 12, if hour < 12 { "AM" } else { "PM" });
        Some(format!("{day}, {}:{minute} {half}", if hour == 0 { 12 } else { hour }))
    };
    time().unwrap_or_else(|| rfc3339.to_owned())
}

fn day(rfc3339: &str) -> Option<String> {
    let date = rfc3339.split(['T', 't', ' ']).next()?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let well_formed = is_number(year, 4) && is_number(month, 2) && is_number(day, 2) && parts.next().is_none();
    well_formed.then(|| format!("{month}/{day}/{year}"))
}

fn is_number(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
}
