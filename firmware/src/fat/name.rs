//! Names of files on the drive.

/// A file's name as a directory holds it: eight characters and three of its extension, filled up with spaces.
pub type ShortName = [u8; 11];

/// What its owner writes and the device reads.
pub const SCHEDULE: ShortName = *b"SCHEDULETXT";
/// What the device tells of itself.
pub const STATUS: ShortName = *b"STATUS  TXT";
/// What the drive is for.
pub const README: ShortName = *b"README  TXT";
/// What the drive is called.
pub const LABEL: ShortName = *b"NUDGELIGHT ";

/// Where the extension begins.
const EXTENSION: usize = 8;
/// The longest of the names above, with its point.
const LONGEST: usize = 12;

/// Whether a directory's name is the wanted one, in whatever case a computer wrote it.
#[must_use]
pub fn is(name: &ShortName, wanted: &ShortName) -> bool {
    name.eq_ignore_ascii_case(wanted)
}

/// Whether it is made of what short names may be made of. A first byte of 5 stands for one that would mean deleted.
#[must_use]
pub fn is_possible(name: &ShortName) -> bool {
    let [first, rest @ ..] = name;
    let can_be = |byte: &u8| *byte >= b' ' && !b"\"*+,./:;<=>?[\\]|\x7F".contains(byte);
    (*first == 5 || (*first != b' ' && can_be(first))) && rest.iter().all(can_be)
}

/// A long name, where it is short enough to be one of the above: computers give `Schedule.txt` such a name, and the
/// short one beside it may be `SCHEDU~1.TXT`.
#[must_use]
pub fn long_is(letters: impl Iterator<Item = u16>, wanted: &ShortName) -> bool {
    let mut spelled = [0; LONGEST];
    let mut count = 0;
    for letter in letters.take_while(|letter| *letter != 0) {
        let (Ok(letter), Some(place)) = (u8::try_from(letter), spelled.get_mut(count)) else { return false };
        *place = letter;
        count += 1;
    }
    let (base, extension) = wanted.split_at(EXTENSION);
    let dotted = base.trim_ascii_end().iter().chain(b".").chain(extension.trim_ascii_end());
    dotted.map(u8::to_ascii_uppercase).eq(spelled.iter().take(count).map(u8::to_ascii_uppercase))
}

/// What a long name's parts carry, so that one left over is told from its own.
#[must_use]
pub fn checksum(name: &ShortName) -> u8 {
    name.iter().fold(0, |sum: u8, byte| sum.rotate_right(1).wrapping_add(*byte))
}

#[cfg(test)]
mod tests {
    use super::{README, SCHEDULE, is, long_is};

    #[test]
    fn the_schedule_is_found_in_any_case() {
        for name in [b"SCHEDULETXT", b"scheduletxt", b"ScheduleTxt"] {
            assert!(is(name, &SCHEDULE));
        }
        for name in ["schedule.txt", "Schedule.txt", wasm_core::schedule::FILE_NAME] {
            assert!(long_is(name.encode_utf16(), &SCHEDULE), "{name}");
        }
        assert!(long_is("readme.txt".encode_utf16(), &README));
    }

    #[test]
    fn no_other_file_is_the_schedule() {
        for name in [b"SCHEDULE   ", b"SCHEDULEBAK", b"SCHEDUL TXT", b"SCHEDULETX ", b"\xe5CHEDULETXT"] {
            assert!(!is(name, &SCHEDULE), "{name:?}");
        }
        for name in ["schedule.txt~", "._SCHEDULE.TXT", "schedule", "schedule.tx", "schedule.bak", "schédule.txt"] {
            assert!(!long_is(name.encode_utf16(), &SCHEDULE), "{name}");
        }
    }
}
