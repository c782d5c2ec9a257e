//! The passwords that are tried first.
//!
//! A new password has at least ten characters, so of the ten thousand commonest only those that long are kept: the
//! shorter ones are refused by their length. `data/README.md` says where the list is from and under which licence.

/// Lower-case, one a line, sorted by their bytes.
pub const COMMON_PASSWORDS: &str = include_str!("../../data/common-passwords.txt");

/// Whether a password (lower-cased) is in the list.
pub(super) fn is_listed(folded: &str, list: &str) -> bool {
    // A few thousand comparisons, once per sign-up; an index would only make the download bigger.
    list.lines().any(|common| common == folded)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{COMMON_PASSWORDS, is_listed};

    #[test]
    fn the_list_is_sorted_lower_case_and_holds_only_what_the_length_lets_through() {
        let entries: alloc::vec::Vec<&str> = COMMON_PASSWORDS.lines().collect();
        assert!(entries.is_sorted());
        assert!(entries.iter().all(|entry| entry.chars().count() >= 10 && **entry == entry.to_lowercase()));
    }

    #[test]
    fn the_first_the_last_and_a_famous_one_are_found() {
        let first = COMMON_PASSWORDS.lines().next().unwrap();
        let last = COMMON_PASSWORDS.lines().last().unwrap();
        for entry in [first, last, "1234567890", "qwertyuiop"] {
            assert!(is_listed(entry, COMMON_PASSWORDS), "{entry}");
        }
        assert!(!is_listed("four small lamps", COMMON_PASSWORDS));
    }
}
