//! A parsed schedule and its problems.

use std::ops::Range;

use wasm_core::schedule::{self, Diagnostic, Problem as ProblemKind, Schedule, Severity, Suggestion};

use super::explain::explain;
use super::phrases::{Reading, read_phrase};

/// The result of parsing a text, which may be invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedText {
    pub schedule: Schedule,
    /// Errors, then warnings, sorted by position.
    pub problems: Vec<Problem>,
}

impl ParsedText {
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::with_zone(text, "UTC")
    }

    /// Parses the text. `zone` is the time zone that is offered if the text has none.
    #[must_use]
    pub fn with_zone(text: &str, zone: &str) -> Self {
        let mut problems = Vec::new();
        let schedule = schedule::parse(text, &mut |diagnostic| problems.push(Problem::of(&diagnostic, text, zone)));
        problems.sort_by_key(|problem: &Problem| (problem.is_note(), problem.line, problem.column));
        Self { schedule, problems }
    }

    /// Whether the light skips a line.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| !problem.is_note())
    }

    /// Number of rules, problems and notes: "2 rules, no problems".
    #[must_use]
    pub fn summary(&self) -> String {
        let rules = counted(self.schedule.rules().len(), "rule");
        let notes = self.problems.iter().filter(|problem| problem.is_note()).count();
        let problems = match self.problems.len().saturating_sub(notes) {
            0 => "no problems".to_owned(),
            problems => counted(problems, "problem"),
        };
        match notes {
            0 => format!("{rules}, {problems}"),
            notes => format!("{rules}, {problems}, {}", counted(notes, "note")),
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
    /// The problem in a few words.
    pub message: String,
    /// What was expected. `None` if the fix or the message says it all.
    pub expected: Option<&'static str>,
    /// Byte range in the text.
    pub span: Range<usize>,
    pub fix: Option<Fix>,
}

impl Problem {
    fn of(diagnostic: &Diagnostic, text: &str, zone: &str) -> Self {
        let span = diagnostic.span.start..diagnostic.span.end;
        let problem = Self {
            severity: diagnostic.severity(),
            line: diagnostic.line,
            column: diagnostic.column,
            message: explain(diagnostic.problem, text.get(span.clone()).unwrap_or_default()),
            expected: Some(diagnostic.problem.expected()),
            span,
            fix: diagnostic.suggestion.as_ref().map(Fix::from),
        };
        match diagnostic.problem {
            ProblemKind::NoTimeZone => Self { fix: Some(Fix::zone(zone, problem.span.start)), ..problem },
            _ if problem.is_note() => problem,
            _ => problem.read_as_phrase(text),
        }
    }

    /// A note is about a line that the light uses. Others are skipped.
    #[must_use]
    pub fn is_note(&self) -> bool {
        self.severity == Severity::Warning
    }

    /// Replaces the grammar's advice if the line is a phrase with a meaning.
    fn read_as_phrase(self, text: &str) -> Self {
        let content = content_of_line(text, self.span.start);
        match text.get(content.clone()).and_then(read_phrase) {
            Some(Reading::Line(replacement)) => {
                let (message, label) = (format!("Almost: {replacement}"), "Use it".to_owned());
                Self { message, expected: None, fix: Some(Fix { label, span: content, replacement }), ..self }
            }
            Some(Reading::Sentence(sentence)) => {
                Self { message: sentence.to_owned(), expected: None, fix: None, ..self }
            }
            None => self,
        }
    }
}

/// Byte range of the line around an offset, without its indentation and comment.
fn content_of_line(text: &str, at: usize) -> Range<usize> {
    let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
    let end = at.saturating_add(behind.find('\n').unwrap_or(behind.len()));
    let line = text.get(start..end).unwrap_or_default();
    let content = line.find(" #").and_then(|comment| line.get(..comment)).unwrap_or(line).trim_end();
    let indent = content.len().saturating_sub(content.trim_start().len());
    start.saturating_add(indent)..start.saturating_add(content.len())
}

/// A suggested fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// "Did you mean weekdays?"
    pub label: String,
    /// Byte range to replace.
    pub span: Range<usize>,
    pub replacement: String,
}

impl From<&Suggestion> for Fix {
    fn from(suggestion: &Suggestion) -> Self {
        Self {
            label: capitalized(&suggestion.to_string().replace('`', "")),
            span: suggestion.span.start..suggestion.span.end,
            replacement: suggestion.replacement.as_str().to_owned(),
        }
    }
}

impl Fix {
    /// Adds a time zone before an offset.
    fn zone(zone: &str, at: usize) -> Self {
        let replacement = format!("timezone = {zone}\n");
        Self { label: format!("Add {}", replacement.trim_end()), span: at..at, replacement }
    }

    /// Applies the fix. Returns the text and the cursor behind the replacement, or `None` if the range no longer
    /// exists.
    #[must_use]
    pub fn apply(&self, text: &str) -> Option<(String, usize)> {
        replace(text, self.span.clone(), &self.replacement)
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
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
    fn errors_come_first_and_notes_are_not_counted_as_problems() {
        let parsed = ParsedText::with_zone("on 07:00-07:30 fast\nhello\non 9-5 # work\n", "America/Toronto");
        let lines: Vec<_> = parsed.problems.iter().map(|problem| (problem.line, problem.is_note())).collect();
        assert_eq!(lines, [(2, false), (3, false), (1, true), (1, true)]);
        assert_eq!(parsed.summary(), "1 rule, 2 problems, 2 notes");
        let fixes: Vec<_> = parsed.problems.iter().filter_map(|problem| problem.fix.as_ref()).collect();
        let labels: Vec<&str> = fixes.iter().map(|fix| fix.label.as_str()).collect();
        let expected = ["Use it", "Add timezone = America/Toronto", "Did you mean blink?"];
        assert_eq!(labels, expected);
        let text = "on 07:00-07:30 fast\nhello\non 9-5 # work\n";
        assert!(fixes[0].apply(text).unwrap().0.ends_with("on 09:00-17:00 # work\n"), "the comment stays");
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
