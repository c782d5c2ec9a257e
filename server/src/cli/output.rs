//! What a command prints.

use crate::error::Error;

#[expect(clippy::print_stdout, reason = "output of a command")]
pub fn say(line: &str) {
    println!("{line}");
}

#[expect(clippy::print_stderr, reason = "output of a command")]
pub fn progress(line: &str) {
    eprintln!("{line}");
}

pub fn message(error: Error) -> String {
    error.to_string()
}
