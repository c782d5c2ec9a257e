//! Many who log in at the same moment.

use std::time::Duration;

use serde_json::json;

use super::super::invariant::is_one_of;
use super::super::run::Stretch;
use super::figure::{Bound, ratio, tell, time};
use super::flow::{looks, p99, slowest, timed};
use super::outside::Outside;
use crate::harness::{CUSTOMER, TestShop, together};

/// What one hash takes, and what so many connections may take besides.
const HASH: u64 = 19 * 1_024;
const REST: u64 = 64 * 1_024;

// invariant: hashing-concurrency
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_logs_in_takes_little_more_memory_than_its_hashes() {
    let mut shop = TestShop::open().await;
    let outside = Outside::goes_on_with(&mut shop).await;
    let mut stretch = Stretch::of("concurrent logins", 0);
    let crowd = stretch.form.pick(150, 500);
    let idle = looks(&outside.client, Duration::from_secs(stretch.form.pick(1, 5))).await;
    let before = outside.memory();
    let body = json!({ "username": CUSTOMER, "password": "not the password" });
    let log_ins = together(crowd, |number| {
        let (client, body) = (outside.client.clone(), body.clone());
        let log_in = async move { client.post("/api/auth/login", &body).await };
        // Every third one hangs up, and what it asked for goes on counting.
        let patience = Duration::from_millis(if number % 3 == 0 { 300 } else { 40_000 });
        timed(async move { tokio::time::timeout(patience, log_in).await.ok() })
    });
    let lasts = Duration::from_secs(stretch.form.pick(1, 3));
    let (peak, (answers, meanwhile)) =
        outside.peak_during(async { tokio::join!(log_ins, looks(&outside.client, lasts)) }).await;
    for answer in answers.iter().filter_map(|call| call.result.as_ref()) {
        is_one_of(answer, &[401, 503]);
    }
    stretch.done = crowd;
    let permits = u64::try_from(std::thread::available_parallelism().unwrap().get()).unwrap();
    let (grown, most) = (peak.saturating_sub(before), permits * HASH + REST);
    assert!(grown <= most, "{grown} KiB more, of {most}");
    let refused = answers.iter().filter(|call| call.result.as_ref().is_some_and(|answer| answer.status == 503));
    tell(
        "memory growth during concurrent logins",
        u128::from(grown / 1_024),
        "MiB",
        Bound::AtMost(u128::from(most / 1_024)),
    );
    time("latency of a rejected login, maximum", slowest(refused), 2_500);
    ratio("catalog latency during concurrent logins, p99 relative to idle", p99(&meanwhile), p99(&idle), 300);
}
