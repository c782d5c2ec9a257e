//! WHEN: `START-END`, `START for DURATION` or `every INTERVAL [START-END] for DURATION`.

use super::civil::DAY;
use super::clock_time::{Word, corrected_time, duration, number, time};
use super::error::{LineError, Span};
use super::problem::Problem;
use super::rule::When;
use super::text::Text;
use super::words::Words;

const DASHES: [char; 2] = ['–', '—'];

/// Parses WHEN. `action` is the word before it.
pub(super) fn when(action: Word<'_>, words: &mut Words<'_>) -> Result<When, LineError> {
    let Some(first) = words.next() else {
        return Err(action.error(Problem::MissingTime).suggest_at(Span::empty(action.span().end), " 07:00-07:30"));
    };
    if first.is("every") {
        return every(first, words);
    }
    if let Some((start, length)) = range(first, words)? {
        return match words.peek().filter(|word| word.is("for")) {
            Some(word) => Err(word.error(Problem::EndGiven)),
            None => Ok(When::Once { start, length }),
        };
    }
    let start = start(first)?;
    match words.peek() {
        Some(word) if word.is("for") => {
            words.next();
            Ok(When::Once { start, length: duration_after_for(word, words)? })
        }
        _ => Err(first.error(Problem::LoneStart).suggest_at(Span::empty(first.span().end), " for 30s")),
    }
}

fn every(every: Word<'_>, words: &mut Words<'_>) -> Result<When, LineError> {
    let Some(interval_word) = words.next() else {
        let end = Span::empty(every.span().end);
        return Err(every.error(Problem::MissingInterval).suggest_at(end, " 30m for 10s"));
    };
    let interval = spaced_duration(interval_word, words).map_err(|error| in_minutes(interval_word, error))?;
    let (mut start, mut window) = (0, DAY);
    let mut last = interval_word;
    if let Some(word) = words.peek().filter(|word| !word.is("for") && word.text.contains([':'])) {
        words.next();
        (start, window) = range(word, words)?.ok_or_else(|| word.error(Problem::LoneStart))?;
        last = word;
    }
    let Some(word) = words.peek().filter(|word| word.is("for")) else {
        return Err(every.error(Problem::MissingFor).suggest_at(Span::empty(last.span().end), " for 10s"));
    };
    words.next();
    let length = duration_after_for(word, words)?;
    if length < interval {
        return Ok(When::Every { start, range: window, interval, length });
    }
    Err(LineError::new(Problem::NotShorter, Span { start: word.start, end: words.position() }))
}

/// Suggests minutes for an interval without a unit, if that is at most a day.
fn in_minutes(interval: Word<'_>, error: LineError) -> LineError {
    match number(interval.text, 4) {
        Some(minutes) if minutes <= DAY / 60 && error.span == interval.span() => {
            error.suggest_joined([interval.text, "m"])
        }
        _ => error,
    }
}

fn duration_after_for(word: Word<'_>, words: &mut Words<'_>) -> Result<u32, LineError> {
    match words.next() {
        Some(length) => spaced_duration(length, words),
        None => Err(word.error(Problem::BadDuration).suggest_at(Span::empty(word.span().end), " 30s")),
    }
}

/// A duration. One with spaces is a single error: `1h 30m`, `10 s`.
fn spaced_duration(word: Word<'_>, words: &Words<'_>) -> Result<u32, LineError> {
    match words.peek().and_then(|next| Some((next, joined(word, next)?))) {
        Some((next, meant)) => Err(LineError::new(Problem::BadDuration, word.span().to(next.span())).suggest(meant)),
        None => duration(word),
    }
}

/// The duration that two words form together.
fn joined(word: Word<'_>, next: Word<'_>) -> Option<Text<48>> {
    let is_more = next.text.starts_with(|letter: char| letter.is_ascii_digit()) && number(next.text, 9).is_none();
    let is_unit = number(word.text, 9).is_some() && !next.is("for");
    if !is_more && !is_unit {
        return None;
    }
    let both = Text::<48>::join([word.text, next.text])?;
    match duration(Word { text: both.as_str(), start: word.start }) {
        Ok(_) => Some(both),
        Err(error) => error.suggestion.filter(|_| error.problem == Problem::BadDuration).map(|meant| meant.replacement),
    }
}

/// Seconds from midnight to START, and from START to END; `None` for a single time.
fn range(word: Word<'_>, words: &Words<'_>) -> Result<Option<(u32, u32)>, LineError> {
    split_time(word, words)?;
    let Some((left, right)) = word.split('-') else {
        return match word.text.find(DASHES).and_then(|at| dash(word, at)) {
            Some(error) => Err(error),
            None => Ok(None),
        };
    };
    // One suggestion corrects both sides.
    let correct = |error: LineError| match (error.problem, corrected_time(left), corrected_time(right)) {
        (Problem::BadTime, Some(left), Some(right)) => {
            LineError { span: word.span(), ..error }.suggest_joined([left.as_str(), "-", right.as_str()])
        }
        _ => error,
    };
    let (start, end) = (start(left).map_err(correct)?, time(right).map_err(correct)?);
    if start == end {
        return Err(word.error(Problem::EmptyRange).suggest_text("00:00-24:00"));
    }
    let length = if end > start { end.saturating_sub(start) } else { end.saturating_add(DAY).saturating_sub(start) };
    Ok(Some((start, length)))
}

/// A dash, which word processors put in place of a hyphen.
fn dash(word: Word<'_>, at: usize) -> Option<LineError> {
    let (start, behind) = word.text.split_at_checked(at)?;
    let end = behind.trim_start_matches(DASHES);
    Some(word.error(Problem::BadTime).suggest_joined([start, "-", end]))
}

fn start(word: Word<'_>) -> Result<u32, LineError> {
    match time(word)? {
        DAY => Err(word.error(Problem::StartAtEnd).suggest_text("00:00")),
        start => Ok(start),
    }
}

/// `09:00 - 17:00`, `09:00 to 17:00`, `09:00 -17:00`, `9:00 am`.
fn split_time(word: Word<'_>, words: &Words<'_>) -> Result<(), LineError> {
    let mut ahead = *words;
    let Some(second) = ahead.next() else { return Ok(()) };
    let half = second.split('-').map_or(second, |(half, _)| half);
    if half.is("am") || half.is("pm") {
        let error = LineError::new(Problem::SplitTime, word.span().to(second.span()));
        return Err(error.suggest_joined([word.text, second.text]));
    }
    let is_joint = ["-", "–", "—", "to", "until", "till"].into_iter().any(|joint| second.is(joint));
    let end = match ahead.next() {
        Some(third) if is_joint => Some(third),
        _ if word.text.ends_with('-') => Some(second),
        _ => second.split('-').filter(|(before, _)| before.text.is_empty()).map(|(_, end)| end),
    };
    let Some(end) = end.filter(|end| time(*end).is_ok()) else { return Ok(()) };
    let error = LineError::new(Problem::SplitTime, word.span().to(end.span()));
    Err(error.suggest_joined([word.text.trim_end_matches('-'), "-", end.text]))
}
