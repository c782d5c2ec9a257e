//! `STATUS.TXT`: what the device tells about itself.

use core::fmt::{self, Write};

use wasm_core::schedule::{Diagnostic, Instant, Schedule, Severity};

/// How long the report can get; the rest is left out.
pub const LONGEST: usize = 4096;
/// What is kept free for the lines behind the problems.
const RESERVED: usize = 640;

/// What became of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is in use, without the lines that have errors.
    InUse { rules: u8, errors: u16, warnings: u16 },
    /// It is not, and the last good one goes on.
    Refused(Refusal),
}

/// Why a file is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Missing,
    Empty,
    /// Part of it is what an erased flash or an emptied cluster looks like.
    HalfWritten,
    /// It has errors and no rule that could be used.
    NothingUsable {
        errors: u16,
    },
    /// The drive's file system cannot be read.
    DriveUnreadable,
}

impl Verdict {
    /// Whether the lamp should say that something is wrong.
    #[must_use]
    pub const fn has_errors(self) -> bool {
        !matches!(self, Self::InUse { errors: 0, .. })
    }
}

/// How the device came to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    PluggedIn,
    /// Nothing moved for eight seconds.
    Watchdog,
    /// The program found a fault in itself.
    Fault(FaultCode),
}

/// Where in the program the fault was: a checksum of the file's name, and the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultCode {
    pub file: u16,
    pub line: u16,
}

impl FaultCode {
    /// The code for a place in the program.
    #[must_use]
    pub fn of(file: &str, line: u32) -> Self {
        // Only the file's own name: folders differ from one computer to another.
        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let fold = |sum: u16, byte: u8| sum.rotate_left(5) ^ u16::from(byte);
        Self { file: name.bytes().fold(0x4E4C, fold), line: u16::try_from(line).unwrap_or(u16::MAX) }
    }

    /// As a register keeps it over a restart.
    #[must_use]
    pub const fn to_word(self) -> u32 {
        (self.file as u32) << 16 | self.line as u32
    }

    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        let [a, b, c, d] = word.to_be_bytes();
        Self { file: u16::from_be_bytes([a, b]), line: u16::from_be_bytes([c, d]) }
    }
}

/// How it stands with the wireless network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wifi {
    /// This board has no radio.
    NoRadio,
    /// It stays off until the plug is drawn, because the program stopped twice in a row with it.
    SwitchedOff,
    NotSet,
    Connecting,
    /// It was not found, or the password is wrong.
    Refused,
    Connected,
}

/// How it stands with the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    pub now: Option<Instant>,
    /// How many seconds ago it was last set.
    pub set_ago: Option<u64>,
}

/// Everything that is told beside the schedule's problems.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub serial: [u8; 16],
    pub start: Start,
    pub wifi: Wifi,
    pub clock: Clock,
}

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

const WIFI: &str = "Wi-Fi: ";
const TIME: &str = "Time: ";

/// What the last run's report said of things that a fresh start does not know yet.
#[derive(Clone, Copy, Default)]
pub struct Before {
    wifi: Line,
    time: Line,
}

impl Before {
    /// Finds the lines in a report; what is not one gives nothing.
    #[must_use]
    pub fn of(report: &[u8]) -> Self {
        let find = |label: &str| {
            let mut lines = report.split(|byte| *byte == b'\n');
            let line = lines.find_map(|line| line.strip_prefix(label.as_bytes())).unwrap_or_default();
            Line::of(line.trim_ascii())
        };
        Self { wifi: find(WIFI), time: find(TIME) }
    }
}

/// A line of limited length.
#[derive(Clone, Copy)]
struct Line([u8; 100]);

impl Line {
    fn of(text: &[u8]) -> Self {
        let mut line = Self::default();
        let printable = text.iter().map(|byte| if (b' '..0x7F).contains(byte) { *byte } else { b'?' });
        line.0.iter_mut().zip(printable).for_each(|(to, from)| *to = from);
        line
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default().trim_end_matches('\0')
    }
}

impl Default for Line {
    fn default() -> Self {
        Self([0; 100])
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => out.write_str("there is no such file"),
            Self::Empty => out.write_str("it is empty"),
            Self::HalfWritten => out.write_str("only part of it was written"),
            Self::NothingUsable { errors } => write!(out, "it has {errors} errors and no rule that can be used"),
            Self::DriveUnreadable => out.write_str("the drive is damaged or was formatted in another way"),
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PluggedIn => out.write_str("plugged in"),
            Self::Watchdog => out.write_str("restarted, because the program hung"),
            Self::Fault(code) => write!(out, "restarted after a fault, code {:04X}-{}", code.file, code.line),
        }
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
