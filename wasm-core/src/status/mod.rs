//! Status of the device: the lines of `STATUS.TXT`, and the lamp's signals.
//!
//! The device writes each line with [`Display`](core::fmt::Display), the browser reads it with [`Line::parse`]. Both
//! use the same texts, so a line that the device can write is one that the browser can explain:
//!
//! ```
//! use wasm_core::status::{Line, StartReason};
//!
//! let line = Line::Start(StartReason::PowerOn);
//! assert_eq!(line.to_string(), "Start: plugged in");
//! assert_eq!(Line::parse("Start: plugged in"), Some(line));
//! assert_eq!(Line::parse("Hello"), None);
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `statuses` | the kinds of a status, with the words of each |
//! | `line` | the lines of the report |
//! | `signal` | the lamp's signals: flashes and meaning |
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod line;
mod signal;
mod statuses;

pub use line::{DeviceLine, Line, MomentLine, PREVIOUS, ProblemLine, ScheduleLine, TIME, WIFI, WifiLine};
pub use signal::LampSignal;
pub use statuses::{ErrorCount, PanicCode, ReloadError, StartReason, TimeStatus, WifiStatus};

/// Milliseconds between a computer's last write and the reload of the schedule. Editors save with several writes, and
/// operating systems send them in any order.
pub const RELOAD_DELAY_MS: u64 = 2500;

/// Name of the report on the drive.
pub const FILE_NAME: &str = "STATUS.TXT";
