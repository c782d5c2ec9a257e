//! `STATUS.TXT`: what the device tells about itself.

mod before;
mod facts;

use core::fmt::{self, Write};

use wasm_core::schedule::{Diagnostic, Schedule, Severity};

pub use before::Before;
pub use facts::{Clock, Facts, FaultCode, Refusal, Start, Verdict, Wifi};

/// How long the report can get; the rest is left out.
pub const LONGEST: usize = 4096;
/// What is kept free for the lines behind the problems.
const RESERVED: usize = 640;

/// Each begins a line, by which the next start finds it again.
const WIFI: &str = "Wi-Fi: ";
const TIME: &str = "Time: ";

/// A text of limited length: what does not fit is cut off.
pub struct Report {
    bytes: [u8; LONGEST],
    length: usize,
    left_out: u16,
}

impl Report {
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; LONGEST], length: 0, left_out: 0 }
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Begins anew.
    pub fn begin(&mut self, facts: &Facts) {
        self.length = 0;
        self.left_out = 0;
        let serial = core::str::from_utf8(&facts.serial).unwrap_or_default();
        self.line(format_args!("Nudgelight {}, serial number {serial}", env!("CARGO_PKG_VERSION")));
        self.line(format_args!(""));
    }

    /// Adds a problem of the schedule.
    pub fn problem(&mut self, problem: &Diagnostic) {
        if self.length + RESERVED > LONGEST {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        let kind = match problem.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        self.line(format_args!("SCHEDULE.TXT line {}, column {}: {kind}: {problem}", problem.line, problem.column));
    }

    /// Adds everything else. `before` is the report of the last run.
    pub fn end(&mut self, facts: &Facts, verdict: Verdict, schedule: &Schedule, before: Before) {
        if self.left_out > 0 {
            let left_out = self.left_out;
            self.line(format_args!("... and {left_out} more"));
        }
        self.verdict(verdict);
        self.line(format_args!(""));
        self.line(format_args!("{WIFI}{}", WifiLine { wifi: facts.wifi, name: schedule.network().wifi() }));
        self.line(format_args!("{TIME}{}", TimeLine { clock: facts.clock, schedule }));
        self.line(format_args!("Start: {}", facts.start));
        for (label, line) in [(WIFI, &before.wifi), (TIME, &before.time)] {
            let text = line.as_str();
            if !text.is_empty() {
                self.line(format_args!("Before this start: {label}{text}"));
            }
        }
    }

    fn verdict(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::InUse { rules, errors: 0, warnings: 0 } => {
                self.line(format_args!("The schedule is in use: {rules} rules, nothing wrong."));
            }
            Verdict::InUse { rules, errors, warnings } => self.line(format_args!(
                "The schedule is in use: {rules} rules; errors: {errors} (these lines are skipped), warnings: {warnings}."
            )),
            Verdict::Refused(refusal) => {
                self.line(format_args!("SCHEDULE.TXT is not in use: {refusal}. The last good schedule goes on."));
            }
        }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        // What does not fit is cut off, which is not worth an error.
        let _cut_off = self.write_fmt(line).and_then(|()| self.write_str("\r\n"));
    }
}

impl Default for Report {
    fn default() -> Self {
        Self::new()
    }
}

impl Write for Report {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = self.bytes.get_mut(self.length..).unwrap_or_default();
        if room.len() < text.len() {
            return Err(fmt::Error);
        }
        room.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        self.length += text.len();
        Ok(())
    }
}

struct WifiLine<'s> {
    wifi: Wifi,
    name: Option<&'s str>,
}

impl fmt::Display for WifiLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.unwrap_or_default();
        match self.wifi {
            Wifi::NoRadio => out.write_str("this board has none"),
            Wifi::SwitchedOff => out.write_str("off after several faults, until the plug is drawn"),
            Wifi::NotSet => out.write_str("not set up: SCHEDULE.TXT has no line with wifi ="),
            Wifi::Connecting => write!(out, "looking for \"{name}\""),
            Wifi::Refused => write!(out, "cannot join \"{name}\": not in reach, or another password"),
            Wifi::Connected => write!(out, "joined \"{name}\""),
        }
    }
}

struct TimeLine<'s> {
    clock: Clock,
    schedule: &'s Schedule,
}

impl fmt::Display for TimeLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(now) = self.clock.now else { return out.write_str("not known yet, so there are no alarms") };
        let zone = self.schedule.time_zone();
        write!(out, "{} in {}", zone.show(now), zone.name())?;
        match self.clock.set_ago {
            Some(seconds) => write!(out, ", set {} minutes before", seconds / 60),
            None => Ok(()),
        }
    }
}
