//! Normalization of user input to one line.

/// Collapses whitespace and control characters to single spaces. In an email subject a line break would start another
/// header (header injection); in plain text it could pass for a line of the shop.
#[must_use]
pub fn single_line(text: &str) -> String {
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
    use super::single_line;

    #[test]
    fn line_breaks_of_every_kind_become_one_space() {
        assert_eq!(
            single_line("  Kit\r\nBcc: all@example.com\u{2028}\u{85}\0\u{b}Doe \t"),
            "Kit Bcc: all@example.com Doe"
        );
        assert_eq!(single_line("\r\n"), "");
    }
}
