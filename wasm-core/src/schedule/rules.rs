//! Parser of a rule: ACTION WHEN [DAYS] [HOW].

use super::clock_time::Word;
use super::days::Days;
use super::error::LineError;
use super::light::{Brightness, Light, Speed};
use super::modifiers::Modifiers;
use super::problem::Problem;
use super::rule::Rule;
use super::store::Schedule;
use super::when::when;

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

pub(super) fn action(word: Word<'_>) -> Option<Action> {
    ACTIONS.into_iter().find(|(name, _)| word.is(name)).map(|(_, action)| action)
}

/// Parses a rule after its action. Warnings go to `warn` and do not skip the rule.
pub(super) fn rule(
    action: Action,
    action_word: Word<'_>,
    words: &mut Words<'_>,
    schedule: &mut Schedule,
    warn: &mut impl FnMut(LineError),
) -> Result<Rule, LineError> {
    let when = when(action_word, words)?;
    let mut modifiers = Modifiers::default();
    while let Some(word) = words.next() {
        modifiers.take(word, action, *words, schedule)?;
    }
    let brightness = modifiers.brightness.unwrap_or(Brightness::FULL);
    let light = match action {
        Action::Off => Light::Off,
        Action::On => Light::On(brightness),
        Action::Blink => Light::Blink(modifiers.speed.map_or(Speed::SLOW, |(speed, _)| speed), brightness),
    };
    if let (Action::On, Some((_, word))) = (action, modifiers.speed) {
        warn(word.error(Problem::SpeedWithoutBlink).suggest_at(action_word.span(), "blink"));
    }
    Ok(Rule { line: 0, light, when, days: modifiers.days.unwrap_or(Days::DAILY) })
}
