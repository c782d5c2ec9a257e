//! Text fields with a length limit.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::Message;

/// Rule of a text field: its messages, its length limit in characters, and line breaks.
pub(crate) struct TextRule {
    /// Message for an empty field.
    pub missing: &'static str,
    /// Name of the field at the beginning of a message: `A name`.
    pub noun: &'static str,
    pub max: usize,
    pub lines: Lines,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    One,
    Many,
}

impl TextRule {
    /// The trimmed text; empty text is invalid.
    pub fn required(&self, typed: &str) -> Result<String, Message> {
        self.optional(typed)?.ok_or_else(|| self.missing.to_owned())
    }

    /// The trimmed text; empty text is `None`.
    pub fn optional(&self, typed: &str) -> Result<Option<String>, Message> {
        let text = typed.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let length = text.chars().count();
        if length > self.max {
            return Err(format!("{} has at most {} characters; you typed {length}.", self.noun, self.max));
        }
        if text.chars().any(|c| self.rejects(c)) {
            return Err(format!("{} cannot contain line breaks or invisible characters.", self.noun));
        }
        Ok(Some(text.to_owned()))
    }

    fn rejects(&self, c: char) -> bool {
        let break_allowed = self.lines == Lines::Many && matches!(c, '\n' | '\r' | '\t');
        is_hidden_character(c) && !break_allowed
    }
}

/// Whether a text of one line must not contain this character: a line break, another control character, or a direction
/// mark.
///
/// A line break in a name could end up in an email header or a CSV row (header injection). Direction marks make text look
/// like another text.
#[must_use]
pub fn is_hidden_character(c: char) -> bool {
    let direction_mark = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    direction_mark || matches!(c, '\u{2028}' | '\u{2029}') || c.is_control()
}

/// Whether a character is one of `characters`. `str::contains` would link the substring search and Unicode tables: a
/// tenth of the download.
pub(super) fn is_one_of(c: char, characters: &str) -> bool {
    characters.chars().any(|character| character == c)
}
