//! Waits with a time limit.

use std::thread;
use std::time::{Duration, Instant};

use xtask::process::Failure;

const INTERVAL: Duration = Duration::from_millis(200);

/// Polls until there is a value. An error after `limit`.
pub fn until<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> Result<T, Failure> {
    let began = Instant::now();
    while began.elapsed() < limit {
        if let Some(found) = look() {
            return Ok(found);
        }
        thread::sleep(INTERVAL);
    }
    Err(Failure::new(format!("{what}: not within {} s", limit.as_secs())))
}

/// [`until`] a condition holds.
pub fn until_true(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) -> Result<(), Failure> {
    until(what, limit, || holds().then_some(()))
}
