//! Tests whose programs or permissions are missing: they end early, and are counted as skipped.

use std::io::Write as _;

/// Reports the running test as skipped. `cargo xtask test` counts and lists these lines.
pub fn skip(reason: &str) {
    let thread = std::thread::current();
    // One write to the stream itself: cargo hides what a passed test prints with `println!`.
    let line = format!("skipped: {}: {reason}\n", thread.name().unwrap_or("a test"));
    let _ = std::io::stderr().write_all(line.as_bytes());
}
