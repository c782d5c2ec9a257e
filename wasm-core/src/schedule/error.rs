//! Diagnostics: the problem, its place and a suggested fix.

use core::fmt;

use super::problem::{Problem, Severity};
use super::text::Text;

/// Byte range of the file, from 0; `end` is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The empty range before a byte.
    pub(super) const fn empty(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// The range from this start to the end of another.
    pub(super) const fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// Suggested fix: replace the bytes of `span`.
///
/// ```
/// use wasm_core::schedule::{self, Suggestion};
///
/// let file = "timezone = UTC\nblik 09:00 for 30s\n";
/// let mut fixed = file.to_string();
/// schedule::parse(file.as_bytes(), &mut |diagnostic| {
///     let Suggestion { span, replacement } = diagnostic.suggestion.unwrap();
///     fixed.replace_range(span.start..span.end, replacement.as_str());
/// });
/// assert_eq!(fixed, "timezone = UTC\nblink 09:00 for 30s\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Text to replace; empty for an insertion.
    pub span: Span,
    /// Replacement; empty for a deletion.
    pub replacement: Text<48>,
}

impl fmt::Display for Suggestion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.replacement.as_str().trim_ascii();
        if written.is_empty() {
            return out.write_str("remove it");
        }
        if self.span.start == self.span.end {
            return write!(out, "add `{written}`");
        }
        write!(out, "did you mean `{written}`?")
    }
}

/// Error or warning about a line. Its text is the message and the suggestion, without the place.
///
/// ```
/// use wasm_core::schedule;
///
/// let file = "timezone = UTC\non 07:00-07:30 wekdays\n";
/// schedule::parse(file.as_bytes(), &mut |diagnostic| {
///     assert_eq!((diagnostic.line, diagnostic.column, diagnostic.end_column), (2, 16, 23));
///     assert!(diagnostic.to_string().ends_with("did you mean `weekdays`?"));
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line number, from 1.
    pub line: u16,
    /// First character, from 1.
    pub column: u16,
    /// Character after the last one, on the same line.
    pub end_column: u16,
    /// Byte range in the file.
    pub span: Span,
    /// The problem.
    pub problem: Problem,
    /// Suggested fix, if there is one.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    /// Whether the line is skipped.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.problem.severity()
    }
}

impl Diagnostic {
    /// The problem and the expected text, without the suggestion.
    pub fn message(&self) -> impl fmt::Display + use<> {
        Message(self.problem)
    }
}

struct Message(Problem);

impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}; expected {}", self.0.message(), self.0.expected())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.message())?;
        match &self.suggestion {
            Some(suggestion) => write!(out, "; {suggestion}"),
            None => Ok(()),
        }
    }
}

/// Problem inside a line, before the line number is added.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineError {
    pub problem: Problem,
    pub span: Span,
    pub suggestion: Option<Suggestion>,
}

impl LineError {
    pub fn new(problem: Problem, span: Span) -> Self {
        Self { problem, span, suggestion: None }
    }

    /// Suggests a replacement of the problem's text.
    pub fn suggest(self, replacement: Text<48>) -> Self {
        let span = self.span;
        self.with_suggestion(span, replacement)
    }

    /// Suggests a replacement that is joined from parts, if it fits.
    pub fn suggest_joined<'t>(self, parts: impl IntoIterator<Item = &'t str>) -> Self {
        match Text::join(parts) {
            Some(replacement) => self.suggest(replacement),
            None => self,
        }
    }

    /// Suggests a fixed text as the replacement.
    pub fn suggest_text(self, replacement: &str) -> Self {
        let span = self.span;
        self.suggest_at(span, replacement)
    }

    /// Suggests a fixed text at another place.
    pub fn suggest_at(self, span: Span, replacement: &str) -> Self {
        match Text::new(replacement) {
            Some(replacement) => self.with_suggestion(span, replacement),
            None => self,
        }
    }

    fn with_suggestion(self, span: Span, replacement: Text<48>) -> Self {
        Self { suggestion: Some(Suggestion { span, replacement }), ..self }
    }
}
