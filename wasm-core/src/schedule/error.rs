//! What is wrong, where, and what to write instead.

use core::fmt;

use super::problem::Problem;
use super::text::Text;

/// Whether something was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The line is skipped.
    Error,
    /// The line counts, but perhaps not as it was meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
        })
    }
}

/// Bytes of the file, counted from 0; `end` does not belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
}

impl Span {
    /// The place in front of a byte.
    pub(super) const fn empty(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// Everything from this to the end of another.
    pub(super) const fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end }
    }
}

/// What would mend the line: the bytes of `span` replaced by a text.
///
/// ```
/// use wasm_core::schedule::{self, Suggestion};
///
/// let file = "timezone = UTC\nblik 09:00 for 30s\n";
/// let mut mended = file.to_string();
/// schedule::parse(file.as_bytes(), &mut |diagnostic| {
///     let Suggestion { span, replacement } = diagnostic.suggestion.unwrap();
///     mended.replace_range(span.start..span.end, replacement.as_str());
/// });
/// assert_eq!(corrected, "timezone = UTC\nblink 09:00 for 30s\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What to replace; empty where something is to be put in.
    pub span: Span,
    /// What to write there; empty where something is to be taken out.
    pub replacement: Text<48>,
}

impl fmt::Display for Suggestion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = self.replacement.as_str().trim_ascii();
        if written.is_empty() {
            return out.write_str("take it out");
        }
        if self.span.start == self.span.end {
            return write!(out, "add `{written}`");
        }
        write!(out, "did you mean `{written}`?")
    }
}

/// One thing that is wrong with the file. Its text is a line for a person, without the place.
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
    /// The line, from 1.
    pub line: u16,
    /// The first character of it, from 1.
    pub column: u16,
    /// The character behind the last one, on the same line.
    pub end_column: u16,
    /// The same as bytes of the whole file.
    pub span: Span,
    /// What is wrong.
    pub problem: Problem,
    /// What to write instead, if that can be told.
    pub suggestion: Option<Suggestion>,
}

impl Diagnostic {
    /// Whether the line was skipped.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.problem.severity()
    }
}

impl Diagnostic {
    /// What is wrong and what was expected, without the suggestion.
    pub fn message(&self) -> impl fmt::Display + use<> {
        Message(self.problem)
    }
}

struct Message(Problem);

impl fmt::Display for Message {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}; expected {}", self.0.what(), self.0.expected())
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

/// A problem found inside a line, before it is known which line that is.
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

    /// What to write in the place of the mistake itself.
    pub fn suggest(self, replacement: Text<48>) -> Self {
        let span = self.span;
        self.corrected(span, replacement)
    }

    /// The same with a text in parts.
    pub fn suggest_joined<'t>(self, parts: impl IntoIterator<Item = &'t str>) -> Self {
        match Text::join(parts) {
            Some(replacement) => self.suggest(replacement),
            None => self,
        }
    }

    /// The same with a text that is known beforehand.
    pub fn suggest_text(self, replacement: &str) -> Self {
        let span = self.span;
        self.suggest_at(span, replacement)
    }

    /// What to write at another place.
    pub fn suggest_at(self, span: Span, replacement: &str) -> Self {
        match Text::new(replacement) {
            Some(replacement) => self.corrected(span, replacement),
            None => self,
        }
    }

    fn corrected(self, span: Span, replacement: Text<48>) -> Self {
        Self { suggestion: Some(Suggestion { span, replacement }), ..self }
    }
}
