//! Parser of a rule's days.

use super::civil::day_number;
use super::clock_time::{Word, number};
use super::days::{DateRange, Days, EPOCH, GROUPS, WEEKDAYS};
use super::error::{LineError, Span};
use super::problem::Problem;
use super::store::Schedule;
use super::suggest::closest;

/// Keywords of a list of days.
pub(super) const DAY_WORDS: [&str; 17] = [
    "daily",
    "weekdays",
    "weekends",
    "mon",
    "monday",
    "tue",
    "tuesday",
    "wed",
    "wednesday",
    "thu",
    "thursday",
    "fri",
    "friday",
    "sat",
    "saturday",
    "sun",
    "sunday",
];

/// Parses a list such as `mon-wed,fri,2026-12-24` and stores its dates in the schedule.
pub(super) fn days(list: Word<'_>, schedule: &mut Schedule) -> Result<Days, LineError> {
    let mut days = Days { from: schedule.date_count(), ..Days::NEVER };
    let mut rest = Some(list);
    while let Some(word) = rest {
        let (entry, behind) = word.split(',').map_or((word, None), |(entry, behind)| (entry, Some(behind)));
        match entry.text.as_bytes().first() {
            Some(b'0'..=b'9') => schedule.push_date(dates(entry)?),
            Some(_) => days.weekdays |= weekdays(entry)?,
            None => return Err(comma_error(list, entry)),
        }
        rest = behind;
    }
    days.count = schedule.date_count().saturating_sub(days.from);
    Ok(days)
}

/// Error of a comma without a day on one side.
fn comma_error(list: Word<'_>, gap: Word<'_>) -> LineError {
    let comma = if gap.start > list.start {
        Span { start: gap.start.saturating_sub(1), end: gap.start }
    } else {
        Span { start: gap.start, end: gap.start.saturating_add(1) }
    };
    LineError::new(Problem::BadDay, comma).suggest_text("")
}

/// Bits of `weekdays`, `fri`, or `fri-mon`, which wraps around the week.
fn weekdays(entry: Word<'_>) -> Result<u8, LineError> {
    if let Some((_, bits)) = GROUPS.into_iter().find(|(name, _)| entry.is(name)) {
        return Ok(bits);
    }
    let Some((first, last)) = entry.split('-') else {
        return Ok(1 << weekday(entry)?);
    };
    let (first, last) = (weekday(first)?, weekday(last)?);
    let mut bits = 0;
    let mut day = first;
    loop {
        bits |= 1 << day;
        if day == last {
            return Ok(bits);
        }
        day = if day == 6 { 0 } else { day.saturating_add(1) };
    }
}

/// Day of the week, 0 to 6.
fn weekday(word: Word<'_>) -> Result<u8, LineError> {
    let found = (0..7_u8).zip(WEEKDAYS).find(|(_, (short, long))| word.is(short) || word.is(long));
    if let Some((number, _)) = found {
        return Ok(number);
    }
    let error = word.error(Problem::BadDay);
    Err(match likely_day(word.text) {
        Some(meant) => error.suggest_text(meant),
        None => error,
    })
}

/// Day that was probably meant by another word.
pub(super) fn likely_day(text: &str) -> Option<&'static str> {
    const OTHER_WORDS: [(&str, &str); 8] = [
        ("everyday", "daily"),
        ("all", "daily"),
        ("weekday", "weekdays"),
        ("weekend", "weekends"),
        ("workdays", "weekdays"),
        ("tues", "tue"),
        ("thur", "thu"),
        ("thurs", "thu"),
    ];
    let known = OTHER_WORDS.into_iter().find(|(other, _)| text.eq_ignore_ascii_case(other));
    known.map(|(_, word)| word).or_else(|| closest(text, &DAY_WORDS))
}

/// `2026-12-24` or `2026-12-24..2027-01-02`.
fn dates(entry: Word<'_>) -> Result<DateRange, LineError> {
    let Some((first_word, last_word)) = split_range(entry) else {
        let day = date(entry)?;
        return Ok(DateRange { first: day, last: day });
    };
    let (first, last) = (date(first_word)?, date(last_word)?);
    if first <= last {
        return Ok(DateRange { first, last });
    }
    Err(entry.error(Problem::DatesBackwards).suggest_joined([last_word.text, "..", first_word.text]))
}

fn split_range(entry: Word<'_>) -> Option<(Word<'_>, Word<'_>)> {
    let (first, behind) = entry.split('.')?;
    let text = behind.text.strip_prefix('.')?;
    Some((first, Word { text, start: behind.start.saturating_add(1) }))
}

/// Days since 2000-01-01.
fn date(word: Word<'_>) -> Result<u16, LineError> {
    let mut parts = word.text.split(['-']);
    let mut part =
        |digits: usize| parts.next().filter(|text| text.len() == digits).and_then(|text| number(text, digits));
    let (Some(year), Some(month), Some(day), None) = (part(4), part(2), part(2), parts.next()) else {
        return Err(not_a_date(word));
    };
    let valid = (2000..=2099).contains(&year).then(|| day_number(i32::try_from(year).ok()?, month, day)).flatten();
    let day = valid.and_then(|day| u16::try_from(day.saturating_sub(EPOCH)).ok());
    day.ok_or_else(|| word.error(Problem::BadDate))
}

/// Error of a word that begins with a digit and is not a date, such as a range with a hyphen instead of two dots.
fn not_a_date(word: Word<'_>) -> LineError {
    let error = word.error(Problem::BadDay);
    let hyphen = word.start.saturating_add("2026-12-24".len());
    if word.text.len() == "2026-12-24-2027-01-02".len() && word.text.as_bytes().get(10) == Some(&b'-') {
        return error.suggest_at(Span { start: hyphen, end: hyphen.saturating_add(1) }, "..");
    }
    error
}
