//! Load shedding: requests at five times the shop's capacity.

use std::time::{Duration, Instant};

use serde_json::json;

use super::super::invariant::assert_status_in;
use super::super::run::Stretch;
use super::figure::{Bound, must, tell, time};
use super::load_generator::{Timed, closed_loop, open_loop, p99, slowest, timed};
use super::server_process::ServerProcess;
use crate::harness::{ApiResponse, BEHIND_A_PROXY, Client, TestShop};

const CALLERS: usize = 16;

/// A stock adjustment, which is one durable write.
async fn adjust_stock(client: Client, path: String) -> ApiResponse {
    client.patch(&path, &json!({ "stock": 1_001, "was": 1_000 })).await
}

fn count_succeeded(calls: &[Timed<ApiResponse>]) -> u128 {
    u128::try_from(calls.iter().filter(|call| call.result.status == 200).count()).unwrap()
}

/// A development build under a steady load has 80 MB.
const MOST_MEMORY_MB: u128 = 250;

/// Requests per second.
fn rate(count: u128, lasts: Duration) -> u128 {
    count * 1_000 / lasts.as_millis().max(1)
}

/// Time until a write is as fast as before the overload, at most 30 seconds.
async fn recovery(client: &Client, path: &str, before: Duration) -> Duration {
    let begun = Instant::now();
    loop {
        let one = timed(adjust_stock(client.clone(), path.to_owned())).await;
        if (one.result.status == 200 && one.took <= before) || begun.elapsed() > Duration::from_secs(30) {
            return begun.elapsed();
        }
    }
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_times_more_than_it_can_do_is_refused_and_the_rest_is_done() {
    let mut shop = TestShop::open_with(&[BEHIND_A_PROXY]).await;
    let light = shop.adds_light("Counted By All", 1_000).await;
    let (path, admin) = (format!("/api/products/{}/stock", light.id), shop.admin().await);
    let server_process = ServerProcess::spawn(&mut shop).await;
    let client = server_process.client.with_token(admin.access_token());
    let mut stretch = Stretch::of("write requests during overload", 4);
    let lasts = (stretch.lasts / 2).min(Duration::from_secs(60));

    let (one, asked) = (client.clone(), path.clone());
    let calm = closed_loop(1, lasts / 4, move |_| adjust_stock(one.clone(), asked.clone())).await;
    let (many, asked) = (client.clone(), path.clone());
    let busy = closed_loop(CALLERS, lasts / 2, move |_| adjust_stock(many.clone(), asked.clone())).await;
    let peak = rate(count_succeeded(&busy), lasts / 2).max(1);
    let (crowd, asked) = (client.clone(), path.clone());
    let flood =
        open_loop(usize::try_from(peak * 5).unwrap(), lasts, move |_| adjust_stock(crowd.clone(), asked.clone()));
    let (begun, (memory, flood)) = (Instant::now(), server_process.peak_during(flood).await);
    let took = begun.elapsed();
    for call in &flood {
        assert_status_in(&call.result, &[200, 429, 503]);
    }
    stretch.done = flood.len();
    let recovered = recovery(&client, &path, p99(&calm).max(Duration::from_millis(20))).await;
    drop(server_process);
    shop.restart().await;
    shop.audit().await;

    let refused = flood.iter().filter(is_refused).count();
    must("rejected writes during overload", u128::try_from(refused).unwrap(), "", Bound::AtLeast(1));
    let memory = u128::from(memory.kib / 1_000);
    must("memory during overload, maximum", memory, "MB", Bound::AtMost(MOST_MEMORY_MB));
    let goodput = rate(count_succeeded(&flood), took) * 100 / peak;
    tell("write throughput during overload, relative to the peak", goodput, "%", Bound::AtLeast(80));
    time("latency of a rejected write during overload, maximum", slowest(flood.iter().filter(is_refused)), 1_000);
    time("recovery time of write latency after overload", recovered, 10_000);
}

fn is_refused(call: &&Timed<ApiResponse>) -> bool {
    call.result.status != 200
}
