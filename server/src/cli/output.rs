//! Output of commands.

use crate::error::Error;

/// Prints a line to stdout.
#[expect(clippy::print_stdout, reason = "output of a command")]
pub fn say(line: &str) {
    println!("{line}");
}

/// Prints progress to stderr.
#[expect(clippy::print_stderr, reason = "output of a command")]
pub fn progress(line: &str) {
    eprintln!("{line}");
}

/// The message of an error for the command line.
pub fn message(error: Error) -> String {
    error.to_string()
}
