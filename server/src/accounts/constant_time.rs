//! Constant-time responses.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::http::load_shedding::Permit;

const STEP: Duration = Duration::from_millis(50);

/// Pads the response time to a multiple of [`STEP`]. The padding hides whether an account was found and whether a row
/// or an email was written for it. Requests that only wait do not count toward the concurrency limit.
pub async fn respond<T>(permit: Permit, work: impl Future<Output = T>) -> T {
    let (result, due) = timed(work).await;
    permit.release();
    sleep_until(due).await;
    result
}

/// The result, and the next multiple of [`STEP`].
async fn timed<T>(work: impl Future<Output = T>) -> (T, Instant) {
    let started = Instant::now();
    let result = work.await;
    let mut due = started + STEP;
    while due < Instant::now() {
        due += STEP;
    }
    (result, due)
}

#[cfg(test)]
mod tests {
    use super::*;

    // invariant: account-enumeration
    #[tokio::test]
    async fn short_and_long_work_end_on_the_same_beat() {
        for (work_ms, at_least_ms) in [(0, 50), (20, 50), (60, 100)] {
            let begun = Instant::now();
            let ((), due) = timed(tokio::time::sleep(Duration::from_millis(work_ms))).await;
            let taken = due - begun;
            assert!(taken >= Duration::from_millis(at_least_ms), "{work_ms} ms of work took {taken:?}");
        }
    }
}
