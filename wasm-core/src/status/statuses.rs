//! The kinds of a status. The words of each are written by the device and read by the browser.

use core::fmt;
use core::str::FromStr;

/// Declares an enum of statuses: each with the words before and after its value, if it has one.
macro_rules! statuses {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$variant_doc:meta])* $variant:ident $(($field:ident: $value:ty))? => $before:literal, $after:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant $(($value))?,)*
        }

        impl $name {
            /// Every status, each with the default of its value.
            #[must_use]
            pub fn all() -> [Self; [$($before),*].len()] {
                [$(Self::$variant $((<$value>::default()))?),*]
            }

            /// The words before and after the value.
            pub(super) const fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$variant { .. } => ($before, $after),)*
                }
            }

            /// Reads what `Display` writes.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                $(
                    let value = text.strip_prefix($before).and_then(|rest| rest.strip_suffix($after));
                    let status = value.and_then(|value| statuses!(@read value, Self::$variant $(, $value)?));
                    if status.is_some() {
                        return status;
                    }
                )*
                None
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (before, after) = self.words();
                out.write_str(before)?;
                match self {
                    $(Self::$variant $(($field))? => { $(fmt::Display::fmt($field, out)?;)? })*
                }
                out.write_str(after)
            }
        }
    };
    (@read $text:expr, $status:path) => { $text.is_empty().then_some($status) };
    (@read $text:expr, $status:path, $value:ty) => { <$value>::from_str($text).ok().map($status) };
}

statuses! {
    /// Reason for rejecting `SCHEDULE.TXT`.
    ReloadError {
        /// There is no file.
        Missing => "the file is missing", "";
        /// The file has no content.
        Empty => "the file is empty", "";
        /// The file contains erased flash or zeroed clusters: the host lost power or was unplugged during the write.
        PartiallyWritten => "the file is incomplete", "";
        /// The file has errors and no valid rule.
        NoValidRules(errors: ErrorCount) => "the file has ", " and no valid rules";
        /// The device cannot read the file system.
        UnreadableDrive => "the drive is damaged or has an unsupported format", "";
    }
}

statuses! {
    /// Reason for the last start.
    StartReason {
        /// The light got power.
        PowerOn => "plugged in", "";
        /// The watchdog reset the chip after eight seconds without a feed.
        Watchdog => "restarted because the firmware stopped responding", "";
        /// The firmware panicked.
        Panic(code: PanicCode) => "restarted after a crash, code ", "";
    }
}

statuses! {
    /// Wi-Fi connection status. Its words surround the name of the network.
    WifiStatus {
        /// The board has no radio.
        NoRadio => "not available on this board", "";
        /// The radio stays off until the next power-on because the firmware crashed twice in a row.
        Disabled => "turned off after repeated crashes; unplug the light to turn it on", "";
        /// The schedule names no network.
        NotConfigured => "not set up: SCHEDULE.TXT has no \"wifi =\" line", "";
        /// The radio joins the network.
        Connecting => "connecting to \"", "\"";
        /// The network is out of range, or the password is wrong.
        JoinFailed => "can't connect to \"", "\": out of range or wrong password";
        /// The network is joined.
        Connected => "connected to \"", "\"";
    }
}

statuses! {
    /// Clock status.
    TimeStatus {
        /// No time server has responded since the start.
        Unknown => "not known yet, so the schedule is paused", "";
        /// The clock runs. Its words surround the time.
        Known => "", "";
    }
}

/// Number of errors: "1 error", "3 errors".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorCount(pub u16);

impl fmt::Display for ErrorCount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Count(self.0.into(), "error").fmt(out)
    }
}

impl FromStr for ErrorCount {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        count(text, "error").and_then(|count| count.try_into().ok()).map(Self).ok_or(())
    }
}

/// Source location of a panic: a hash of the file name, and the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanicCode {
    /// Hash of the file name.
    pub file: u16,
    /// Line number.
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
        let [a, b] = self.file.to_be_bytes();
        let [c, d] = self.line.to_be_bytes();
        u32::from_be_bytes([a, b, c, d])
    }

    /// Unpacks a code from a watchdog scratch register.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        let [a, b, c, d] = word.to_be_bytes();
        Self { file: u16::from_be_bytes([a, b]), line: u16::from_be_bytes([c, d]) }
    }
}

impl fmt::Display for PanicCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04X}-{}", self.file, self.line)
    }
}

impl FromStr for PanicCode {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (file, line) = text.split_once(['-']).ok_or(())?;
        let file = u16::from_str_radix(file, 16).map_err(|_| ())?;
        Ok(Self { file, line: line.parse().map_err(|_| ())? })
    }
}

/// Number with its noun in the singular or plural.
pub(super) struct Count(pub u64, pub &'static str);

impl fmt::Display for Count {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        write!(out, "{count} {noun}{}", if *count == 1 { "" } else { "s" })
    }
}

/// Reads what [`Count`] writes.
pub(super) fn count(text: &str, noun: &str) -> Option<u64> {
    let (number, rest) = text.split_once([' '])?;
    let rest = rest.strip_prefix(noun)?;
    matches!(rest, "" | "s").then(|| number.parse().ok()).flatten()
}
