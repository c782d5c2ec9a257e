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
use super::words::{ACTIONS, Action, Words};

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
