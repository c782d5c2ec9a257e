//! POSIX time zone rules (`TZ` strings): `EST5EDT,M3.2.0,M11.1.0`, with the extension of RFC 9636 (transition hours
//! from -167 to 167).

use super::civil::{self, Instant, LocalTime};

/// UTC offsets in seconds, and the rule of daylight saving time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PosixZone {
    pub standard: i32,
    /// Without daylight saving time, its offset is the standard one.
    pub summer: DaylightSaving,
}

/// Daylight saving time, usually an hour ahead of standard time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DaylightSaving {
    pub offset: i32,
    begins: Transition,
    ends: Transition,
}

/// Yearly transition: a day, and seconds from its midnight, which can lie on another day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Transition {
    day: YearDay,
    seconds: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum YearDay {
    /// `J60`: day of the year from 1, without 29 February.
    Julian(u16),
    /// `59`: day of the year from 0, with 29 February.
    Ordinal(u16),
    /// `M3.2.0`: month, week of the month (5 is the last), day of the week (0 is Sunday).
    Weekday(u8, u8, u8),
}

impl Transition {
    /// Local time of the transition in seconds since 1970-01-01.
    fn in_year(self, year: i32) -> i64 {
        let day = match self.day {
            YearDay::Julian(day) => {
                let leap = i32::from(civil::is_leap(year) && day >= 60);
                civil::first_of_month(year, 1).saturating_add(i32::from(day)).saturating_sub(1).saturating_add(leap)
            }
            YearDay::Ordinal(day) => civil::first_of_month(year, 1).saturating_add(i32::from(day)),
            YearDay::Weekday(month, week, weekday) => weekday_in_month(year, month, week, weekday),
        };
        i64::from(day).saturating_mul(i64::from(civil::DAY)).saturating_add(i64::from(self.seconds))
    }
}

fn weekday_in_month(year: i32, month: u8, week: u8, weekday: u8) -> i32 {
    let first = civil::first_of_month(year, month.into());
    // POSIX counts from Sunday, `civil::weekday` from Monday.
    let monday_based = i32::from(weekday).saturating_add(6);
    let ahead = monday_based.saturating_sub(civil::weekday(first).into()).rem_euclid(7);
    let weeks = i32::from(week).saturating_sub(1).saturating_mul(7);
    let length = i32::try_from(civil::days_in_month(year, month.into())).unwrap_or(31);
    let day = ahead.saturating_add(weeks);
    first.saturating_add(if day < length { day } else { day.saturating_sub(7) })
}

impl DaylightSaving {
    /// Its start in a year, in seconds since 1970-01-01T00:00:00Z.
    fn begin(&self, year: i32, standard: i32) -> i64 {
        self.begins.in_year(year).saturating_sub(standard.into())
    }

    fn end(&self, year: i32) -> i64 {
        self.ends.in_year(year).saturating_sub(self.offset.into())
    }
}

impl PosixZone {
    pub const UTC: Self = Self::fixed(0);

    /// A zone without daylight saving time.
    pub const fn fixed(standard: i32) -> Self {
        let never = Transition { day: YearDay::Julian(0), seconds: 0 };
        Self { standard, summer: DaylightSaving { offset: standard, begins: never, ends: never } }
    }

    /// UTC offset at an instant, in seconds.
    pub fn offset_at(&self, instant: Instant) -> i32 {
        let summer = &self.summer;
        if summer.offset == self.standard {
            return self.standard;
        }
        let now = instant.unix_seconds();
        let (year, ..) = LocalTime::in_utc(instant).date();
        // A transition can lie days outside its year, and in the southern hemisphere summer spans the end of the year.
        let in_summer = [-1, 0, 1].into_iter().any(|years| {
            let year = year.saturating_add(years);
            let begin = summer.begin(year, self.standard);
            let end = summer.end(year);
            let end = if end > begin { end } else { summer.end(year.saturating_add(1)) };
            (begin..end).contains(&now)
        });
        if in_summer { summer.offset } else { self.standard }
    }

    /// The first clock change after an instant. `None` if there is none within two years, since rules are yearly.
    pub fn next_transition(&self, after: Instant) -> Option<Instant> {
        let summer = &self.summer;
        let (year, ..) = LocalTime::in_utc(after).date();
        let moments = [-1, 0, 1, 2].into_iter().flat_map(|years| {
            let year = year.saturating_add(years);
            [summer.begin(year, self.standard), summer.end(year)]
        });
        let real = |seconds: &i64| {
            let instant = Instant::from_unix_seconds(*seconds);
            instant > after && self.offset_at(instant) != self.offset_at(instant.plus_seconds(-1))
        };
        moments.filter(real).min().map(Instant::from_unix_seconds)
    }
}

/// Parses a rule. The flag tells that daylight saving time has no dates: then those of the United States apply, as in C
/// libraries.
pub(super) fn parse(text: &str) -> Option<(PosixZone, bool)> {
    let mut cursor = Cursor(text.as_bytes());
    cursor.name()?;
    let standard = cursor.offset(24)?.saturating_neg();
    if cursor.0.is_empty() {
        return Some((PosixZone::fixed(standard), false));
    }
    cursor.name()?;
    let offset = match cursor.0.first() {
        None | Some(b',') => standard.saturating_add(3600),
        Some(_) => cursor.offset(24)?.saturating_neg(),
    };
    let without_rule = cursor.0.is_empty();
    if without_rule {
        cursor.0 = b",M3.2.0,M11.1.0";
    }
    let begins = cursor.yearly()?;
    let ends = cursor.yearly()?;
    let summer = DaylightSaving { offset, begins, ends };
    cursor.0.is_empty().then_some((PosixZone { standard, summer }, without_rule))
}

/// Remaining input.
struct Cursor<'t>(&'t [u8]);

impl Cursor<'_> {
    fn take(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// Skips the bytes for which `belongs` holds, and returns their number.
    fn skip_while(&mut self, belongs: impl Fn(u8) -> bool) -> usize {
        let length = self.0.iter().position(|byte| !belongs(*byte)).unwrap_or(self.0.len());
        self.0 = self.0.get(length..).unwrap_or_default();
        length
    }

    /// Abbreviation: `EST`, or text in angle brackets, `<-03>`. It is not stored, because the device never displays it.
    fn name(&mut self) -> Option<()> {
        if self.take(b'<').is_some() {
            let length = self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-'));
            self.take(b'>')?;
            return (length > 0).then_some(());
        }
        (self.skip_while(|byte| byte.is_ascii_alphabetic()) >= 3).then_some(())
    }

    fn number(&mut self, max: u16) -> Option<u16> {
        let digits = self.0;
        let length = self.skip_while(|byte| byte.is_ascii_digit());
        let text = core::str::from_utf8(digits.get(..length)?).ok()?;
        text.parse().ok().filter(|number| *number <= max)
    }

    fn digit(&mut self, max: u8) -> Option<u8> {
        self.number(max.into()).and_then(|number| u8::try_from(number).ok())
    }

    /// `[+-]HOURS[:MINUTES[:SECONDS]]` in seconds.
    fn offset(&mut self, max_hours: u16) -> Option<i32> {
        let is_negative = self.take(b'-').is_some();
        if !is_negative {
            self.take(b'+');
        }
        let mut seconds = i32::from(self.number(max_hours)?).saturating_mul(3600);
        for unit in [60, 1] {
            if self.take(b':').is_none() {
                break;
            }
            seconds = seconds.saturating_add(i32::from(self.number(59)?).saturating_mul(unit));
        }
        Some(if is_negative { seconds.saturating_neg() } else { seconds })
    }

    /// `,DAY[/TIME]`
    fn yearly(&mut self) -> Option<Transition> {
        self.take(b',')?;
        let day = self.day()?;
        let seconds = if self.take(b'/').is_some() { self.offset(167)? } else { 7200 };
        Some(Transition { day, seconds })
    }

    fn day(&mut self) -> Option<YearDay> {
        if self.take(b'J').is_some() {
            return self.number(365).filter(|day| *day > 0).map(YearDay::Julian);
        }
        if self.take(b'M').is_none() {
            return self.number(365).map(YearDay::Ordinal);
        }
        let month = self.digit(12).filter(|month| *month > 0)?;
        self.take(b'.')?;
        let week = self.digit(5).filter(|week| *week > 0)?;
        self.take(b'.')?;
        Some(YearDay::Weekday(month, week, self.digit(6)?))
    }
}
