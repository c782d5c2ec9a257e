//! CSV (RFC 4180), safe against formula injection.

use std::borrow::Cow;

use csv::{Terminator, WriterBuilder};

/// One record with its line end. Fields with commas, quotes or line ends are quoted.
pub fn record<const N: usize>(fields: [Cow<'_, str>; N]) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    // Writing into memory can't fail.
    let written = writer.write_record(fields.iter().map(|field| field.as_bytes()));
    let bytes = written.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// Escapes user input against CSV formula injection: text that starts like a formula gets a leading apostrophe.
///
/// A spreadsheet that splits at semicolons or tabs ignores quotes inside a cell, so text after a semicolon, a tab or a
/// line end counts as the start of a cell as well.
pub fn escape_formula(text: &str) -> Cow<'_, str> {
    let mut safe = String::with_capacity(text.len());
    let mut is_cell_start = true;
    for (position, character) in text.char_indices() {
        if is_cell_start && text.get(position..).is_some_and(is_formula) {
            safe.push('\'');
        }
        safe.push(character);
        is_cell_start = matches!(character, ';' | '\t' | '\r' | '\n');
    }
    if safe.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(safe) }
}

fn is_formula(text: &str) -> bool {
    let start = text.trim_start_matches([' ', '"']);
    start.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_quotes_and_line_ends_stay_inside_their_field() {
        let line = record(["Ada, Countess".into(), "the \"first\"".into(), "two\r\nlines".into(), "plain".into()]);
        assert_eq!(line, "\"Ada, Countess\",\"the \"\"first\"\"\",\"two\r\nlines\",plain\r\n");
        let line = record(["".into(), " spaces ".into(), "a;b\tc".into(), "'=1".into(), "ü".into(), "".into()]);
        assert_eq!(line, ", spaces ,a;b\tc,'=1,ü,\r\n");
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_text() {
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\"=1\"", " =1"] {
            assert_eq!(escape_formula(formula), format!("'{formula}"));
        }
        for (formula, safe) in [
            ("\t=1", "'\t'=1"),
            ("Ada;=1", "Ada;'=1"),
            ("Ada; @SUM(A1);-1", "Ada;' @SUM(A1);'-1"),
            ("Ada\t+1", "Ada\t'+1"),
            ("Ada\r\n=1", "Ada\r'\n'=1"),
            ("Ada;\"=1\"", "Ada;'\"=1\""),
        ] {
            assert_eq!(escape_formula(formula), safe);
        }
        for text in ["Ada = Lovelace", "Smith; Jones & Co", "1-800", "a;b"] {
            assert_eq!(escape_formula(text), text);
        }
        assert_eq!(escape_formula(""), "");
    }
}
