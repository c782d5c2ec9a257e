//! The files on the device's USB drive.

use wasm_core::schedule::FILE_NAME;

/// A file's name as a FAT directory holds it: eight characters and three of its extension, filled up with spaces.
pub type ShortName = [u8; 11];

/// Where the extension begins in a [`ShortName`].
const EXTENSION: usize = 8;

/// Whether a directory entry is the schedule, in whatever case its owner's computer wrote it.
///
/// ```
/// assert!(firmware::drive::is_schedule(b"SCHEDULETXT"));
/// assert!(!firmware::drive::is_schedule(b"README  TXT"));
/// ```
#[must_use]
pub fn is_schedule(entry: &ShortName) -> bool {
    let (base, extension) = entry.split_at(EXTENSION);
    let Some((schedule, text)) = FILE_NAME.split_once('.') else {
        return false;
    };
    base.trim_ascii_end().eq_ignore_ascii_case(schedule.as_bytes())
        && extension.trim_ascii_end().eq_ignore_ascii_case(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::is_schedule;

    #[test]
    fn the_schedule_is_found_in_any_case() {
        assert!(is_schedule(b"SCHEDULETXT"));
        assert!(is_schedule(b"scheduletxt"));
        assert!(is_schedule(b"ScheduleTxt"));
    }

    #[test]
    fn no_other_file_is_the_schedule() {
        for name in [b"SCHEDULE   ", b"SCHEDULEBAK", b"SCHEDUL TXT", b"SCHEDULETX ", b"\xe5CHEDULETXT"] {
            assert!(!is_schedule(name), "{name:?}");
        }
    }
}
