//! States of ZIP codes and provinces of Canadian postal codes: every prefix, and invariants of all codes.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use proptest::prelude::*;
use wasm_core::validation::{Country, region_of_postal_code, states};

/// The state of every prefix: a row has the prefixes that start with its two digits, from 0 to 9.
const PREFIXES: [&str; 100] = [
    "00: -- -- -- -- -- NY PR PR VI PR",
    "01: MA MA MA MA MA MA MA MA MA MA",
    "02: MA MA MA MA MA MA MA MA RI RI",
    "03: NH NH NH NH NH NH NH NH NH ME",
    "04: ME ME ME ME ME ME ME ME ME ME",
    "05: VT VT VT VT VT MA VT VT VT VT",
    "06: CT CT CT CT CT CT CT CT CT CT",
    "07: NJ NJ NJ NJ NJ NJ NJ NJ NJ NJ",
    "08: NJ NJ NJ NJ NJ NJ NJ NJ NJ NJ",
    "09: AE AE AE AE AE AE AE AE AE --",
    "10: NY NY NY NY NY NY NY NY NY NY",
    "11: NY NY NY NY NY NY NY NY NY NY",
    "12: NY NY NY NY NY NY NY NY NY NY",
    "13: NY NY NY NY NY NY NY NY NY NY",
    "14: NY NY NY NY NY NY NY NY NY NY",
    "15: PA PA PA PA PA PA PA PA PA PA",
    "16: PA PA PA PA PA PA PA PA PA PA",
    "17: PA PA PA PA PA PA PA PA PA PA",
    "18: PA PA PA PA PA PA PA PA PA PA",
    "19: PA PA PA PA PA PA PA DE DE DE",
    "20: DC VA DC DC DC DC MD MD MD MD",
    "21: MD MD MD -- MD MD MD MD MD MD",
    "22: VA VA VA VA VA VA VA VA VA VA",
    "23: VA VA VA VA VA VA VA VA VA VA",
    "24: VA VA VA VA VA VA VA WV WV WV",
    "25: WV WV WV WV WV WV WV WV WV WV",
    "26: WV WV WV WV WV WV WV WV WV --",
    "27: NC NC NC NC NC NC NC NC NC NC",
    "28: NC NC NC NC NC NC NC NC NC NC",
    "29: SC SC SC SC SC SC SC SC SC SC",
    "30: GA GA GA GA GA GA GA GA GA GA",
    "31: GA GA GA GA GA GA GA GA GA GA",
    "32: FL FL FL FL FL FL FL FL FL FL",
    "33: FL FL FL FL FL FL FL FL FL FL",
    "34: AA FL FL -- FL -- FL FL -- FL",
    "35: AL AL AL -- AL AL AL AL AL AL",
    "36: AL AL AL AL AL AL AL AL AL AL",
    "37: TN TN TN TN TN TN TN TN TN TN",
    "38: TN TN TN TN TN TN MS MS MS MS",
    "39: MS MS MS MS MS MS MS MS GA GA",
    "40: KY KY KY KY KY KY KY KY KY KY",
    "41: KY KY KY KY KY KY KY KY KY --",
    "42: KY KY KY KY KY KY KY KY -- --",
    "43: OH OH OH OH OH OH OH OH OH OH",
    "44: OH OH OH OH OH OH OH OH OH OH",
    "45: OH OH OH OH OH OH OH OH OH OH",
    "46: IN IN IN IN IN IN IN IN IN IN",
    "47: IN IN IN IN IN IN IN IN IN IN",
    "48: MI MI MI MI MI MI MI MI MI MI",
    "49: MI MI MI MI MI MI MI MI MI MI",
    "50: IA IA IA IA IA IA IA IA IA IA",
    "51: IA IA IA IA IA IA IA -- -- --",
    "52: IA IA IA IA IA IA IA IA IA --",
    "53: WI WI WI -- WI WI -- WI WI WI",
    "54: WI WI WI WI WI WI WI WI WI WI",
    "55: MN MN -- MN MN MN MN MN MN MN",
    "56: MN MN MN MN MN MN MN MN -- --",
    "57: SD SD SD SD SD SD SD SD -- --",
    "58: ND ND ND ND ND ND ND ND ND --",
    "59: MT MT MT MT MT MT MT MT MT MT",
    "60: IL IL IL IL IL IL IL IL IL IL",
    "61: IL IL IL IL IL IL IL IL IL IL",
    "62: IL -- IL IL IL IL IL IL IL IL",
    "63: MO MO -- MO MO MO MO MO MO MO",
    "64: MO MO -- -- MO MO MO MO MO MO",
    "65: MO MO MO MO MO MO MO MO MO --",
    "66: KS KS KS -- KS KS KS KS KS KS",
    "67: KS KS KS KS KS KS KS KS KS KS",
    "68: NE NE -- NE NE NE NE NE NE NE",
    "69: NE NE NE NE -- -- -- -- -- --",
    "70: LA LA -- LA LA LA LA LA LA --",
    "71: LA LA LA LA LA -- AR AR AR AR",
    "72: AR AR AR AR AR AR AR AR AR AR",
    "73: OK OK -- TX OK OK OK OK OK OK",
    "74: OK OK -- OK OK OK OK OK OK OK",
    "75: TX TX TX TX TX TX TX TX TX TX",
    "76: TX TX TX TX TX TX TX TX TX TX",
    "77: TX -- TX TX TX TX TX TX TX TX",
    "78: TX TX TX TX TX TX TX TX TX TX",
    "79: TX TX TX TX TX TX TX TX TX TX",
    "80: CO CO CO CO CO CO CO CO CO CO",
    "81: CO CO CO CO CO CO CO -- -- --",
    "82: WY WY WY WY WY WY WY WY WY WY",
    "83: WY WY ID ID ID ID ID ID ID --",
    "84: UT UT UT UT UT UT UT UT -- --",
    "85: AZ AZ AZ AZ -- AZ AZ AZ -- AZ",
    "86: AZ -- -- AZ AZ AZ -- -- -- --",
    "87: NM NM NM NM NM NM -- NM NM NM",
    "88: NM NM NM NM NM TX -- -- -- NV",
    "89: NV NV -- NV NV NV -- NV NV --",
    "90: CA CA CA CA CA CA CA CA CA --",
    "91: CA CA CA CA CA CA CA CA CA CA",
    "92: CA CA CA CA CA CA CA CA CA --",
    "93: CA CA CA CA CA CA CA CA CA CA",
    "94: CA CA CA CA CA CA CA CA CA CA",
    "95: CA CA CA CA CA CA CA CA CA CA",
    "96: CA CA AP AP AP AP AP HI HI --",
    "97: OR OR OR OR OR OR OR OR OR OR",
    "98: WA WA WA WA WA WA WA -- WA WA",
    "99: WA WA WA WA WA AK AK AK AK AK",
];

fn state_of(zip: &str) -> Option<&'static str> {
    region_of_postal_code(Country::Us, zip)
}

fn is_region(country: Country, code: &str) -> bool {
    states(country).iter().any(|(known, _)| *known == code)
}

/// Every prefix with its state, from 000 to 999.
fn all_prefixes() -> Vec<(String, Option<&'static str>)> {
    PREFIXES
        .iter()
        .flat_map(|row| {
            let (tens, states) = row.split_once(": ").unwrap();
            let states = states.split(' ').map(|state| (state != "--").then_some(state));
            states.enumerate().map(move |(last, state)| (format!("{tens}{last}"), state))
        })
        .collect()
}

#[test]
fn every_prefix_is_decided() {
    let prefixes = all_prefixes();
    assert_eq!(prefixes.len(), 1000);
    for (prefix, state) in prefixes {
        assert_eq!(state_of(&format!("{prefix}01")), state, "{prefix}");
    }
}

#[test]
fn every_state_and_territory_has_a_zip_code() {
    let found: Vec<_> = (0..100_000).filter_map(|zip| state_of(&format!("{zip:05}"))).collect();
    for (code, name) in states(Country::Us) {
        assert!(found.contains(code), "{name}");
    }
}

#[test]
fn every_letter_of_a_canadian_code_is_decided() {
    let provinces: Vec<_> =
        ('A'..='Z').map(|letter| region_of_postal_code(Country::Ca, &format!("{letter}1B 2C3"))).collect();
    let expected = [
        ("A", Some("NL")),
        ("B", Some("NS")),
        ("C", Some("PE")),
        ("D", None),
        ("E", Some("NB")),
        ("F", None),
        ("G", Some("QC")),
        ("H", Some("QC")),
        ("I", None),
        ("J", Some("QC")),
        ("K", Some("ON")),
        ("L", Some("ON")),
        ("M", Some("ON")),
        ("N", Some("ON")),
        ("O", None),
        ("P", Some("ON")),
        ("Q", None),
        ("R", Some("MB")),
        ("S", Some("SK")),
        ("T", Some("AB")),
        ("U", None),
        ("V", Some("BC")),
        ("W", None),
        ("X", None),
        ("Y", Some("YT")),
        ("Z", None),
    ];
    assert_eq!(provinces, expected.map(|(_, province)| province));
}

/// Exceptions within a prefix, and their neighbors.
#[test]
fn single_zip_codes_differ_from_their_prefix() {
    for (zip, state) in [
        ("06389", Some("CT")),
        ("06390", Some("NY")),
        ("06391", Some("CT")),
        ("20039", Some("DC")),
        ("20041", None),
        ("20043", Some("DC")),
        ("73959", Some("OK")),
        ("73960", Some("TX")),
        ("83414", Some("WY")),
        ("83415", Some("ID")),
        ("96798", Some("HI")),
        ("96799", Some("AS")),
        ("96800", Some("HI")),
        ("96909", None),
        ("96910", Some("GU")),
        ("96932", Some("GU")),
        ("96933", None),
        ("96950", Some("MP")),
        ("96952", Some("MP")),
        ("96960", None),
    ] {
        assert_eq!(state_of(zip), state, "{zip}");
    }
}

proptest! {
    // A failure prints its case, so no file of failures is needed.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    // invariant: no-parser-panics
    #[test]
    fn whatever_is_typed_gives_a_region_of_the_country_or_none(typed in ".{0,12}") {
        for country in Country::ALL {
            prop_assert!(region_of_postal_code(country, &typed).is_none_or(|code| is_region(country, code)));
        }
    }

    #[test]
    fn the_four_digits_after_the_hyphen_do_not_matter(zip in "[0-9]{5}", four in "[0-9]{4}") {
        prop_assert_eq!(state_of(&format!("{zip}-{four}")), state_of(&zip));
    }

    #[test]
    fn case_and_space_do_not_matter(code in "[ABCEGHJ-NPRSTVXY][0-9][A-Z] [0-9][A-Z][0-9]") {
        let compact = code.replace(' ', "").to_lowercase();
        prop_assert_eq!(region_of_postal_code(Country::Ca, &compact), region_of_postal_code(Country::Ca, &code));
    }
}
