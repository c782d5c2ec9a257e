//! A parsed schedule and its problems.

use std::ops::Range;

use wasm_core::schedule::{self, Diagnostic, Schedule, Severity, Suggestion};

/// The result of parsing a text, which may be invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedText {
    pub schedule: Schedule,
    /// Sorted by position.
    pub problems: Vec<Problem>,
}

impl ParsedText {
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut problems = Vec::new();
        let schedule = schedule::parse(text, &mut |diagnostic| problems.push(Problem::from(&diagnostic)));
        problems.sort_by_key(|problem: &Problem| (problem.line, problem.column));
        Self { schedule, problems }
    }

    /// Whether the light skips a line.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// Number of rules and problems.
    #[must_use]
    pub fn summary(&self) -> String {
        let rules = counted(self.schedule.rules().len(), "rule");
        match self.problems.len() {
            0 => format!("{rules}, no problems"),
            problems => format!("{rules}, {}", counted(problems, "problem")),
        }
    }
}

fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        count => format!("{count} {thing}s"),
    }
}

/// A diagnostic, formatted for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    /// From 1.
    pub line: u16,
    /// In characters, from 1.
    pub column: u16,
    /// The error and what was expected.
    pub message: String,
    /// Byte range in the text.
    pub span: Range<usize>,
    pub fix: Option<Fix>,
}

impl From<&Diagnostic> for Problem {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity(),
            line: diagnostic.line,
            column: diagnostic.column,
            message: diagnostic.message().to_string(),
            span: diagnostic.span.start..diagnostic.span.end,
            fix: diagnostic.suggestion.as_ref().map(Fix::from),
        }
    }
}

/// A suggested fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// "did you mean `weekdays`?"
    pub label: String,
    /// Byte range to replace.
    pub span: Range<usize>,
    pub replacement: String,
}

impl From<&Suggestion> for Fix {
    fn from(suggestion: &Suggestion) -> Self {
        Self {
            label: suggestion.to_string(),
            span: suggestion.span.start..suggestion.span.end,
            replacement: suggestion.replacement.as_str().to_owned(),
        }
    }
}

impl Fix {
    /// Applies the fix. Returns the text and the cursor behind the replacement, or `None` if the range no longer
    /// exists.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<(String, usize)> {
        replace(text, self.span.clone(), &self.replacement)
    }
}

/// Replaces a byte range. Returns the text and the cursor behind the replacement.
pub(super) fn replace(text: &str, span: Range<usize>, replacement: &str) -> Option<(String, usize)> {
    let (before, after) = (text.get(..span.start)?, text.get(span.end..)?);
    let changed = format!("{before}{replacement}{after}");
    Some((changed, before.len().saturating_add(replacement.len())))
}

/// Converts a UTF-16 offset, as browsers count, to a byte offset.
#[must_use]
pub(super) fn byte_at(text: &str, units: u32) -> usize {
    let mut left = usize::try_from(units).unwrap_or(usize::MAX);
    for (at, character) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(character.len_utf16());
    }
    text.len()
}

/// Converts a byte offset to a UTF-16 offset.
#[must_use]
pub(super) fn utf16_offset_at(text: &str, byte: usize) -> u32 {
    let before = text.get(..byte).unwrap_or(text);
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{ParsedText, byte_at, utf16_offset_at};

    #[test]
    fn places_are_counted_as_the_browser_counts() {
        let text = "# 🙂 ü\non";
        for (byte, units) in [(0, 0), (2, 2), (6, 4), (7, 5), (9, 6), (text.len(), 9)] {
            assert_eq!((byte_at(text, units), utf16_offset_at(text, byte)), (byte, units));
        }
        assert_eq!(byte_at(text, 99), text.len());
    }

    #[test]
    fn every_fix_offered_for_a_file_mends_its_problem() {
        let file = "timezone = UTC\nblik 09:00 for 30s\non 07:00-07:30 wekdays\n";
        let mut text = file.to_owned();
        while let Some(fix) = ParsedText::of(&text).problems.first().and_then(|problem| problem.fix.clone()) {
            text = fix.apply(&text).unwrap().0;
        }
        assert_eq!(text, "timezone = UTC\nblink 09:00 for 30s\non 07:00-07:30 weekdays\n");
        assert_eq!(ParsedText::of(&text).summary(), "2 rules, no problems");
        assert_eq!(ParsedText::of(file).summary(), "0 rules, 2 problems");
    }
}
