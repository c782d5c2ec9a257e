//! One line or several lines of text, within bounds.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::Message;

/// Modifiers a text field is called, and how long it may be, in characters.
pub(super) struct TextRule {
    /// Said when nothing was typed.
    pub missing: &'static str,
    /// What the field is, at the start of a sentence: `A name`.
    pub noun: &'static str,
    pub max: usize,
    pub lines: Lines,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    One,
    Many,
}

impl TextRule {
    /// Trims the text; refuses it when it is empty.
    pub fn required(&self, typed: &str) -> Result<String, Message> {
        self.optional(typed)?.ok_or_else(|| self.missing.to_owned())
    }

    /// Trims the text; an empty one is none.
    pub fn optional(&self, typed: &str) -> Result<Option<String>, Message> {
        let text = typed.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let length = text.chars().count();
        if length > self.max {
            return Err(format!("{} has at most {} characters; you typed {length}.", self.noun, self.max));
        }
        if text.chars().any(|c| self.refuses(c)) {
            return Err(format!("{} cannot hold line breaks or invisible characters.", self.noun));
        }
        Ok(Some(text.to_owned()))
    }

    // A line break in a name would end up in a mail's header or a CSV row; direction marks can make a text look like
    // another one.
    fn refuses(&self, c: char) -> bool {
        let break_allowed = self.lines == Lines::Many && matches!(c, '\n' | '\r' | '\t');
        let direction_mark = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        direction_mark || matches!(c, '\u{2028}' | '\u{2029}') || (c.is_control() && !break_allowed)
    }
}

/// Whether a character is one of these signs. `str::contains` says the same, but brings the search for words along, and
/// with that the printing of every character there is: a tenth of the rules as a browser loads them.
pub(super) fn is_among(c: char, signs: &str) -> bool {
    signs.chars().any(|sign| sign == c)
}
