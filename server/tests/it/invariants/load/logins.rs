//! Concurrent logins: memory use and latency during password hashing.

use std::time::Duration;

use serde_json::json;

use super::super::invariant::assert_status_in;
use super::super::run::Stretch;
use super::figure::{Bound, ratio, tell, time};
use super::load_generator::{p99, poll_catalog, slowest, timed};
use super::server_process::ServerProcess;
use crate::harness::{CUSTOMER, PRODUCTION_PASSWORD_COST, TestShop, together};

/// Memory of one password hash, and of all connections together, in KiB.
const HASH_KIB: u64 = 19 * 1_024;
const OVERHEAD_KIB: u64 = 64 * 1_024;

// invariant: hashing-concurrency
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_logs_in_takes_little_more_memory_than_its_hashes() {
    let mut shop = TestShop::open_with(&[PRODUCTION_PASSWORD_COST]).await;
    let server_process = ServerProcess::spawn(&mut shop).await;
    let mut stretch = Stretch::of("concurrent logins", 0);
    let crowd = stretch.form.pick(150, 500);
    let idle = poll_catalog(&server_process.client, Duration::from_secs(stretch.form.pick(1, 5))).await;
    let before = server_process.memory();
    let body = json!({ "username": CUSTOMER, "password": "not the password" });
    let logins = together(crowd, |number| {
        let (client, body) = (server_process.client.clone(), body.clone());
        let log_in = async move { client.post("/api/auth/login", &body).await };
        // Every third client disconnects. Its password hash still runs.
        let disconnect_after = Duration::from_millis(if number % 3 == 0 { 300 } else { 40_000 });
        timed(async move { tokio::time::timeout(disconnect_after, log_in).await.ok() })
    });
    let lasts = Duration::from_secs(stretch.form.pick(1, 3));
    let (peak, (responses, meanwhile)) =
        server_process.peak_during(async { tokio::join!(logins, poll_catalog(&server_process.client, lasts)) }).await;
    for response in responses.iter().filter_map(|call| call.result.as_ref()) {
        assert_status_in(response, &[401, 503]);
    }
    stretch.done = crowd;
    let permits = u64::try_from(std::thread::available_parallelism().unwrap().get()).unwrap();
    let (grown, most) = (peak.kib.saturating_sub(before), permits * HASH_KIB + OVERHEAD_KIB);
    assert!(grown <= most, "memory grew by {grown} KiB, limit {most} KiB");
    let refused = responses.iter().filter(|call| call.result.as_ref().is_some_and(|response| response.status == 503));
    tell(
        "memory growth during concurrent logins",
        u128::from(grown / 1_024),
        "MiB",
        Bound::AtMost(u128::from(most / 1_024)),
    );
    time("latency of a rejected login, maximum", slowest(refused), 2_500);
    ratio("catalog latency during concurrent logins, p99 relative to idle", p99(&meanwhile), p99(&idle), 300);
}
