//! Device status: the input of the status report.

use core::fmt;

use wasm_core::schedule::Instant;

/// Result of loading `SCHEDULE.TXT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReloadResult {
    /// The schedule is active. Lines with errors are skipped.
    Loaded { rules: u8, errors: u16, warnings: u16 },
    /// The file was rejected, and the last good schedule stays active.
    Rejected(ReloadError),
}

/// Reason for rejecting `SCHEDULE.TXT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReloadError {
    Missing,
    Empty,
    /// The file contains erased flash or zeroed clusters: the host lost power or was unplugged during the write.
    PartiallyWritten,
    /// The file has errors and no valid rule.
    NoValidRules {
        errors: u16,
    },
    /// The device cannot read the file system.
    UnreadableDrive,
}

impl ReloadResult {
    /// True if the lamp must signal an error.
    #[must_use]
    pub const fn has_errors(self) -> bool {
        !matches!(self, Self::Loaded { errors: 0, .. })
    }
}

/// Reason for the last start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartReason {
    PowerOn,
    /// The watchdog reset the chip after eight seconds without a feed.
    Watchdog,
    /// The firmware panicked.
    Panic(PanicCode),
}

/// Source location of a panic: a hash of the file name, and the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanicCode {
    pub file: u16,
    pub line: u16,
}

impl PanicCode {
    /// Encodes a source location.
    #[must_use]
    pub fn new(file: &str, line: u32) -> Self {
        // Only the base name: paths differ between build machines.
        let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
        let fold = |hash: u16, byte: u8| hash.rotate_left(5) ^ u16::from(byte);
        Self { file: name.bytes().fold(0x4E4C, fold), line: u16::try_from(line).unwrap_or(u16::MAX) }
    }

    /// Packs the code into a watchdog scratch register.
    #[must_use]
    pub const fn to_word(self) -> u32 {
        (self.file as u32) << 16 | self.line as u32
    }

    /// Unpacks a code from a watchdog scratch register.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        let [a, b, c, d] = word.to_be_bytes();
        Self { file: u16::from_be_bytes([a, b]), line: u16::from_be_bytes([c, d]) }
    }
}

/// Wi-Fi connection status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WifiStatus {
    /// The board has no radio.
    NoRadio,
    /// The radio stays off until the next power-on because the firmware crashed twice in a row.
    Disabled,
    /// The schedule names no network.
    NotConfigured,
    Connecting,
    /// The network is out of range, or the password is wrong.
    JoinFailed,
    Connected,
}

/// Clock status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStatus {
    pub now: Option<Instant>,
    /// Seconds since the clock was last set.
    pub time_since_set: Option<u64>,
}

/// Device status without the schedule's diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct DeviceStatus {
    pub serial: [u8; 16],
    pub start: StartReason,
    pub wifi: WifiStatus,
    pub clock: ClockStatus,
}

impl fmt::Display for ReloadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => out.write_str("the file is missing"),
            Self::Empty => out.write_str("the file is empty"),
            Self::PartiallyWritten => out.write_str("the file is incomplete"),
            Self::NoValidRules { errors: 1 } => out.write_str("the file has 1 error and no valid rules"),
            Self::NoValidRules { errors } => write!(out, "the file has {errors} errors and no valid rules"),
            Self::UnreadableDrive => out.write_str("the drive is damaged or has an unsupported format"),
        }
    }
}

impl fmt::Display for StartReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PowerOn => out.write_str("plugged in"),
            Self::Watchdog => out.write_str("restarted because the firmware stopped responding"),
            Self::Panic(code) => write!(out, "restarted after a crash, code {:04X}-{}", code.file, code.line),
        }
    }
}
