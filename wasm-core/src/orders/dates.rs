//! Dates for display.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// Day of an RFC 3339 timestamp as `MM/dd/yyyy`: the day as written, in the timestamp's own offset. Text in another format
/// is returned unchanged.
///
/// ```
/// use wasm_core::orders::display_date;
///
/// assert_eq!(display_date("2026-12-24T23:59:59Z"), "12/24/2026");
/// ```
#[must_use]
pub fn display_date(rfc3339: &str) -> String {
    day(rfc3339).unwrap_or_else(|| rfc3339.to_owned())
}

fn day(rfc3339: &str) -> Option<String> {
    let (date, _) = rfc3339.split_once(['T', 't', ' '])?;
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let well_formed = is_number(year, 4) && is_number(month, 2) && is_number(day, 2) && parts.next().is_none();
    well_formed.then(|| format!("{month}/{day}/{year}"))
}

fn is_number(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
}
