//! Days: `every day`, `Mondays`, `Monday through Friday`, `12/24/2026`.

use super::words::{Words, digits, is_date};

const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const WEEKDAYS: u8 = 0b001_1111;
const WEEKENDS: u8 = 0b110_0000;
pub(super) const DAILY: u8 = 0b111_1111;

/// Days of the week as bits from Monday, and dates.
#[derive(Clone, Debug, Default)]
pub(super) struct DayList {
    bits: u8,
    dates: Vec<String>,
}

impl DayList {
    pub fn is_empty(&self) -> bool {
        self.bits == 0 && self.dates.is_empty()
    }

    pub fn add(&mut self, bits: u8) {
        self.bits |= bits;
    }

    /// Leaves days out. Without other days, they are left out of the whole week.
    pub fn except(&mut self, bits: u8) {
        let from = if self.bits == 0 { DAILY } else { self.bits };
        self.bits = from & !bits;
    }

    pub fn add_date(&mut self, date: String) {
        self.dates.push(date);
    }

    /// `mon-wed,2026-12-24`
    pub fn notation(&self) -> String {
        let week = match self.bits {
            0 => String::new(),
            DAILY => "daily".to_owned(),
            WEEKDAYS => "weekdays".to_owned(),
            WEEKENDS => "weekends".to_owned(),
            bits => range(bits).unwrap_or_else(|| names(bits).join(",")),
        };
        let entries = (!week.is_empty()).then_some(week).into_iter().chain(self.dates.iter().cloned());
        entries.collect::<Vec<_>>().join(",")
    }
}

fn names(bits: u8) -> Vec<&'static str> {
    (0..).zip(NAMES).filter(|(day, _)| bits >> day & 1 == 1).map(|(_, name)| name).collect()
}

/// `mon-wed`, for three days or more that follow each other.
fn range(bits: u8) -> Option<String> {
    let first = bits.trailing_zeros();
    let is_row = (bits >> first).trailing_ones() == bits.count_ones();
    let named = names(bits);
    (is_row && named.len() > 2).then(|| Some(format!("{}-{}", named.first()?, named.last()?))).flatten()
}

/// Reads days of the week: a day, a range of days, or a group.
pub(super) fn weekdays(words: &mut Words<'_>) -> Option<u8> {
    if words.skip(&["school", "nights"]) || words.skip(&["school", "night"]) {
        return Some(0b100_1111);
    }
    if ["work", "business", "school", "week"]
        .into_iter()
        .any(|kind| words.skip(&[kind, "days"]) || words.skip(&[kind, "day"]))
    {
        return Some(WEEKDAYS);
    }
    let group = match words.peek()? {
        "daily" | "everyday" | "nightly" => DAILY,
        "weekday" | "weekdays" | "workday" | "workdays" | "schooldays" => WEEKDAYS,
        "weekend" | "weekends" => WEEKENDS,
        _ => return days_in_a_row(words),
    };
    words.next();
    Some(group)
}

fn days_in_a_row(words: &mut Words<'_>) -> Option<u8> {
    let first = words.try_read(|words| weekday(words.next()?))?;
    let last = words.try_read(|words| {
        words.skip_any(&["to", "through", "thru", "until", "till"]).then_some(())?;
        weekday(words.next()?)
    });
    let Some(last) = last else { return Some(1 << first) };
    let length = (last + 7 - first) % 7;
    Some((0..=length).fold(0, |bits, more| bits | 1 << ((first + more) % 7)))
}

/// Number of the day from Monday: `mon`, `tues`, `Mondays`.
fn weekday(word: &str) -> Option<u8> {
    const LONG: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let singular = word.strip_suffix('s').unwrap_or(word);
    let is_day = |long: &str| singular.len() >= 3 && long.starts_with(singular) || word == long;
    (0..).zip(LONG).find(|(_, long)| is_day(long)).map(|(day, _)| day)
}

/// Reads a date of the grammar, or `12/24/2026`.
pub(super) fn date(words: &mut Words<'_>) -> Option<String> {
    words.try_read(|words| {
        let word = words.next()?;
        if is_date(word) {
            return Some(word.to_owned());
        }
        let mut parts = word.split('/');
        let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
        let (month, day) = (digits(month, 2)?, digits(day, 2)?);
        (parts.next().is_none() && year.len() == 4)
            .then(|| Some(format!("{}-{month:02}-{day:02}", digits(year, 4)?)))
            .flatten()
    })
}
