//! Prefix search as a range of an index.

/// Exclusive upper bound of a prefix in byte order: its last character incremented, or the one before if there is no
/// next. UTF-8 sorts like its characters.
pub fn prefix_end(prefix: &str) -> Option<String> {
    let mut end = prefix.to_owned();
    while let Some(last) = end.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_alike_ends_before_the_next_beginning() {
        let ends = |prefix: &str, end: &str| assert_eq!(prefix_end(prefix).as_deref(), Some(end));
        ends("ada", "adb");
        ends("50%_", "50%`");
        ends("zoé", "zoê");
        ends("a\u{d7ff}", "a\u{e000}");
        ends("a\u{10ffff}", "b");
        assert_eq!(prefix_end("\u{10ffff}"), None);
    }
}
