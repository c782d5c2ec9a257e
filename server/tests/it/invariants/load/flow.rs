//! Calls one after the other, or at a pace that waits for nobody.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::harness::{Answer, Client};

/// What came of one call, and how long that took.
pub struct Timed<T> {
    pub result: T,
    pub took: Duration,
}

/// So many calls a second, whether or not those before are answered; `call` gets their number.
pub async fn at_pace<T, F>(per_second: usize, lasts: Duration, call: impl Fn(usize) -> F) -> Vec<Timed<T>>
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
        // A set keeps what has ended until it is taken out: its length is what was begun.
        while calls.len() < due && begun.elapsed() < lasts {
            calls.spawn(timed(call(calls.len())));
        }
    }
    calls.join_all().await
}

/// So many callers, each of whom calls again when it is answered; `call` gets the caller's number.
pub async fn in_turns<T, F, C>(callers: usize, lasts: Duration, call: C) -> Vec<Timed<T>>
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

/// The time within which 99 of 100 were done.
pub fn p99<'a, T: 'a>(calls: impl IntoIterator<Item = &'a Timed<T>>) -> Duration {
    let mut times: Vec<Duration> = calls.into_iter().map(|call| call.took).collect();
    times.sort_unstable();
    times.get((times.len() * 99).div_ceil(100).saturating_sub(1)).copied().unwrap_or_default()
}

/// The time within which half of them were done.
pub fn median<T>(calls: &[Timed<T>]) -> Duration {
    let mut times: Vec<Duration> = calls.iter().map(|call| call.took).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The longest of them.
pub fn slowest<'a, T: 'a>(calls: impl IntoIterator<Item = &'a Timed<T>>) -> Duration {
    calls.into_iter().map(|call| call.took).max().unwrap_or_default()
}

/// Somebody looks at the catalogue a hundred times a second; every look must succeed.
pub async fn looks(client: &Client, lasts: Duration) -> Vec<Timed<Answer>> {
    let calls = at_pace(100, lasts, |_| {
        let client = client.clone();
        async move { client.get("/api/products").await }
    })
    .await;
    for call in &calls {
        assert_eq!(call.result.status, 200, "{}", call.result);
    }
    calls
}
