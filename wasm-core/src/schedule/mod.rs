//! Schedule file on the device's USB drive: parser, evaluation and time zones.
//!
//! The device compiles this module, so it needs neither `std` nor an allocator, and never panics. The device, the
//! browser and the server read the file with [`parse`] and evaluate the [`Schedule`]:
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
//! | module | contents |
//! |---|---|
//! | `parse`, `settings`, `rules`, `when`, `modifiers`, `day_list`, `words`, `clock_time` | the parser, with a [`Diagnostic`] for each mistake |
//! | `error`, `problem`, `suggest` | diagnostics and suggested fixes |
//! | `eval` | evaluation: the light at a local time, and the next change after an instant |
//! | `store`, `rule`, `days`, `light`, `network` | the parsed schedule |
//! | `display` | a schedule as normalized text |
//! | `civil`, `moment`, `timezone`, `posix`, `zones` | dates, instants and time zones |
//!
//! Text is split by `[':']` and not by `':'`: searching for a single `char` would link panic code from `core`, and
//! `cargo xtask size-schedule` fails if panic code is linked.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

#[cfg(feature = "shop")]
pub(crate) mod civil;
#[cfg(not(feature = "shop"))]
mod civil;
mod clock_time;
mod day_list;
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
mod words;
mod zone_table;
mod zones;

pub use civil::{Instant, LocalTime};
pub use days::{DateRange, Days};
pub use error::{Diagnostic, Span, Suggestion};
pub use eval::{ActiveRule, Change, Changes};
pub use light::{Brightness, Light, Speed};
pub use moment::{Moment, OffsetTime};
pub use network::Network;
pub use parse::parse;
pub use problem::{Problem, Severity};
pub use rule::{Rule, When};
pub use store::Schedule;
pub use text::Text;
pub use timezone::TimeZone;
pub use zone_table::VERSION as ZONE_TABLE_VERSION;
pub use zones::zone_names;

/// Name of the file on the drive. The device ignores its case.
///
/// ```
/// assert!("schedule.txt".eq_ignore_ascii_case(wasm_core::schedule::FILE_NAME));
/// ```
pub const FILE_NAME: &str = "SCHEDULE.TXT";

/// Largest size of the file in bytes; the rest is skipped. 8 KiB is several times a long schedule, and fits the memory
/// of the device.
pub const MAX_BYTES: usize = 8 * 1024;

/// Largest number of rules in a file.
pub const MAX_RULES: usize = 64;

/// Keywords of the grammar, for completion in an editor: actions, modifiers, then settings.
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
