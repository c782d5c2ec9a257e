//! Text that people typed, made fit for one line.

/// The text without line breaks and other control characters: each run of them and of spaces becomes one space.
/// In a subject a line break would begin another header; in a plain text it could pass for a line of ours.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn line_breaks_of_every_kind_become_one_space() {
        assert_eq!(
            one_line("  Kit\r\nBcc: all@example.com\u{2028}\u{85}\0\u{b}Doe \t"),
            "Kit Bcc: all@example.com Doe"
        );
        assert_eq!(one_line("\r\n"), "");
    }
}
