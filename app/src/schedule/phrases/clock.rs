//! Times of day: `7`, `7pm`, `half past seven`, `noon`, `1930`.

use super::words::{Words, digits, number};

const HOUR: u32 = 60;
const DAY: u32 = 24 * HOUR;

/// A time of day. Without am or pm, an hour up to 12 has two candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockTime {
    /// Minutes after midnight, as written.
    minutes: u32,
    is_open: bool,
}

/// Reads a time. `Err` if it is one that no day has.
pub(super) fn clock_time(words: &mut Words<'_>) -> Option<Result<ClockTime, &'static str>> {
    if words.skip_any(&["noon", "midday"]) {
        return Some(Ok(ClockTime { minutes: 12 * HOUR, is_open: false }));
    }
    if words.skip_any(&["midnight"]) {
        return Some(Ok(ClockTime { minutes: 0, is_open: false }));
    }
    words.try_read(|words| spoken(words).or_else(|| written(words)))
}

/// `half past seven`, `quarter to eight`.
fn spoken(words: &mut Words<'_>) -> Option<Result<ClockTime, &'static str>> {
    words.try_read(|words| {
        words.skip_any(&["a"]);
        let minutes = match words.next()? {
            "half" => 30,
            "quarter" => 15,
            word => number(word).filter(|minutes| *minutes < HOUR)?,
        };
        let is_past = match words.next()? {
            "past" | "after" => true,
            "to" | "before" => (minutes == 15).then_some(false)?,
            _ => return None,
        };
        let hour = number(words.next()?).filter(|hour| (1..=12).contains(hour))?.saturating_mul(HOUR);
        let minutes = if is_past { hour.saturating_add(minutes) } else { hour.saturating_sub(minutes) };
        Some(Ok(half_of_day(words, minutes, true)))
    })
}

fn written(words: &mut Words<'_>) -> Option<Result<ClockTime, &'static str>> {
    let word = words.next()?;
    let (clock, half) = match word.strip_suffix('m').unwrap_or(word) {
        clock if clock.ends_with('a') => (clock.trim_end_matches('a'), Some(0)),
        clock if clock.ends_with('p') => (clock.trim_end_matches('p'), Some(12 * HOUR)),
        _ => (word, None),
    };
    let (hour, minute) = match clock.split_once([':', '.', 'h']) {
        Some((hour, "")) => (digits(hour, 2)?, 0),
        Some((hour, minute)) => (digits(hour, 2)?, digits(minute, 2).filter(|_| minute.len() == 2)?),
        None if clock.len() == 4 => {
            let (hour, minute) = clock.split_at_checked(2)?;
            (digits(hour, 2)?, digits(minute, 2)?)
        }
        None => (number(clock).filter(|hour| *hour < 100)?, 0),
    };
    if hour > 24 || minute >= 60 || (hour == 24 && minute > 0) {
        return Some(Err("A day has 24 hours. Write a time from 00:00 to 24:00."));
    }
    let minutes = hour.saturating_mul(HOUR).saturating_add(minute);
    words.skip_any(&["oclock"]);
    match half {
        Some(half) if (1..=12).contains(&hour) => {
            Some(Ok(ClockTime { minutes: (minutes % (12 * HOUR)).saturating_add(half), is_open: false }))
        }
        Some(_) => Some(Ok(ClockTime { minutes: minutes % DAY, is_open: false })),
        None => Some(Ok(half_of_day(words, minutes, (1..=12).contains(&hour) && !clock.starts_with('0')))),
    }
}

/// Applies `pm` or `in the evening` after a time.
fn half_of_day(words: &mut Words<'_>, minutes: u32, is_open: bool) -> ClockTime {
    let half = if words.skip_any(&["am", "a", "a.m"]) || words.skip(&["in", "the", "morning"]) {
        Some(0)
    } else if words.skip_any(&["pm", "p", "p.m"])
        || words.skip(&["in", "the", "afternoon"])
        || words.skip(&["in", "the", "evening"])
        || words.skip(&["at", "night"])
    {
        Some(12 * HOUR)
    } else {
        None
    };
    match half.filter(|_| is_open) {
        Some(half) => ClockTime { minutes: (minutes % (12 * HOUR)).saturating_add(half), is_open: false },
        None => ClockTime { minutes, is_open: is_open && half.is_none() },
    }
}

impl ClockTime {
    pub const fn at(minutes: u32) -> Self {
        Self { minutes, is_open: false }
    }

    /// Decides for the afternoon, if both halves of the day are possible.
    pub fn in_afternoon(self) -> Self {
        if self.is_open && self.minutes < 12 * HOUR { Self::at(self.minutes.saturating_add(12 * HOUR)) } else { self }
    }

    /// `07:30`
    pub fn notation(self) -> String {
        format!("{:02}:{:02}", self.minutes / HOUR % 24, self.minutes % HOUR)
    }

    fn candidates(self) -> [u32; 2] {
        let other = if self.is_open { self.minutes.saturating_add(12 * HOUR) } else { self.minutes };
        [self.minutes % DAY, other % DAY]
    }

    /// `09:00-17:00`: the shortest range that the two can mean. An open start is the morning, unless the end's half of
    /// the day is known.
    pub fn range(self, end: Self) -> String {
        let starts = if end.is_open { [self.minutes % DAY; 2] } else { self.candidates() };
        let pairs = starts.into_iter().flat_map(|start| end.candidates().map(|end| (start, end)));
        let length = |(start, end): &(u32, u32)| match end.saturating_add(DAY).saturating_sub(*start) % DAY {
            0 => DAY,
            length => length,
        };
        let (start, end) = pairs.min_by_key(length).unwrap_or_default();
        let end = if end == 0 { "24:00".to_owned() } else { Self::at(end).notation() };
        format!("{}-{end}", Self::at(start).notation())
    }
}
