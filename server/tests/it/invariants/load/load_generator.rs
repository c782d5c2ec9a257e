//! Load generators: open loop at a constant rate, and closed loop with a fixed number of clients.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::harness::{ApiResponse, Client};

/// The result of a request, and how long it took.
pub struct Timed<T> {
    pub result: T,
    pub took: Duration,
}

/// Open loop: starts requests at a constant rate, regardless of pending responses. `call` gets the request's number.
pub async fn open_loop<T, F>(per_second: usize, lasts: Duration, call: impl Fn(usize) -> F) -> Vec<Timed<T>>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let begun = Instant::now();
    let mut calls = JoinSet::new();
    let mut tick = tokio::time::interval(Duration::from_millis(1));
    while begun.elapsed() < lasts {
        tick.tick().await;
        let due = usize::try_from(begun.elapsed().as_micros()).unwrap() * per_second / 1_000_000;
        // A `JoinSet` keeps finished tasks until they are joined, so its length is the number of started requests.
        while calls.len() < due && begun.elapsed() < lasts {
            calls.spawn(timed(call(calls.len())));
        }
    }
    calls.join_all().await
}

/// Closed loop: each client sends its next request after the response to the last. `call` gets the client's number.
pub async fn closed_loop<T, F, C>(callers: usize, lasts: Duration, call: C) -> Vec<Timed<T>>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
    C: Fn(usize) -> F + Send + Sync + 'static,
{
    let (begun, call) = (Instant::now(), Arc::new(call));
    let mut tasks = JoinSet::new();
    for caller in 0..callers {
        let call = call.clone();
        tasks.spawn(async move {
            let mut done = Vec::new();
            while begun.elapsed() < lasts {
                done.push(timed(call(caller)).await);
            }
            done
        });
    }
    tasks.join_all().await.into_iter().flatten().collect()
}

pub async fn timed<T>(work: impl Future<Output = T>) -> Timed<T> {
    let begun = Instant::now();
    let result = work.await;
    Timed { result, took: begun.elapsed() }
}

/// The 99th percentile.
pub fn p99<'a, T: 'a>(calls: impl IntoIterator<Item = &'a Timed<T>>) -> Duration {
    let mut times: Vec<Duration> = calls.into_iter().map(|call| call.took).collect();
    times.sort_unstable();
    times.get((times.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}

pub fn median<T>(calls: &[Timed<T>]) -> Duration {
    let mut times: Vec<Duration> = calls.iter().map(|call| call.took).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

pub fn slowest<'a, T: 'a>(calls: impl IntoIterator<Item = &'a Timed<T>>) -> Duration {
    calls.into_iter().map(|call| call.took).max().unwrap_or_default()
}

/// Requests the catalog 100 times per second and asserts that every request succeeds.
pub async fn poll_catalog(client: &Client, lasts: Duration) -> Vec<Timed<ApiResponse>> {
    let calls = open_loop(100, lasts, |_| {
        let client = client.clone();
        async move { client.get("/api/products").await }
    })
    .await;
    for call in &calls {
        assert_eq!(call.result.status, 200, "{}", call.result);
    }
    calls
}
