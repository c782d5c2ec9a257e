//! Comma-separated values as RFC 4180 has them, for programs that read them as tables.

use std::borrow::Cow;

/// One record with its line end. A field is quoted where its text would break the line apart.
pub fn record<const N: usize>(fields: [Cow<'_, str>; N]) -> String {
    let mut line = String::new();
    for (position, field) in fields.iter().enumerate() {
        if position > 0 {
            line.push(',');
        }
        if field.contains([',', '"', '\r', '\n']) {
            line.push('"');
            line.push_str(&field.replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(field);
        }
    }
    line.push_str("\r\n");
    line
}

/// A text that somebody typed. A spreadsheet would run one that begins like a formula, so that one gets an apostrophe in
/// front, which makes it text.
///
/// A spreadsheet that splits at semicolons or tabs does not see the quotes around a field that begins in the middle of
/// its own: what comes after one of these, or after a line end, begins a cell as well.
pub fn typed(text: &str) -> Cow<'_, str> {
    let mut safe = String::with_capacity(text.len());
    let mut begins = true;
    for (position, character) in text.char_indices() {
        if begins && text.get(position..).is_some_and(is_formula) {
            safe.push('\'');
        }
        safe.push(character);
        begins = matches!(character, ';' | '\t' | '\r' | '\n');
    }
    if safe.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(safe) }
}

fn is_formula(text: &str) -> bool {
    let shown = text.trim_start_matches([' ', '"']);
    shown.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_quotes_and_line_ends_stay_inside_their_field() {
        let line = record(["Ada, Countess".into(), "the \"first\"".into(), "two\r\nlines".into(), "plain".into()]);
        assert_eq!(line, "\"Ada, Countess\",\"the \"\"first\"\"\",\"two\r\nlines\",plain\r\n");
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\"=1\"", " =1"] {
            assert_eq!(typed(formula), format!("'{formula}"));
        }
        for (formula, safe) in [
            ("\t=1", "'\t'=1"),
            ("Ada;=1", "Ada;'=1"),
            ("Ada; @SUM(A1);-1", "Ada;' @SUM(A1);'-1"),
            ("Ada\t+1", "Ada\t'+1"),
            ("Ada\r\n=1", "Ada\r'\n'=1"),
            ("Ada;\"=1\"", "Ada;'\"=1\""),
        ] {
            assert_eq!(typed(formula), safe);
        }
        for text in ["Ada = Lovelace", "Smith; Jones & Co", "1-800", "a;b"] {
            assert_eq!(typed(text), text);
        }
        assert_eq!(typed(""), "");
    }
}
