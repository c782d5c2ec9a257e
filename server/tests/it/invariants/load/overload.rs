//! More than the shop can do.

use std::time::{Duration, Instant};

use serde_json::json;

use super::super::invariant::is_one_of;
use super::super::run::Stretch;
use super::figure::{Bound, tell, time};
use super::flow::{Timed, at_pace, in_turns, p99, slowest, timed};
use super::outside::Outside;
use crate::harness::{Answer, BEHIND_A_PROXY, Client, TestShop};

const CALLERS: usize = 16;

/// A count of the stock: one write, to the disk.
async fn counts(client: Client, path: String) -> Answer {
    client.patch(&path, &json!({ "stock": 1_001, "was": 1_000 })).await
}

fn counted(calls: &[Timed<Answer>]) -> u128 {
    u128::try_from(calls.iter().filter(|call| call.result.status == 200).count()).unwrap()
}

/// How many a second, of so many in this time.
fn rate(count: u128, lasts: Duration) -> u128 {
    count * 1_000 / lasts.as_millis().max(1)
}

/// How long it takes until a count is as quick again as before.
async fn recovery(client: &Client, path: &str, before: Duration) -> Duration {
    let begun = Instant::now();
    loop {
        let one = timed(counts(client.clone(), path.to_owned())).await;
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
    let outside = Outside::goes_on_with(&mut shop).await;
    let client = outside.client.with_token(admin.access_token());
    let mut stretch = Stretch::of("write requests during overload", 4);
    let lasts = (stretch.lasts / 2).min(Duration::from_secs(60));

    let (one, asked) = (client.clone(), path.clone());
    let calm = in_turns(1, lasts / 4, move |_| counts(one.clone(), asked.clone())).await;
    let (many, asked) = (client.clone(), path.clone());
    let busy = in_turns(CALLERS, lasts / 2, move |_| counts(many.clone(), asked.clone())).await;
    let (peak, steady) = (rate(counted(&busy), lasts / 2).max(1), outside.memory());
    let (crowd, asked) = (client.clone(), path.clone());
    let flood = at_pace(usize::try_from(peak * 5).unwrap(), lasts, move |_| counts(crowd.clone(), asked.clone()));
    let (begun, (memory, flood)) = (Instant::now(), outside.peak_during(flood).await);
    let took = begun.elapsed();
    for call in &flood {
        is_one_of(&call.result, &[200, 429, 503]);
    }
    stretch.done = flood.len();
    let recovered = recovery(&client, &path, p99(&calm).max(Duration::from_millis(20))).await;
    drop(outside);
    shop.restart().await;
    shop.audit().await;

    let goodput = rate(counted(&flood), took) * 100 / peak;
    tell("write throughput during overload, relative to the peak", goodput, "%", Bound::AtLeast(80));
    time("latency of a rejected write during overload, maximum", slowest(flood.iter().filter(is_refused)), 1_000);
    tell("memory during overload, relative to steady load", u128::from(memory * 100 / steady), "%", Bound::AtMost(150));
    time("recovery time of write latency after overload", recovered, 10_000);
}

fn is_refused(call: &&Timed<Answer>) -> bool {
    call.result.status != 200
}
