//! Words of a line, times of day and durations.

use super::civil::DAY;
use super::error::{LineError, Span};
use super::problem::Problem;
use super::text::Text;

/// Word of a line with its offset in the file, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub start: usize,
}

impl<'t> Word<'t> {
    pub fn span(self) -> Span {
        Span { start: self.start, end: self.start.saturating_add(self.text.len()) }
    }

    pub fn is(self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    pub fn error(self, problem: Problem) -> LineError {
        LineError::new(problem, self.span())
    }

    /// The parts before and after the first `separator`.
    pub fn split(self, separator: char) -> Option<(Self, Self)> {
        let (left, right) = self.text.split_once([separator])?;
        let start = self.start.saturating_add(left.len()).saturating_add(separator.len_utf8());
        Some((Self { text: left, ..self }, Self { text: right, start }))
    }
}

/// Number of 1 to `digits` digits.
pub(super) fn number(text: &str, digits: usize) -> Option<u32> {
    let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    (all_digits && text.len() <= digits).then(|| text.parse().ok()).flatten()
}

/// Seconds since midnight: `07:30`, `7:30:15`, `7:30am`; 86,400 for `24:00`.
pub(super) fn time(word: Word<'_>) -> Result<u32, LineError> {
    seconds_of(word.text).ok_or_else(|| match likely_time(word.text) {
        Some(meant) => word.error(Problem::BadTime).suggest(meant),
        None => word.error(Problem::BadTime),
    })
}

/// The text of a valid time, or of the time that was probably meant.
pub(super) fn corrected_time(word: Word<'_>) -> Option<Text<48>> {
    if seconds_of(word.text).is_some() { Text::new(word.text) } else { likely_time(word.text) }
}

fn seconds_of(text: &str) -> Option<u32> {
    let (clock, half) = split_half(text);
    let mut parts = clock.split([':']);
    let hour = number(parts.next()?, 2)?;
    let minute = two_digits(parts.next()?)?;
    let second = parts.next().map_or(Some(0), two_digits)?;
    if parts.next().is_some() {
        return None;
    }
    let hour = match half {
        None => hour,
        Some(half) => (1..=12).contains(&hour).then_some((hour % 12).saturating_add(half))?,
    };
    let seconds = hour.saturating_mul(3600).saturating_add(minute.saturating_mul(60)).saturating_add(second);
    (seconds <= DAY).then_some(seconds)
}

/// The time without `am` or `pm`, and the hours that they add.
fn split_half(text: &str) -> (&str, Option<u32>) {
    let Some((clock, half)) = text.len().checked_sub(2).and_then(|at| text.split_at_checked(at)) else {
        return (text, None);
    };
    if half.eq_ignore_ascii_case("am") {
        return (clock, Some(0));
    }
    if half.eq_ignore_ascii_case("pm") {
        return (clock, Some(12));
    }
    (text, None)
}

/// Minutes or seconds: two digits below 60.
fn two_digits(text: &str) -> Option<u32> {
    number(text, 2).filter(|number| text.len() == 2 && *number < 60)
}

/// Time that was probably meant by text in another format: `7am`, `13:00pm`, `0:30am`, `9.30`, `9h30`, `0930`, `noon`,
/// `9`.
fn likely_time(text: &str) -> Option<Text<48>> {
    if text.eq_ignore_ascii_case("noon") {
        return Text::new("12:00");
    }
    if text.eq_ignore_ascii_case("midnight") {
        return Text::new("00:00");
    }
    let (clock, half) = split_half(text);
    let (hour, minute) = match clock.split_once([':', '.', 'h', 'H']) {
        Some((hour, minute)) => (hour, minute),
        None if clock.len() == 4 => clock.split_at_checked(2)?,
        None => (clock, "00"),
    };
    let (mut hour, minute) = (number(hour, 2)?, number(minute, 2).filter(|minute| *minute < 60)?);
    if let (Some(half), 1..=12) = (half, hour) {
        hour = (hour % 12).saturating_add(half);
    }
    if hour > 23 {
        return None;
    }
    let mut meant = Text::EMPTY;
    push_two(&mut meant, hour)?;
    meant.push(":")?;
    push_two(&mut meant, minute)?;
    Some(meant)
}

/// Appends a number below 100 as two digits.
fn push_two(text: &mut Text<48>, number: u32) -> Option<()> {
    for digit in [number / 10, number % 10] {
        text.push(char::from_digit(digit, 10)?.encode_utf8(&mut [0; 4]))?;
    }
    Some(())
}

/// Seconds: `10s`, `5m`, `2h`, `1h30m`; from 1 s to 24 h.
pub(super) fn duration(word: Word<'_>) -> Result<u32, LineError> {
    match seconds_in(word.text) {
        Some(0) => Err(word.error(Problem::NoDuration).suggest_text("1s")),
        Some(seconds @ 1..=DAY) => Ok(seconds),
        Some(_) => Err(word.error(Problem::TooLong).suggest_text("24h")),
        None => Err(match likely_duration(word.text) {
            Some(meant) => word.error(Problem::BadDuration).suggest(meant),
            None => word.error(Problem::BadDuration),
        }),
    }
}

/// Hours, minutes and seconds, each at most once and in this order. Overflow saturates.
fn seconds_in(text: &str) -> Option<u32> {
    let mut rest = text;
    let mut sum = 0_u32;
    for (unit, seconds) in [(['h', 'H'], 3600), (['m', 'M'], 60), (['s', 'S'], 1)] {
        let Some((count, behind)) = rest.split_once(unit) else { continue };
        let count = number(count, 9)?;
        sum = sum.saturating_add(count.saturating_mul(seconds));
        rest = behind;
    }
    (rest.is_empty() && !text.is_empty()).then_some(sum)
}

/// Duration that was probably meant by `30`, `30sec`, `5min`, `2hours`.
fn likely_duration(text: &str) -> Option<Text<48>> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (count, unit) = text.split_at_checked(digits)?;
    number(count, 5)?;
    let known = |names: &[&str]| names.iter().any(|name| unit.eq_ignore_ascii_case(name));
    let unit = match () {
        () if known(&["", "sec", "secs", "second", "seconds"]) => "s",
        () if known(&["min", "mins", "minute", "minutes"]) => "m",
        () if known(&["hr", "hrs", "hour", "hours"]) => "h",
        () => return None,
    };
    Text::join([count, unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_24_hours_or_with_am_and_pm() {
        let hours = |text| seconds_of(text).map(|seconds| (seconds / 3600, seconds % 3600 / 60, seconds % 60));
        assert_eq!(hours("07:30"), Some((7, 30, 0)));
        assert_eq!(hours("7:30:15"), Some((7, 30, 15)));
        assert_eq!(hours("12:00am"), Some((0, 0, 0)));
        assert_eq!(hours("12:15PM"), Some((12, 15, 0)));
        assert_eq!(hours("11:59pm"), Some((23, 59, 0)));
        assert_eq!(hours("24:00"), Some((24, 0, 0)));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in
            ["", ":", "7", "7am", "24:01", "24:00:01", "25:00", "12:60", "0:30am", "13:00pm", "1:2", "1:002", "é:00"]
        {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }

    #[test]
    fn durations_count_hours_minutes_and_seconds_in_this_order() {
        assert_eq!(seconds_in("10s"), Some(10));
        assert_eq!(seconds_in("1h30m"), Some(5400));
        assert_eq!(seconds_in("1h30m5s"), Some(5405));
        assert_eq!(seconds_in("90M"), Some(5400));
        for text in ["", "s", "10", "30m1h", "1h1h", "-1s", "1.5h", "1hm", "1h30"] {
            assert_eq!(seconds_in(text), None, "{text}");
        }
    }
}
