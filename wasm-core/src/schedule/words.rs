//! Tokenizer of a line, and the keywords of the actions.

use super::clock_time::Word;

/// Tokenizer of a line.
#[derive(Clone, Copy)]
pub(super) struct Words<'t> {
    rest: &'t str,
    /// Offset of `rest` in the file.
    at: usize,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str, start: usize) -> Self {
        Self { rest: text, at: start }
    }

    pub fn next(&mut self) -> Option<Word<'t>> {
        let trimmed = self.rest.trim_ascii_start();
        let start = self.at.saturating_add(self.rest.len().saturating_sub(trimmed.len()));
        let length = trimmed.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(trimmed.len());
        let (text, rest) = trimmed.split_at_checked(length)?;
        self.rest = rest;
        self.at = start.saturating_add(length);
        (!text.is_empty()).then_some(Word { text, start })
    }

    /// Offset of the end of the last word.
    pub fn position(self) -> usize {
        self.at
    }

    pub fn peek(self) -> Option<Word<'t>> {
        let mut ahead = self;
        ahead.next()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    On,
    Blink,
    Off,
}

/// Keywords of the actions.
pub(super) const ACTIONS: [(&str, Action); 3] = [("on", Action::On), ("blink", Action::Blink), ("off", Action::Off)];
