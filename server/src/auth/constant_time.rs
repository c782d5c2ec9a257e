//! Answers whose timing says nothing.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

const STEP: Duration = Duration::from_millis(50);

/// Hands the result over at the next multiple of [`STEP`] after the call: whether an account was found, and
/// a row or a mail written for it, disappears in the wait.
pub async fn evenly<T>(work: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let result = work.await;
    let mut due = begun + STEP;
    while due < Instant::now() {
        due += STEP;
    }
    sleep_until(due).await;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    // rule 21
    #[tokio::test]
    async fn short_and_long_work_end_on_the_same_beat() {
        for (work_ms, at_least_ms) in [(0, 50), (20, 50), (60, 100)] {
            let begun = Instant::now();
            evenly(tokio::time::sleep(Duration::from_millis(work_ms))).await;
            let taken = begun.elapsed();
            assert!(taken >= Duration::from_millis(at_least_ms), "{work_ms} ms of work took {taken:?}");
        }
    }
}
