//! Soak test: a long run under load with occasional provider faults.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use super::super::invariant::assert_status_in;
use super::super::run::Stretch;
use super::figure::{Bound, tell};
use super::server_process::ServerProcess;
use crate::harness::{Client, Intent, Light, Person, Stripe, TestShop};

/// Resource use of the process at one point in time.
struct Sample {
    at: Duration,
    memory: u64,
    files: usize,
    log: u64,
}

/// Buys at 50 % load: sleeps after each purchase for as long as the purchase took. One in a hundred purchases gets a
/// provider fault.
async fn buy_at_half_load(buyer: Client, stripe: Stripe, light: Light, mut rng: StdRng, lasts: Duration) -> usize {
    let (begun, mut calls) = (Instant::now(), 0);
    while begun.elapsed() < lasts {
        let purchase = Instant::now();
        if rng.random_ratio(1, 100) {
            let action = [json!({ "fail": { "status": 500 } }), json!({ "lose_answer": { "ms": 0 } })];
            let fault = json!({ "path": "/v1", "times": 1, "action": action[rng.random_range(0..2)] });
            stripe.misbehaves(&json!({ "calls": [fault] })).await;
        }
        let quote = buyer.post("/api/payments/create-intent", &Person::cart(&[(&light, 1)])).await;
        // Checkouts that got a fault stay open for a while, and the number of open checkouts per account is limited.
        assert_status_in(&quote, &[200, 429, 503]);
        if quote.status == 200 {
            let intent = Intent::of(quote.json());
            if stripe.took(&intent, "pm_card_visa").await {
                let order = buyer.post("/api/orders", &json!({ "paymentIntentId": intent.id })).await;
                assert_status_in(&order, &[200, 201, 503]);
            }
        }
        calls += 3;
        for path in ["/api/products", "/products", "/api/user/orders"] {
            assert_eq!(buyer.get(path).await.status, 200);
            calls += 1;
        }
        tokio::time::sleep(purchase.elapsed()).await;
    }
    calls
}

/// Memory growth in KiB per hour: linear regression over the second half of the samples.
fn slope(samples: &[Sample]) -> u128 {
    let late = &samples[samples.len() / 2..];
    let count = i128::try_from(late.len()).unwrap();
    let points: Vec<(i128, i128)> =
        late.iter().map(|one| (i128::try_from(one.at.as_millis()).unwrap(), i128::from(one.memory))).collect();
    let sum = |of: fn(&(i128, i128)) -> i128| points.iter().map(of).sum::<i128>();
    let (x, y, xy, xx) = (sum(|p| p.0), sum(|p| p.1), sum(|p| p.0 * p.1), sum(|p| p.0 * p.0));
    let per_hour = (count * xy - x * y) * 3_600_000 / (count * xx - x * x).max(1);
    u128::try_from(per_hour).unwrap_or(0)
}

// invariant: resource-leaks
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_that_is_busy_for_long_keeps_its_size_and_its_books() {
    let mut shop = TestShop::open().await;
    let light = shop.adds_light("Bought All Day", 1_000_000).await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let server_process = ServerProcess::spawn(&mut shop).await;
    let client = server_process.client.with_token(buyer.access_token());
    let mut stretch = Stretch::of("soak test requests", 4);
    // Access tokens expire after 15 minutes.
    let lasts = stretch.lasts.min(Duration::from_secs(840));
    let buyers: Vec<_> = (0..2)
        .map(|number| {
            let rng = StdRng::seed_from_u64(number);
            tokio::spawn(buy_at_half_load(client.clone(), stripe.at(&server_process.client), light.clone(), rng, lasts))
        })
        .collect();
    let begun = Instant::now();
    let mut samples = Vec::new();
    while begun.elapsed() < lasts {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let log = std::fs::metadata(shop.folder().join("shop.db-wal")).map_or(0, |file| file.len());
        samples.push(Sample {
            at: begun.elapsed(),
            memory: server_process.memory(),
            files: server_process.files(),
            log,
        });
    }
    for buyer in buyers {
        stretch.done += buyer.await.unwrap();
    }
    drop(server_process);
    shop.restart().await;
    let stripe = shop.stripe().await;
    shop.settles(&stripe).await;
    shop.agrees_with(&stripe).await;

    let (early, late) = samples.split_at(samples.len() / 2);
    let most = |samples: &[Sample]| samples.iter().map(|sample| sample.files).max().unwrap();
    // The tolerance covers normal fluctuation. A descriptor leak would add hundreds.
    assert!(most(late) <= most(early) + 50, "{} open files, then {}", most(early), most(late));
    let log = samples.iter().map(|sample| sample.log).max().unwrap();
    assert!(log <= 64 << 20, "the write-ahead log grew to {log} bytes");
    let seconds = lasts.as_secs();
    let grown = slope(&samples);
    tell(&format!("memory growth per hour, extrapolated from {seconds} s"), grown, "KiB", Bound::AtMost(1_024));
    tell("write-ahead log size, maximum", u128::from(log >> 10), "KiB", Bound::AtMost(64 * 1_024));
    let files = |samples: &[Sample]| u128::try_from(most(samples)).unwrap();
    tell(
        "open files in the second half of the soak test, relative to the first",
        files(late) * 100 / files(early),
        "%",
        Bound::AtMost(105),
    );
}
