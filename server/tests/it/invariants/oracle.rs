//! Timing oracle: response times must not reveal whether an address has an account.

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

use super::load::figure::{Bound, tell};
use super::run::Stretch;
use crate::accounts::privacy::{calls, seen};
use crate::harness::{ApiResponse, CUSTOMER, Client, PRODUCTION_PASSWORD_COST, TestShop};

/// Response times of one endpoint, for addresses with and without an account.
#[derive(Default)]
struct Times {
    known: Vec<Duration>,
    unknown: Vec<Duration>,
}

impl Times {
    /// Ratio of the medians in percent: 100 means no difference.
    fn ratio(&self) -> u128 {
        median(&self.known) * 100 / median(&self.unknown)
    }

    /// Area under the ROC curve (AUC) in percent: how well response times alone identify addresses with an account. 50
    /// is random guessing.
    fn auc_percent(&self) -> usize {
        let pairs = self.known.iter().flat_map(|known| self.unknown.iter().map(move |unknown| known.cmp(unknown)));
        let (mut longer, mut all) = (0, 0);
        for order in pairs {
            // A tie counts half.
            longer += match order {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            };
            all += 2;
        }
        let longer = longer * 100 / all;
        longer.max(100 - longer)
    }
}

fn median(times: &[Duration]) -> u128 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2].as_micros()
}

async fn timed(client: &Client, path: &str, body: &Value, times: &mut Vec<Duration>) -> ApiResponse {
    let begun = Instant::now();
    let response = client.post(path, body).await;
    times.push(begun.elapsed());
    response
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_with_an_account_is_answered_like_one_without_each_time() {
    let shop = TestShop::open_with(&[PRODUCTION_PASSWORD_COST]).await;
    // Logged in, as a change of the email address requires. All other endpoints ignore it.
    let asker = shop.new_customer("asker@example.com").await;
    let mut runs = Stretch::of("timing comparisons of known and unknown addresses", 1);
    let pairs = runs.form.pick(2, 200);
    let mut rng = StdRng::seed_from_u64(1);
    let mut all: Vec<Times> = calls(CUSTOMER).iter().map(|_| Times::default()).collect();
    for pair in 0..pairs {
        let waiting = format!("waiting{pair}@example.com");
        shop.signs_up(&waiting).await;
        let known = if rng.random_bool(0.5) { CUSTOMER } else { waiting.as_str() };
        // Sequential, because concurrent requests would delay each other and distort the measurement.
        for (number, times) in all.iter_mut().enumerate() {
            // A sign-up makes its address known, so each pair needs a new unknown address.
            let unknown = format!("nobody{pair}-{number}@example.com");
            let ((path, of_known), (_, of_unknown)) = (calls(known)[number].clone(), calls(&unknown)[number].clone());
            let (one, other) = if rng.random_bool(0.5) {
                let one = timed(&asker, path, &of_known, &mut times.known).await;
                (one, timed(&asker, path, &of_unknown, &mut times.unknown).await)
            } else {
                let one = timed(&asker, path, &of_unknown, &mut times.unknown).await;
                (one, timed(&asker, path, &of_known, &mut times.known).await)
            };
            assert_eq!(seen(&one), seen(&other), "{path}");
        }
        runs.done += 1;
    }
    for ((path, _), times) in calls(CUSTOMER).iter().zip(&all) {
        let (pairs, ratio, auc_percent) = (times.known.len(), times.ratio(), times.auc_percent());
        let alike = if (90..=110).contains(&ratio) { "yes" } else { "no" };
        println!(
            "figure: {path}, {pairs} pairs: latency of known relative to unknown addresses | {ratio} % | 90 to 110 % | {alike}"
        );
        let auc_percent = auc_percent.try_into().unwrap();
        tell(&format!("{path}, {pairs} pairs: timing distinguishability (AUC)"), auc_percent, "%", Bound::AtMost(60));
    }
}
