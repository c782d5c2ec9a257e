//! The schedule file on the device's USB drive: its names and its bounds.
//!
//! This is the only module the device compiles, so nothing in it may need `std` or an allocator. The grammar, its
//! evaluation and its display belong here, one file each, so that the device, the browser and the server agree on
//! what a line of the file means.

/// The file's name on the drive. The device reads it in any case.
///
/// ```
/// assert!("schedule.txt".eq_ignore_ascii_case(wasm_core::schedule::FILE_NAME));
/// ```
pub const FILE_NAME: &str = "SCHEDULE.TXT";

/// The name under which the browser saves the file.
pub const DOWNLOAD_NAME: &str = "schedule.txt";

/// How many bytes of the file are read. 8 KiB hold the longest sensible file several times over and fit the device's
/// memory beside everything else it runs.
pub const MAX_BYTES: usize = 8 * 1024;

/// How many rules a file may hold.
pub const MAX_RULES: usize = 64;
