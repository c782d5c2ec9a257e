//! Lookup of time zones by name.

use super::posix::{self, PosixZone};
use super::suggest::{allowed, distance};
use super::text::Text;
use super::zone_table::{RULES, ZONES};

/// Area with its slash (empty for names without one), rest of the name, and index of the rule.
type Entry = (&'static str, &'static str, u8);

/// Byte before an area in the table.
const AREA: u8 = 0xff;

/// Entries of the table.
fn entries() -> impl Iterator<Item = Entry> {
    let (mut rest, mut area): (&[u8], &str) = (&ZONES, "");
    core::iter::from_fn(move || {
        loop {
            let (head, letters) = rest.split_first()?;
            let length = letters.iter().position(|byte| !byte.is_ascii()).unwrap_or(letters.len());
            let (name, behind) = letters.split_at_checked(length)?;
            let name = core::str::from_utf8(name).ok()?;
            rest = behind;
            if *head != AREA {
                return Some((area, name, head & 0x7f));
            }
            area = name;
        }
    })
}

/// Time zone names with their POSIX rules, sorted within each area, for completion in an editor.
///
/// ```
/// let toronto = wasm_core::schedule::zone_names().find(|(name, _)| name.as_str() == "America/Toronto");
/// assert_eq!(toronto.unwrap().1, "EST5EDT,M3.2.0,M11.1.0");
/// ```
pub fn zone_names() -> impl Iterator<Item = (Text<48>, &'static str)> {
    entries().filter_map(|entry| Some((name(entry)?, rule(entry)?)))
}

fn name((area, rest, _): Entry) -> Option<Text<48>> {
    Text::join([area, rest])
}

fn rule((.., number): Entry) -> Option<&'static str> {
    let rule = RULES.split(|byte| *byte == b' ').nth(number.into())?;
    core::str::from_utf8(rule).ok()
}

/// Canonical name and rule of a zone, ignoring case.
pub(super) fn find(text: &str) -> Option<(Text<96>, PosixZone)> {
    let is_it = |(area, rest, _): &Entry| {
        let halves = text.split_at_checked(area.len());
        halves.is_some_and(|(front, back)| front.eq_ignore_ascii_case(area) && back.eq_ignore_ascii_case(rest))
    };
    let entry = entries().find(is_it)?;
    let (rule, _) = posix::parse(rule(entry)?)?;
    Some((Text::new(name(entry)?.as_str())?, rule))
}

/// Zone that was probably meant by a city (`New York`) or a misspelled name.
pub(super) fn likely_zone(text: &str) -> Option<Text<48>> {
    let same =
        |typed: u8, known: u8| typed.eq_ignore_ascii_case(&known) || (matches!(typed, b' ' | b'-') && known == b'_');
    let is_city = |(_, rest, _): &Entry| {
        let city = rest.rsplit_once(['/']).map_or(*rest, |(_, city)| city);
        city.len() == text.len() && text.bytes().zip(city.bytes()).all(|(typed, known)| same(typed, known))
    };
    if let Some(entry) = entries().find(is_city) {
        return name(entry);
    }
    let apart = |(area, rest, _): &Entry| distance(text, area, rest);
    let closest = entries().min_by_key(apart)?;
    if apart(&closest) <= allowed(text).min(4) { name(closest) } else { None }
}

/// POSIX rule that was probably meant by an offset: `UTC-5`, `GMT+05:30`, `+02:00`. POSIX reverses the sign.
pub(super) fn likely_offset(text: &str) -> Option<Text<48>> {
    let number = text.strip_prefix("UTC").or_else(|| text.strip_prefix("GMT")).unwrap_or(text);
    let (sign, opposite, digits) = match number.split_at_checked(1)? {
        ("+", digits) => ("+", "-", digits),
        ("-", digits) => ("-", "", digits),
        _ => return None,
    };
    let (hours, minutes) = digits.split_once([':']).unwrap_or((digits, ""));
    let valid = |text: &str, max: u8| text.parse().is_ok_and(|number: u8| number <= max) && text.len() <= 2;
    if !valid(hours, 24) || !(minutes.is_empty() || valid(minutes, 59)) {
        return None;
    }
    let zero = if hours.len() == 1 { "0" } else { "" };
    let colon = if minutes.is_empty() { "" } else { ":" };
    Text::join(["<", sign, zero, hours, minutes, ">", opposite, hours, colon, minutes])
}
