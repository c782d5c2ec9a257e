//! Durations: `10 minutes`, `half an hour`, `1h 30m`.

use super::words::{Words, number};

const HOUR: u32 = 3_600;

/// Reads a duration in seconds. A number needs a unit.
pub(super) fn length(words: &mut Words<'_>) -> Option<u32> {
    if words.skip(&["half", "an", "hour"]) || words.skip(&["a", "half", "hour"]) || words.skip(&["half", "hour"]) {
        return Some(HOUR / 2);
    }
    if words.skip(&["a", "quarter", "of", "an", "hour"]) || words.skip(&["quarter", "hour"]) {
        return Some(HOUR / 4);
    }
    let mut sum = part(words)?;
    if words.skip(&["and", "a", "half"]) {
        return Some(sum.saturating_add(sum / 2));
    }
    while let Some(more) = words.try_read(|words| {
        words.skip_any(&["and"]);
        part(words)
    }) {
        sum = sum.saturating_add(more);
    }
    Some(sum)
}

/// `10 minutes`, `an hour`, `minute`, `90s`, `1h30m`.
fn part(words: &mut Words<'_>) -> Option<u32> {
    if let Some(seconds) = words.try_read(|words| compound(words.next()?)) {
        return Some(seconds);
    }
    words.try_read(|words| {
        let count = match words.peek()? {
            "a" | "an" => 1,
            word => number(word)?,
        };
        words.next();
        words.skip_any(&["to"]);
        Some(count.saturating_mul(unit(words.next()?)?))
    })
}

/// A unit as a word of its own: `minute`. The count before it is 1.
pub(super) fn bare_unit(words: &mut Words<'_>) -> Option<u32> {
    let seconds = words.try_read(|words| unit(words.next()?))?;
    let half = if words.skip(&["and", "a", "half"]) { seconds / 2 } else { 0 };
    Some(seconds.saturating_add(half))
}

fn unit(word: &str) -> Option<u32> {
    match word {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60),
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(HOUR),
        _ => None,
    }
}

fn compound(word: &str) -> Option<u32> {
    let mut rest = word;
    let mut sum = 0_u32;
    while !rest.is_empty() {
        let (count, behind) = rest.split_at(rest.find(|letter: char| !letter.is_ascii_digit())?);
        let end = behind.find(|letter: char| letter.is_ascii_digit()).unwrap_or(behind.len());
        let (name, behind) = behind.split_at(end);
        sum = sum.saturating_add(number(count)?.saturating_mul(unit(name)?));
        rest = behind;
    }
    (sum > 0).then_some(sum)
}

/// `10s`, `5m`, `1h30m`.
pub(super) fn notation(seconds: u32) -> String {
    let parts = [(seconds / HOUR, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect()
}
