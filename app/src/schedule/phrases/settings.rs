//! Settings as people write them: `wifi: Home`, `SSID is Home`, `time zone New York`.

use wasm_core::schedule::{TimeZone, zone_names};

/// What people call a setting, the longest name first, and its name in the grammar.
const NAMES: [(&str, &str); 17] = [
    ("wi-fi password", "password"),
    ("wifi password", "password"),
    ("wi-fi network", "wifi"),
    ("wifi network", "wifi"),
    ("wi-fi name", "wifi"),
    ("wifi name", "wifi"),
    ("network", "wifi"),
    ("wi-fi", "wifi"),
    ("wifi", "wifi"),
    ("ssid", "wifi"),
    ("passphrase", "password"),
    ("password", "password"),
    ("time zone", "timezone"),
    ("time-zone", "timezone"),
    ("timezone", "timezone"),
    ("time server", "time-server"),
    ("ntp", "time-server"),
];

/// What people in the United States and Canada call their time zone.
const ZONES: [(&str, &str); 21] = [
    ("eastern", "America/New_York"),
    ("et", "America/New_York"),
    ("est", "America/New_York"),
    ("edt", "America/New_York"),
    ("central", "America/Chicago"),
    ("ct", "America/Chicago"),
    ("cst", "America/Chicago"),
    ("cdt", "America/Chicago"),
    ("mountain", "America/Denver"),
    ("mt", "America/Denver"),
    ("mst", "America/Denver"),
    ("mdt", "America/Denver"),
    ("pacific", "America/Los_Angeles"),
    ("pt", "America/Los_Angeles"),
    ("pst", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("atlantic", "America/Halifax"),
    ("newfoundland", "America/St_Johns"),
    ("alaska", "America/Anchorage"),
    ("hawaii", "Pacific/Honolulu"),
    ("gmt", "UTC"),
];

/// The line as a setting of the grammar.
pub(super) fn read(line: &str) -> Option<String> {
    let (name, value) = NAMES.into_iter().find_map(|(called, name)| Some((name, value_after(line, called)?)))?;
    match name {
        "timezone" => Some(format!("timezone = {}", zone(value)?)),
        name => Some(format!("{name} = {value}")),
    }
}

/// The value after a name and `=`, `:`, `is` or a space.
fn value_after<'t>(line: &'t str, called: &str) -> Option<&'t str> {
    let (name, rest) = line.split_at_checked(called.len())?;
    if !name.eq_ignore_ascii_case(called) || !rest.starts_with([' ', '=', ':']) {
        return None;
    }
    let rest = rest.trim();
    let value = rest.strip_prefix(['=', ':']).or_else(|| rest.strip_prefix("is ")).unwrap_or(rest).trim();
    (!value.is_empty()).then_some(value)
}

fn zone(value: &str) -> Option<String> {
    let called = value.to_lowercase();
    let called = called.strip_suffix(" time").unwrap_or(&called);
    let known = ZONES.into_iter().find(|(name, _)| *name == called).map(|(_, zone)| zone.to_owned());
    known.or_else(|| TimeZone::parse(value).map(|_| value.to_owned())).or_else(|| zone_of_city(called))
}

/// `new york` is the city of `America/New_York`.
fn zone_of_city(city: &str) -> Option<String> {
    let city = city.replace(' ', "_");
    let is_city = |name: &str| name.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(&city));
    zone_names().map(|(name, _)| name.as_str().to_owned()).find(|name| is_city(name))
}
