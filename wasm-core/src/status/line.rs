//! The lines of the report.

use core::fmt;

use super::statuses::{Count, ReloadError, StartReason, TimeStatus, WifiStatus, count};
use crate::schedule::Severity;

/// Label of the Wi-Fi line.
pub const WIFI: &str = "Wi-Fi: ";
/// Label of the time line.
pub const TIME: &str = "Time: ";
/// Label of a line that the device repeats from before its start.
pub const PREVIOUS: &str = "Before this start: ";

const START: &str = "Start: ";
const PRODUCT: &str = "Nudgelight ";
const SERIAL: &str = ", serial number ";
const PROBLEM: &str = "SCHEDULE.TXT line ";
const NOT_LOADED: &str = "SCHEDULE.TXT not loaded: ";
const LAST_GOOD: &str = ". The last good schedule is still active.";
const ACTIVE: &str = "Schedule active: ";
const NO_ERRORS: &str = ", no errors.";
const SKIPPED: &str = ". Lines with errors are skipped.";

/// A line of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'t> {
    /// The first line, by which the drive is recognized.
    Device(DeviceLine<'t>),
    /// A problem of the schedule.
    Problem(ProblemLine<&'t str>),
    /// The number of problems that the report has no room for.
    Omitted(u16),
    /// The result of loading the schedule.
    Schedule(ScheduleLine),
    /// The connection to the network.
    Wifi(WifiLine<'t>),
    /// The clock, with the time as text.
    Time(Option<MomentLine<'t, &'t str>>),
    /// The reason for the last start.
    Start(StartReason),
    /// The Wi-Fi or time line from before the start, without its label.
    Previous(&'t str),
}

/// Version and serial number of the light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceLine<'t> {
    /// Version of the firmware.
    pub version: &'t str,
    /// Serial number of the light.
    pub serial: &'t str,
}

/// Place and message of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemLine<M> {
    /// From 1.
    pub line: u16,
    /// From 1.
    pub column: u16,
    /// Whether the line is skipped.
    pub severity: Severity,
    /// The problem and the expected text.
    pub message: M,
}

/// Result of loading `SCHEDULE.TXT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleLine {
    /// The schedule is active. Lines with errors are skipped.
    Loaded {
        /// Number of valid rules.
        rules: u8,
        /// Number of skipped lines.
        errors: u16,
        /// Number of warnings.
        warnings: u16,
    },
    /// The file was rejected, and the last good schedule stays active.
    Rejected(ReloadError),
}

/// Wi-Fi status and the name of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WifiLine<'t> {
    /// Status of the connection.
    pub status: WifiStatus,
    /// Name of the network. Empty if the status names none.
    pub network: &'t str,
}

/// Time of the light's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MomentLine<'t, A> {
    /// The local time.
    pub at: A,
    /// The time zone.
    pub zone: &'t str,
    /// Minutes since a time server responded.
    pub minutes_since_set: Option<u64>,
}

impl ScheduleLine {
    /// True if the lamp must signal an error.
    #[must_use]
    pub const fn has_errors(self) -> bool {
        !matches!(self, Self::Loaded { errors: 0, .. })
    }

    fn parse(line: &str) -> Option<Self> {
        if let Some(error) = between(line, NOT_LOADED, LAST_GOOD) {
            return ReloadError::parse(error).map(Self::Rejected);
        }
        if let Some(rules) = between(line, ACTIVE, NO_ERRORS) {
            return Some(Self::Loaded { rules: number(rules, "rule")?, errors: 0, warnings: 0 });
        }
        let (rules, rest) = between(line, ACTIVE, SKIPPED)?.split_once(", ")?;
        let (errors, warnings) = rest.split_once(", ")?;
        let (rules, errors) = (number(rules, "rule")?, number(errors, "error")?);
        Some(Self::Loaded { rules, errors, warnings: number(warnings, "warning")? })
    }
}

impl<'t> Line<'t> {
    /// Reads a line that the device wrote. `None` for a line of other firmware.
    #[must_use]
    pub fn parse(line: &'t str) -> Option<Self> {
        if let Some(rest) = line.strip_prefix(PRODUCT) {
            let (version, serial) = rest.split_once(SERIAL)?;
            return Some(Self::Device(DeviceLine { version, serial }));
        }
        if let Some(rest) = line.strip_prefix(PROBLEM) {
            return problem(rest).map(Self::Problem);
        }
        if let Some(number) = between(line, "... and ", " more") {
            return number.parse().ok().map(Self::Omitted);
        }
        if let Some(status) = line.strip_prefix(WIFI) {
            return wifi(status).map(Self::Wifi);
        }
        if let Some(status) = line.strip_prefix(TIME) {
            return time(status).map(Self::Time);
        }
        if let Some(reason) = line.strip_prefix(START) {
            return StartReason::parse(reason).map(Self::Start);
        }
        if let Some(previous) = line.strip_prefix(PREVIOUS) {
            return Some(Self::Previous(previous));
        }
        ScheduleLine::parse(line).map(Self::Schedule)
    }
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(line) => line.fmt(out),
            Self::Problem(line) => line.fmt(out),
            Self::Omitted(count) => write!(out, "... and {count} more"),
            Self::Schedule(line) => line.fmt(out),
            Self::Wifi(line) => line.fmt(out),
            Self::Time(None) => write!(out, "{TIME}{}", TimeStatus::Unknown),
            Self::Time(Some(moment)) => moment.fmt(out),
            Self::Start(reason) => write!(out, "{START}{reason}"),
            Self::Previous(line) => write!(out, "{PREVIOUS}{line}"),
        }
    }
}

impl fmt::Display for DeviceLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, serial } = self;
        write!(out, "{PRODUCT}{version}{SERIAL}{serial}")
    }
}

impl<M: fmt::Display> fmt::Display for ProblemLine<M> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, severity, message } = self;
        write!(out, "{PROBLEM}{line}, column {column}: {severity}: {message}")
    }
}

impl fmt::Display for ScheduleLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Loaded { rules, errors: 0, warnings: 0 } => {
                write!(out, "{ACTIVE}{}{NO_ERRORS}", Count(rules.into(), "rule"))
            }
            Self::Loaded { rules, errors, warnings } => {
                let (rules, errors) = (Count(rules.into(), "rule"), Count(errors.into(), "error"));
                write!(out, "{ACTIVE}{rules}, {errors}, {}{SKIPPED}", Count(warnings.into(), "warning"))
            }
            Self::Rejected(error) => write!(out, "{NOT_LOADED}{error}{LAST_GOOD}"),
        }
    }
}

impl fmt::Display for WifiLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.status.words();
        let network = if after.is_empty() { "" } else { self.network };
        write!(out, "{WIFI}{before}{network}{after}")
    }
}

impl<A: fmt::Display> fmt::Display for MomentLine<'_, A> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{TIME}{} in {}", self.at, self.zone)?;
        match self.minutes_since_set {
            Some(minutes) => write!(out, ", set {} earlier", Count(minutes, "minute")),
            None => Ok(()),
        }
    }
}

fn problem(rest: &str) -> Option<ProblemLine<&str>> {
    let (line, rest) = rest.split_once(", column ")?;
    let (column, rest) = rest.split_once(": ")?;
    let (severity, message) = rest.split_once(": ")?;
    let severity = match severity {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => return None,
    };
    Some(ProblemLine { line: line.parse().ok()?, column: column.parse().ok()?, severity, message })
}

fn wifi(text: &str) -> Option<WifiLine<'_>> {
    WifiStatus::all().into_iter().find_map(|status| {
        let (before, after) = status.words();
        let network = between(text, before, after)?;
        (!after.is_empty() || network.is_empty()).then_some(WifiLine { status, network })
    })
}

#[expect(clippy::option_option, reason = "the outer one is an unknown line, the inner one an unknown time")]
fn time(text: &str) -> Option<Option<MomentLine<'_, &str>>> {
    if TimeStatus::parse(text) == Some(TimeStatus::Unknown) {
        return Some(None);
    }
    let (at, rest) = text.split_once(" in ")?;
    let Some((zone, set)) = rest.rsplit_once(", set ") else {
        return Some(Some(MomentLine { at, zone: rest, minutes_since_set: None }));
    };
    let minutes = count(set.strip_suffix(" earlier")?, "minute")?;
    Some(Some(MomentLine { at, zone, minutes_since_set: Some(minutes) }))
}

fn number<N: TryFrom<u64>>(text: &str, noun: &str) -> Option<N> {
    N::try_from(count(text, noun)?).ok()
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    text.strip_prefix(before)?.strip_suffix(after)
}

#[cfg(test)]
mod tests {
    use std::string::ToString;
    use std::vec::Vec;

    use super::super::{ErrorCount, PanicCode};
    use super::*;

    /// Every line, with each status.
    fn every_line() -> Vec<Line<'static>> {
        let problem = |severity| ProblemLine { line: 2, column: 1, severity, message: "no; did you mean: `on`?" };
        let moment =
            |minutes_since_set| MomentLine { at: "2026-11-27T09:00:05-05:00", zone: "EST5", minutes_since_set };
        let loaded = |rules, errors, warnings| ScheduleLine::Loaded { rules, errors, warnings };
        let mut lines = std::vec![
            Line::Device(DeviceLine { version: "0.1.0+3f2a9c1d", serial: "E6614103E7452D2F" }),
            Line::Problem(problem(Severity::Error)),
            Line::Problem(problem(Severity::Warning)),
            Line::Omitted(870),
            Line::Time(None),
            Line::Time(Some(moment(None))),
            Line::Time(Some(moment(Some(1)))),
            Line::Start(StartReason::Panic(PanicCode { file: 0x3F2A, line: 117 })),
            Line::Schedule(loaded(1, 0, 0)),
            Line::Schedule(loaded(64, 1, 2)),
            Line::Schedule(ScheduleLine::Rejected(ReloadError::NoValidRules(ErrorCount(1)))),
            Line::Previous("Wi-Fi: connecting to \"Home\""),
        ];
        lines.extend(ReloadError::all().map(|error| Line::Schedule(ScheduleLine::Rejected(error))));
        lines.extend(StartReason::all().map(Line::Start));
        lines.extend(WifiStatus::all().map(|status| {
            let network = if status.words().1.is_empty() { "" } else { "The \"Home\" of Ada" };
            Line::Wifi(WifiLine { status, network })
        }));
        lines
    }

    #[test]
    fn every_line_that_the_light_writes_is_read_as_it_was_meant() {
        for line in every_line() {
            assert_eq!(Line::parse(&line.to_string()), Some(line), "{line}");
        }
    }

    #[test]
    fn what_the_light_does_not_write_is_no_line() {
        let others =
            ["", "Hello", "Nudgelight", "Wi-Fi: on", "Time: soon", "Start: ", "SCHEDULE.TXT line x", "... and"];
        for other in others {
            assert_eq!(Line::parse(other), None, "{other}");
        }
    }
}
