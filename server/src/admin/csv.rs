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

/// A text that somebody typed. A spreadsheet would run one that begins like a formula, so that one gets an
/// apostrophe in front, which makes it text.
pub fn typed(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        return Cow::Owned(format!("'{text}"));
    }
    Cow::Borrowed(text)
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
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(typed(formula), format!("'{formula}"));
        }
        assert_eq!(typed("Ada = Lovelace"), "Ada = Lovelace");
        assert_eq!(typed(""), "");
    }
}
