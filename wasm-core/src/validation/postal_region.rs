//! State or province of a postal code. A suggestion for forms: validation accepts any code in any region, because the
//! postal services move ZIP codes and the carrier decides in the end.

use super::{Country, postal_code};

/// State, territory or province of a complete postal code, or `None` if the code does not decide it.
///
/// United States: the first three digits decide, with a few five-digit exceptions. Source: "List of ZIP Code prefixes"
/// (Wikipedia), because the Postal Service publishes prefixes by sorting facility (labeling list L002), which may be in
/// another state. Canada: the first letter, by Canada Post's addressing guidelines.
///
/// `None` for an incomplete code, an unassigned prefix, X (Northwest Territories or Nunavut), K1A (government offices in
/// Ontario and Quebec), countries with US ZIP codes (Palau, Micronesia, Marshall Islands), and single ZIP codes that
/// published lists place in different states.
///
/// ```
/// use wasm_core::validation::{Country, region_of_postal_code};
///
/// assert_eq!(region_of_postal_code(Country::Us, "90210"), Some("CA"));
/// assert_eq!(region_of_postal_code(Country::Us, "96799-1234"), Some("AS"));
/// assert_eq!(region_of_postal_code(Country::Us, "9021"), None);
/// assert_eq!(region_of_postal_code(Country::Ca, "m5v2t6"), Some("ON"));
/// assert_eq!(region_of_postal_code(Country::Ca, "X0A 0H0"), None);
/// ```
#[must_use]
pub fn region_of_postal_code(country: Country, typed: &str) -> Option<&'static str> {
    let code = postal_code::parse(country, typed).ok()?;
    match country {
        Country::Us => state(code.get(..5)?.parse().ok()?),
        Country::Ca => province(&code),
    }
}

fn state(zip: u32) -> Option<&'static str> {
    let exception = EXCEPTIONS.iter().find(|(first, last, _)| (*first..=*last).contains(&zip));
    if let Some((_, _, region)) = exception {
        return *region;
    }
    let following = PREFIXES.partition_point(|(first, _)| u32::from(*first) * 100 <= zip);
    let (_, region) = PREFIXES.get(following.checked_sub(1)?)?;
    (*region != NONE).then_some(*region)
}

fn province(code: &str) -> Option<&'static str> {
    if code.starts_with("K1A") {
        return None;
    }
    match code.as_bytes().first()? {
        b'A' => Some("NL"),
        b'B' => Some("NS"),
        b'C' => Some("PE"),
        b'E' => Some("NB"),
        b'G' | b'H' | b'J' => Some("QC"),
        b'K' | b'L' | b'M' | b'N' | b'P' => Some("ON"),
        b'R' => Some("MB"),
        b'S' => Some("SK"),
        b'T' => Some("AB"),
        b'V' => Some("BC"),
        b'Y' => Some("YT"),
        _ => None,
    }
}

/// An unassigned prefix, or one of several regions.
const NONE: &str = "";

/// ZIP codes, first and last, that are not where their prefix is. `None`: published lists disagree.
const EXCEPTIONS: &[(u32, u32, Option<&str>)] = &[
    // Fishers Island
    (6390, 6390, Some("NY")),
    // Dulles, Andrews Air Force Base, and government offices around Washington
    (20040, 20042, None),
    (20331, 20335, None),
    (20799, 20799, None),
    (68119, 68120, None),
    (71233, 71233, None),
    // Texhoma
    (73960, 73960, Some("TX")),
    // Texarkana
    (75502, 75502, None),
    // Alta
    (83414, 83414, Some("WY")),
    (96799, 96799, Some("AS")),
    (96910, 96932, Some("GU")),
    (96950, 96952, Some("MP")),
];

/// The first prefix of each range, sorted; a range ends before the next one.
const PREFIXES: &[(u16, &str)] = &[
    (0, NONE),
    (5, "NY"),
    (6, "PR"),
    (8, "VI"),
    (9, "PR"),
    (10, "MA"),
    (28, "RI"),
    (30, "NH"),
    (39, "ME"),
    (50, "VT"),
    (55, "MA"),
    (56, "VT"),
    (60, "CT"),
    (70, "NJ"),
    (90, "AE"),
    (99, NONE),
    (100, "NY"),
    (150, "PA"),
    (197, "DE"),
    (200, "DC"),
    (201, "VA"),
    (202, "DC"),
    (206, "MD"),
    (213, NONE),
    (214, "MD"),
    (220, "VA"),
    (247, "WV"),
    (269, NONE),
    (270, "NC"),
    (290, "SC"),
    (300, "GA"),
    (320, "FL"),
    (340, "AA"),
    (341, "FL"),
    (343, NONE),
    (344, "FL"),
    (345, NONE),
    (346, "FL"),
    (348, NONE),
    (349, "FL"),
    (350, "AL"),
    (353, NONE),
    (354, "AL"),
    (370, "TN"),
    (386, "MS"),
    (398, "GA"),
    (400, "KY"),
    (419, NONE),
    (420, "KY"),
    (428, NONE),
    (430, "OH"),
    (460, "IN"),
    (480, "MI"),
    (500, "IA"),
    (517, NONE),
    (520, "IA"),
    (529, NONE),
    (530, "WI"),
    (533, NONE),
    (534, "WI"),
    (536, NONE),
    (537, "WI"),
    (550, "MN"),
    (552, NONE),
    (553, "MN"),
    (568, NONE),
    (570, "SD"),
    (578, NONE),
    (580, "ND"),
    (589, NONE),
    (590, "MT"),
    (600, "IL"),
    (621, NONE),
    (622, "IL"),
    (630, "MO"),
    (632, NONE),
    (633, "MO"),
    (642, NONE),
    (644, "MO"),
    (659, NONE),
    (660, "KS"),
    (663, NONE),
    (664, "KS"),
    (680, "NE"),
    (682, NONE),
    (683, "NE"),
    (694, NONE),
    (700, "LA"),
    (702, NONE),
    (703, "LA"),
    (709, NONE),
    (710, "LA"),
    (715, NONE),
    (716, "AR"),
    (730, "OK"),
    (732, NONE),
    (733, "TX"),
    (734, "OK"),
    (742, NONE),
    (743, "OK"),
    (750, "TX"),
    (771, NONE),
    (772, "TX"),
    (800, "CO"),
    (817, NONE),
    (820, "WY"),
    (832, "ID"),
    (839, NONE),
    (840, "UT"),
    (848, NONE),
    (850, "AZ"),
    (854, NONE),
    (855, "AZ"),
    (858, NONE),
    (859, "AZ"),
    (861, NONE),
    (863, "AZ"),
    (866, NONE),
    (870, "NM"),
    (876, NONE),
    (877, "NM"),
    (885, "TX"),
    (886, NONE),
    (889, "NV"),
    (892, NONE),
    (893, "NV"),
    (896, NONE),
    (897, "NV"),
    (899, NONE),
    (900, "CA"),
    (909, NONE),
    (910, "CA"),
    (929, NONE),
    (930, "CA"),
    (962, "AP"),
    (967, "HI"),
    (969, NONE),
    (970, "OR"),
    (980, "WA"),
    (987, NONE),
    (988, "WA"),
    (995, "AK"),
];
