//! Normalized text of a schedule. It parses to an equal schedule.

use core::fmt::{self, Display, Formatter};

use super::civil::DAY;
use super::days::{DateRange, Days, GROUPS, WEEKDAYS};
use super::light::{Brightness, Light, Speed};
use super::rule::{Rule, When};
use super::store::Schedule;

/// Windows shorter than this many seconds are formatted with a duration, longer ones with an end.
const SHORT: u32 = 600;

impl Display for Schedule {
    /// Settings first, then the rules in order, one a line.
    ///
    /// ```
    /// use wasm_core::schedule;
    ///
    /// let schedule = schedule::parse("TimeZone=america/toronto\n ON 7:00pm-11:00pm 40% Mon-Fri # late", &mut |_| ());
    /// assert_eq!(schedule.to_string(), "timezone = America/Toronto\non 19:00-23:00 weekdays 40%\n");
    /// ```
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let zone = Some(self.time_zone().name());
        let settings = [
            ("wifi", self.network().wifi()),
            ("password", self.network().password()),
            ("timezone", zone),
            ("time-server", self.network().time_server()),
        ];
        for (name, value) in settings {
            if let Some(value) = value {
                writeln!(out, "{name} = {value}")?;
            }
        }
        self.rules().iter().try_for_each(|rule| writeln!(out, "{}", Line { schedule: self, rule }))
    }
}

impl Schedule {
    /// A rule as a line of the file.
    pub fn display_rule<'s>(&'s self, rule: &'s Rule) -> impl Display + 's {
        Line { schedule: self, rule }
    }
}

struct Line<'s> {
    schedule: &'s Schedule,
    rule: &'s Rule,
}

impl Display for Line<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let action = match self.rule.light {
            Light::Off => "off",
            Light::On(_) => "on",
            Light::Blink(..) => "blink",
        };
        write!(out, "{action} {}", self.rule.when)?;
        days(self.rule.days, self.schedule.dates(self.rule.days), out)?;
        match self.rule.light {
            Light::Off => Ok(()),
            Light::On(level) => brightness(level, out),
            Light::Blink(pace, level) => {
                speed(pace, out)?;
                brightness(level, out)
            }
        }
    }
}

impl Display for When {
    /// `07:00-07:30`, `09:00 for 30s` or `every 30m 09:00-17:00 for 10s`.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Once { start, length } if length == DAY && start > 0 => write!(out, "{} for 24h", Clock(start)),
            Self::Once { start, length } if length < SHORT => write!(out, "{} for {}", Clock(start), Duration(length)),
            Self::Once { start, length } => range(start, length, out),
            Self::Every { start, range: window, interval, length } => {
                write!(out, "every {} ", Duration(interval))?;
                if (start, window) != (0, DAY) {
                    range(start, window, out)?;
                    out.write_str(" ")?;
                }
                write!(out, "for {}", Duration(length))
            }
        }
    }
}

fn range(start: u32, length: u32, out: &mut Formatter<'_>) -> fmt::Result {
    let end = start.saturating_add(length);
    let end = if end > DAY { end.saturating_sub(DAY) } else { end };
    write!(out, "{}-{}", Clock(start), Clock(end))
}

/// Time of day in seconds from midnight.
struct Clock(u32);

impl Display for Clock {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{:02}:{:02}", self.0 / 3600, self.0 / 60 % 60)?;
        match self.0 % 60 {
            0 => Ok(()),
            second => write!(out, ":{second:02}"),
        }
    }
}

/// Duration in seconds: `1h30m`.
struct Duration(u32);

impl Display for Duration {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for (count, unit) in [(self.0 / 3600, 'h'), (self.0 / 60 % 60, 'm'), (self.0 % 60, 's')] {
            if count > 0 {
                write!(out, "{count}{unit}")?;
            }
        }
        Ok(())
    }
}

/// A list with commas, or nothing for every day.
fn days(days: Days, dates: &[DateRange], out: &mut Formatter<'_>) -> fmt::Result {
    if days.weekdays() == Days::DAILY.weekdays() && dates.is_empty() {
        return Ok(());
    }
    let mut separator = ' ';
    if let Some((name, _)) = GROUPS.into_iter().find(|(_, bits)| *bits == days.weekdays()) {
        write!(out, "{separator}{name}")?;
        separator = ',';
    } else {
        for (number, (name, _)) in (0..7).zip(WEEKDAYS) {
            if days.weekdays() >> number & 1 == 1 {
                write!(out, "{separator}{name}")?;
                separator = ',';
            }
        }
    }
    for dates in dates {
        write!(out, "{separator}{dates}")?;
        separator = ',';
    }
    Ok(())
}

impl Display for DateRange {
    /// `2026-12-24` or `2026-12-24..2027-01-02`.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.first().date();
        write!(out, "{year:04}-{month:02}-{day:02}")?;
        if self.first() == self.last() {
            return Ok(());
        }
        let (year, month, day) = self.last().date();
        write!(out, "..{year:04}-{month:02}-{day:02}")
    }
}

fn speed(speed: Speed, out: &mut Formatter<'_>) -> fmt::Result {
    match speed {
        Speed::SLOW => Ok(()),
        Speed::FAST => out.write_str(" fast"),
        other => write!(out, " {}ms/{}ms", other.lit_ms(), other.dark_ms()),
    }
}

fn brightness(brightness: Brightness, out: &mut Formatter<'_>) -> fmt::Result {
    match brightness {
        Brightness::FULL => Ok(()),
        other => write!(out, " {}%", other.get()),
    }
}
