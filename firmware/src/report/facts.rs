//! What there is to tell.

use core::fmt;

use wasm_core::schedule::Instant;

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
