//! Status report: the content of `STATUS.TXT`. The lines are those of `wasm_core::status`, which the browser reads.

mod device_status;
mod previous_status;

use core::fmt::{self, Write};

use wasm_core::schedule::{Diagnostic, Schedule};
use wasm_core::status::{DeviceLine, Line, MomentLine, PREVIOUS, ProblemLine, TIME, WIFI, WifiLine};

use crate::version::version;

pub use device_status::{ClockStatus, DeviceStatus};
pub use previous_status::PreviousStatus;
// The statuses and their words belong to the rules, because the browser reads them.
pub use wasm_core::status::{
    ErrorCount, PanicCode, ReloadError, ScheduleLine as ReloadResult, StartReason, WifiStatus,
};

/// Maximum length of the report in bytes. The rest is omitted.
const MAX_LENGTH: usize = 4096;
/// Space reserved for the lines after the diagnostics.
const RESERVED: usize = 640;

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
        self.line(format_args!("{}", DeviceLine { version: version(), serial }));
        self.line(format_args!(""));
    }

    /// Adds a diagnostic of the schedule, or counts it as omitted if the report is full.
    pub fn diagnostic(&mut self, diagnostic: &Diagnostic) {
        if self.length + RESERVED > MAX_LENGTH {
            self.omitted = self.omitted.saturating_add(1);
            return;
        }
        let Diagnostic { line, column, .. } = *diagnostic;
        let severity = diagnostic.severity();
        self.line(format_args!("{}", ProblemLine { line, column, severity, message: diagnostic }));
    }

    /// Adds the lines after the diagnostics.
    pub fn end(&mut self, status: &DeviceStatus, result: ReloadResult, schedule: &Schedule, previous: PreviousStatus) {
        if self.omitted > 0 {
            let omitted = Line::Omitted(self.omitted);
            self.line(format_args!("{omitted}"));
        }
        self.line(format_args!("{result}"));
        self.line(format_args!(""));
        let network = schedule.network().wifi().unwrap_or_default();
        self.line(format_args!("{}", WifiLine { status: status.wifi, network }));
        self.time(status.clock, schedule);
        self.line(format_args!("{}", Line::Start(status.start)));
        for (label, line) in [(WIFI, &previous.wifi), (TIME, &previous.time)] {
            let text = line.as_str();
            if !text.is_empty() {
                self.line(format_args!("{PREVIOUS}{label}{text}"));
            }
        }
    }

    fn time(&mut self, clock: ClockStatus, schedule: &Schedule) {
        let Some(now) = clock.now else { return self.line(format_args!("{}", Line::Time(None))) };
        let zone = schedule.time_zone();
        let minutes_since_set = clock.time_since_set.map(|seconds| seconds / 60);
        self.line(format_args!("{}", MomentLine { at: zone.format(now), zone: zone.name(), minutes_since_set }));
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
