//! Modifiers after WHEN, in any order: days, speed and brightness (DAYS and HOW in the grammar).

use super::clock_time::{Word, number};
use super::day_list::{days, likely_day};
use super::days::Days;
use super::error::{LineError, Span};
use super::light::{Brightness, Speed};
use super::problem::Problem;
use super::store::Schedule;
use super::suggest::closest;
use super::words::{Action, Words};

/// Modifiers parsed so far. Each may occur once.
#[derive(Default)]
pub(super) struct Modifiers<'t> {
    pub days: Option<Days>,
    pub speed: Option<(Speed, Word<'t>)>,
    pub brightness: Option<Brightness>,
    /// The previous word, if it was days.
    last_days: Option<Word<'t>>,
}

impl<'t> Modifiers<'t> {
    pub fn take(
        &mut self,
        word: Word<'t>,
        action: Action,
        rest: Words<'t>,
        schedule: &mut Schedule,
    ) -> Result<(), LineError> {
        let last_days = self.last_days.take();
        if word.text.contains(['%']) || (number(word.text, 3).is_some() && self.brightness.is_none()) {
            reject_for_off(action, word)?;
            let brightness = brightness(word)?;
            return once(self.brightness.replace(brightness), word, Problem::BrightnessTwice);
        }
        if let Some(speed) = speed(word) {
            reject_for_off(action, word)?;
            return once(self.speed.replace((speed?, word)), word, Problem::SpeedTwice);
        }
        spaced_list(last_days, word, rest)?;
        let days = days_or_unknown(word, schedule)?;
        self.last_days = Some(word);
        match (self.days.replace(days), last_days) {
            (None, _) => Ok(()),
            (Some(_), Some(left)) => Err(joined(Problem::DaysTwice, left, ",", word)),
            (Some(_), None) => Err(word.error(Problem::DaysTwice)),
        }
    }
}

fn once<T>(before: Option<T>, word: Word<'_>, problem: Problem) -> Result<(), LineError> {
    if before.is_some() { Err(word.error(problem)) } else { Ok(()) }
}

fn reject_for_off(action: Action, word: Word<'_>) -> Result<(), LineError> {
    if action == Action::Off { Err(word.error(Problem::OffTakesNone).suggest_text("")) } else { Ok(()) }
}

/// `mon, wed` and `mon ,wed` and `mon , wed`.
fn spaced_list(last: Option<Word<'_>>, word: Word<'_>, mut rest: Words<'_>) -> Result<(), LineError> {
    let next = rest.next();
    Err(match (last, next) {
        (Some(last), Some(next)) if word.text == "," => joined(Problem::SplitDays, last, ",", next),
        (_, Some(next)) if word.text.ends_with(',') => joined(Problem::SplitDays, word, "", next),
        (Some(last), _) if word.text.starts_with(',') => joined(Problem::SplitDays, last, "", word),
        _ => return Ok(()),
    })
}

/// Error of two words that belong together.
fn joined(problem: Problem, left: Word<'_>, by: &str, right: Word<'_>) -> LineError {
    LineError::new(problem, left.span().to(right.span())).suggest_joined([left.text, by, right.text])
}

/// Parses days. A word that does not look like a day is an unknown word, with a suggestion.
fn days_or_unknown(word: Word<'_>, schedule: &mut Schedule) -> Result<Days, LineError> {
    let error = match days(word, schedule) {
        Ok(days) => return Ok(days),
        Err(error) => error,
    };
    let one_word = word.text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if error.problem != Problem::BadDay || !one_word {
        return Err(error);
    }
    let error = word.error(Problem::UnknownWord);
    let meant = closest(word.text, &["slow", "fast"]).or_else(|| likely_day(word.text));
    Err(meant.map_or(error, |meant| error.suggest_text(meant)))
}

/// Speed, if the word looks like one: `slow`, `fast`, `200ms/800ms`.
fn speed(word: Word<'_>) -> Option<Result<Speed, LineError>> {
    if word.is("slow") {
        return Some(Ok(Speed::SLOW));
    }
    if word.is("fast") {
        return Some(Ok(Speed::FAST));
    }
    let (lit, dark) = word.split('/').filter(|(_, dark)| !dark.text.contains(['/']))?;
    Some(match (milliseconds(lit.text), milliseconds(dark.text)) {
        (Some(lit), Some(dark)) => bounded(lit, dark).ok_or_else(|| word.error(Problem::SpeedBounds)),
        _ => Err(without_unit(word, lit, dark)),
    })
}

fn bounded(lit: u32, dark: u32) -> Option<Speed> {
    Speed::new(u16::try_from(lit).ok()?, u16::try_from(dark).ok()?)
}

/// `800ms` or `2s`.
fn milliseconds(text: &str) -> Option<u32> {
    let unit = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (count, unit) = text.split_at_checked(unit)?;
    let count = number(count, 6)?;
    match () {
        () if unit.eq_ignore_ascii_case("ms") => Some(count),
        () if unit.eq_ignore_ascii_case("s") => Some(count.saturating_mul(1000)),
        () => None,
    }
}

/// Error of a speed without units: `200/800` probably means milliseconds.
fn without_unit(word: Word<'_>, lit: Word<'_>, dark: Word<'_>) -> LineError {
    let error = word.error(Problem::BadSpeed);
    if number(lit.text, 5).is_none() || number(dark.text, 5).is_none() {
        return error;
    }
    error.suggest_joined([lit.text, "ms/", dark.text, "ms"])
}

/// Brightness: `40%`. A number alone gets a percent sign as its suggestion.
fn brightness(word: Word<'_>) -> Result<Brightness, LineError> {
    let error = word.error(Problem::BadBrightness);
    let Some(percent) = word.text.strip_suffix('%') else {
        return Err(error.suggest_at(Span::empty(word.span().end), "%"));
    };
    let Some(percent) = number(percent, 4) else { return Err(error) };
    match u8::try_from(percent).ok().and_then(Brightness::percent) {
        Some(brightness) => Ok(brightness),
        None => Err(error.suggest_text(if percent == 0 { "1%" } else { "100%" })),
    }
}
