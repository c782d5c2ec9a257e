//! Status report: the content of `STATUS.TXT`.

mod device_status;
mod previous_status;

use core::fmt::{self, Write};

use wasm_core::schedule::{Diagnostic, Schedule, Severity};

pub use device_status::{ClockStatus, DeviceStatus, PanicCode, ReloadError, ReloadResult, StartReason, WifiStatus};
pub use previous_status::PreviousStatus;

/// Maximum length of the report in bytes. The rest is omitted.
const MAX_LENGTH: usize = 4096;
/// Space reserved for the lines after the diagnostics.
const RESERVED: usize = 640;

/// Line labels. [`PreviousStatus`] finds the lines by them after a restart.
const WIFI: &str = "Wi-Fi: ";
const TIME: &str = "Time: ";

/// Text buffer of fixed capacity.
pub struct Report {
    bytes: [u8; MAX_LENGTH],
    length: usize,
    omitted: u16,
}

impl Report {
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; MAX_LENGTH], length: 0, omitted: 0 }
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Clears the report and writes its header.
    pub fn begin(&mut self, status: &DeviceStatus) {
        self.length = 0;
        self.omitted = 0;
        let serial = core::str::from_utf8(&status.serial).unwrap_or_default();
        self.line(format_args!("Nudgelight {}, serial number {serial}", env!("CARGO_PKG_VERSION")));
        self.line(format_args!(""));
    }

    /// Adds a diagnostic of the schedule, or counts it as omitted if the report is full.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        if self.length + RESERVED > MAX_LENGTH {
            self.omitted = self.omitted.saturating_add(1);
            return;
        }
        let severity = match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let (line, column) = (diagnostic.line, diagnostic.column);
        self.line(format_args!("SCHEDULE.TXT line {line}, column {column}: {severity}: {diagnostic}"));
    }

    /// Adds the lines after the diagnostics.
    pub fn end(&mut self, status: &DeviceStatus, result: ReloadResult, schedule: &Schedule, previous: PreviousStatus) {
        if self.omitted > 0 {
            let omitted = self.omitted;
            self.line(format_args!("... and {omitted} more"));
        }
        self.reload_result(result);
        self.line(format_args!(""));
        self.line(format_args!("{WIFI}{}", WifiLine { status: status.wifi, name: schedule.network().wifi() }));
        self.line(format_args!("{TIME}{}", TimeLine { clock: status.clock, schedule }));
        self.line(format_args!("Start: {}", status.start));
        for (label, line) in [(WIFI, &previous.wifi), (TIME, &previous.time)] {
            let text = line.as_str();
            if !text.is_empty() {
                self.line(format_args!("Before this start: {label}{text}"));
            }
        }
    }

    fn reload_result(&mut self, result: ReloadResult) {
        match result {
            ReloadResult::Loaded { rules, errors: 0, warnings: 0 } => {
                self.line(format_args!("Schedule active: {}, no errors.", Count(rules.into(), "rule")));
            }
            ReloadResult::Loaded { rules, errors, warnings } => self.line(format_args!(
                "Schedule active: {}, {}, {}. Lines with errors are skipped.",
                Count(rules.into(), "rule"),
                Count(errors.into(), "error"),
                Count(warnings.into(), "warning"),
            )),
            ReloadResult::Rejected(error) => {
                self.line(format_args!("SCHEDULE.TXT not loaded: {error}. The last good schedule is still active."));
            }
        }
    }

    fn line(&mut self, line: fmt::Arguments<'_>) {
        // A line that does not fit is truncated.
        let _truncated = self.write_fmt(line).and_then(|()| self.write_str("\r\n"));
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

/// Number with its noun in the singular or plural.
struct Count(u64, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        write!(out, "{count} {noun}{}", if *count == 1 { "" } else { "s" })
    }
}

struct WifiLine<'s> {
    status: WifiStatus,
    name: Option<&'s str>,
}

impl fmt::Display for WifiLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.unwrap_or_default();
        match self.status {
            WifiStatus::NoRadio => out.write_str("not available on this board"),
            WifiStatus::Disabled => out.write_str("turned off after repeated crashes; unplug the light to turn it on"),
            WifiStatus::NotConfigured => out.write_str("not set up: SCHEDULE.TXT has no \"wifi =\" line"),
            WifiStatus::Connecting => write!(out, "connecting to \"{name}\""),
            WifiStatus::JoinFailed => write!(out, "can't connect to \"{name}\": out of range or wrong password"),
            WifiStatus::Connected => write!(out, "connected to \"{name}\""),
        }
    }
}

struct TimeLine<'s> {
    clock: ClockStatus,
    schedule: &'s Schedule,
}

impl fmt::Display for TimeLine<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(now) = self.clock.now else { return out.write_str("not known yet, so the schedule is paused") };
        let zone = self.schedule.time_zone();
        write!(out, "{} in {}", zone.format(now), zone.name())?;
        let Some(seconds) = self.clock.time_since_set else { return Ok(()) };
        write!(out, ", set {} earlier", Count(seconds / 60, "minute"))
    }
}
