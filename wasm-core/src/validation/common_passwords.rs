//! Common passwords.
//!
//! The list has those of the 10,000 most common passwords that have at least ten characters: shorter ones are too short
//! anyway. `data/README.md` names its source and license.

/// Common passwords in lower case, one a line, sorted by bytes. 28 KB: the browser loads it as a separate asset.
pub const COMMON_PASSWORDS: &str = include_str!("../../data/common-passwords.txt");

/// Whether a lower-case password is in the list.
pub(super) fn is_listed(folded: &str, list: &str) -> bool {
    // A linear search: it runs once for each new password, and an index would enlarge the download.
    list.lines().any(|common| common == folded)
}

#[cfg(test)]
mod tests {
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
