//! The schedule file on the device's USB drive: what a line of it means, and what the lamp does at any moment.
//!
//! This is the only module the device compiles, so nothing in it needs `std` or an allocator, and nothing in it can
//! panic. The device, the browser and the server all read the file with [`parse`] and ask the [`Schedule`]:
//!
//! ```
//! use wasm_core::schedule::{self, Light, LocalTime};
//!
//! let text = "timezone = America/Toronto\n\
//!             on 07:00-07:30 mon-fri 40%\n";
//! let mut problems = 0;
//! let schedule = schedule::parse(text.as_bytes(), &mut |_| problems += 1);
//!
//! assert_eq!(problems, 0);
//! let friday = LocalTime::new(2026, 11, 27, 7, 15, 0).unwrap();
//! assert_eq!(schedule.light_at(friday).to_string(), "on 40%");
//! let saturday = LocalTime::new(2026, 11, 28, 7, 15, 0).unwrap();
//! assert_eq!(schedule.light_at(saturday), Light::Off);
//! ```
//!
//! | file | what is in it |
//! |---|---|
//! | `parse`, `settings`, `rules`, `when`, `modifiers`, `days`, `clock_time` | from text to a schedule, with a [`Diagnostic`] for each mistake |
//! | `error`, `problem`, `suggest` | what a diagnostic says, and what to write instead |
//! | `eval` | the light at a local time, the next change after an instant |
//! | `display` | from a schedule back to text |
//! | `civil`, `moment`, `timezone`, `posix`, `zones` | days, instants, and the rules of time zones |
//!
//! Text is searched for `[':']` and not for `':'`: the search for a single character is the one piece of `core` here
//! that would bring the code of a panic along, and `cargo xtask size-schedule` fails where that is linked.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod civil;
mod clock_time;
mod days;
mod display;
mod error;
mod eval;
mod light;
mod modifiers;
mod moment;
mod network;
mod parse;
mod posix;
mod problem;
mod rule;
mod rules;
mod settings;
mod store;
mod suggest;
mod text;
mod timezone;
mod when;
mod zone_table;
mod zones;

pub use civil::{Instant, LocalTime};
pub use days::{DateRange, Days};
pub use error::{Diagnostic, Severity, Span, Suggestion};
pub use eval::{Change, Changes, InForce};
pub use light::{Brightness, Light, Speed};
pub use moment::{Moment, Shown};
pub use network::Network;
pub use parse::parse;
pub use problem::Problem;
pub use rule::{Rule, When};
pub use store::Schedule;
pub use text::Text;
pub use timezone::TimeZone;
pub use zone_table::VERSION as ZONE_TABLE_VERSION;
pub use zones::zone_names;

/// The file's name on the drive. The device reads it in any case.
///
/// ```
/// assert!("schedule.txt".eq_ignore_ascii_case(wasm_core::schedule::FILE_NAME));
/// ```
pub const FILE_NAME: &str = "SCHEDULE.TXT";

/// The name under which the browser saves the file.
pub const DOWNLOAD_NAME: &str = "schedule.txt";

/// Modifiers many bytes of the file are read. 8 KiB hold the longest sensible file several times over and fit the device's
/// memory beside everything else it runs.
pub const MAX_BYTES: usize = 8 * 1024;

/// Modifiers many rules a file may hold.
pub const MAX_RULES: usize = 64;

/// The words of the grammar, for completion in an editor: actions, then what may follow a time, then settings.
pub const KEYWORDS: [&str; 24] = [
    "on",
    "blink",
    "off",
    "every",
    "for",
    "slow",
    "fast",
    "daily",
    "weekdays",
    "weekends",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "am",
    "pm",
    "wifi",
    "password",
    "timezone",
    "time-server",
    "#",
];
