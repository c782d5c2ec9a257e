//! Short (8.3) and long file names.

/// 8.3 file name: eight characters and a three-character extension, padded with spaces.
pub type ShortName = [u8; 11];

/// Schedule, written by the owner.
pub const SCHEDULE: ShortName = *b"SCHEDULETXT";
/// Status report of the device.
pub const STATUS: ShortName = *b"STATUS  TXT";
/// Short manual.
pub const README: ShortName = *b"README  TXT";
/// Volume label.
pub const LABEL: ShortName = *b"NUDGELIGHT ";

/// Offset of the extension.
const EXTENSION: usize = 8;
/// Maximum length of the names above, with the dot.
const MAX_LENGTH: usize = 12;

/// Compares short names, ignoring case.
#[must_use]
pub fn matches(name: &ShortName, wanted: &ShortName) -> bool {
    name.eq_ignore_ascii_case(wanted)
}

/// True if all characters are allowed in a short name. A first byte of 5 is an escaped 0xE5.
#[must_use]
pub fn is_valid(name: &ShortName) -> bool {
    let [first, rest @ ..] = name;
    let is_allowed = |byte: &u8| *byte >= b' ' && !b"\"*+,./:;<=>?[\\]|\x7F".contains(byte);
    (*first == 5 || (*first != b' ' && is_allowed(first))) && rest.iter().all(is_allowed)
}

/// Compares a long name with an 8.3 name, ignoring case. Hosts store `Schedule.txt` as a long name, and its short name
/// may be `SCHEDU~1.TXT`.
#[must_use]
pub fn long_name_matches(utf16_units: impl Iterator<Item = u16>, wanted: &ShortName) -> bool {
    let mut ascii = [0; MAX_LENGTH];
    let mut count = 0;
    for unit in utf16_units.take_while(|unit| *unit != 0) {
        let (Ok(byte), Some(slot)) = (u8::try_from(unit), ascii.get_mut(count)) else { return false };
        *slot = byte;
        count += 1;
    }
    let (base, extension) = wanted.split_at(EXTENSION);
    let dotted = base.trim_ascii_end().iter().chain(b".").chain(extension.trim_ascii_end());
    dotted.map(u8::to_ascii_uppercase).eq(ascii.iter().take(count).map(u8::to_ascii_uppercase))
}

/// Checksum of a short name. Long name entries carry it, which identifies orphans.
#[must_use]
pub fn checksum(name: &ShortName) -> u8 {
    name.iter().fold(0, |sum: u8, byte| sum.rotate_right(1).wrapping_add(*byte))
}

#[cfg(test)]
mod tests {
    use super::{README, SCHEDULE, long_name_matches, matches};

    #[test]
    fn the_schedule_is_found_in_any_case() {
        for name in [b"SCHEDULETXT", b"scheduletxt", b"ScheduleTxt"] {
            assert!(matches(name, &SCHEDULE));
        }
        for name in ["schedule.txt", "Schedule.txt", wasm_core::schedule::FILE_NAME] {
            assert!(long_name_matches(name.encode_utf16(), &SCHEDULE), "{name}");
        }
        assert!(long_name_matches("readme.txt".encode_utf16(), &README));
    }

    #[test]
    fn no_other_file_is_the_schedule() {
        for name in [b"SCHEDULE   ", b"SCHEDULEBAK", b"SCHEDUL TXT", b"SCHEDULETX ", b"\xe5CHEDULETXT"] {
            assert!(!matches(name, &SCHEDULE), "{name:?}");
        }
        for name in ["schedule.txt~", "._SCHEDULE.TXT", "schedule", "schedule.tx", "schedule.bak", "schédule.txt"] {
            assert!(!long_name_matches(name.encode_utf16(), &SCHEDULE), "{name}");
        }
    }
}
