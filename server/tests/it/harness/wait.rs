//! Polling for background work, and running tasks concurrently.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Barrier;
use tokio::time::{Instant, sleep};

/// Much longer than any of this takes, so that a busy machine makes no difference.
const TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Polls until `look` returns a value. Panics after a timeout.
pub async fn eventually<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(begun.elapsed() < TIMEOUT, "still waiting for {what} after {TIMEOUT:?}");
        sleep(POLL_INTERVAL).await;
    }
}

/// Asserts that `look` returns nothing for 1.5 seconds, longer than the polling interval of any background job for
/// email or webhooks.
pub async fn never<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(1_500) {
        assert!(look().await.is_none(), "unexpected: {what}");
        sleep(POLL_INTERVAL).await;
    }
}

/// Runs `count` tasks concurrently, released by one barrier, and returns their results in order.
pub async fn together<T, F>(count: usize, mut make: impl FnMut(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let barrier = Arc::new(Barrier::new(count));
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (barrier, work) = (barrier.clone(), make(number));
            tokio::spawn(async move {
                barrier.wait().await;
                work.await
            })
        })
        .collect();
    let mut results = Vec::with_capacity(count);
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}
