//! More than the shop can do.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::law::is_one_of;
use super::super::trials::Stretch;
use super::figure::{Bound, tell, time};
use super::flow::{Timed, at_pace, in_turns, p99, slowest, timed};
use super::outside::Outside;
use crate::harness::{Answer, BareStripe, Client, Person};

const BUYERS: usize = 16;

async fn quote(client: Client, cart: Value) -> Answer {
    client.post("/api/payments/create-intent", &cart).await
}

fn quoted(calls: &[Timed<Answer>]) -> u128 {
    u128::try_from(calls.iter().filter(|call| call.result.status == 200).count()).unwrap()
}

/// How many a second, of so many in this time.
fn rate(count: u128, lasts: Duration) -> u128 {
    count * 1_000 / lasts.as_millis().max(1)
}

/// How long it takes until a quote is as quick again as before.
async fn recovery(client: &Client, cart: &Value, before: Duration) -> Duration {
    let begun = Instant::now();
    loop {
        let one = timed(quote(client.clone(), cart.clone())).await;
        if (one.result.status == 200 && one.took <= before) || begun.elapsed() > Duration::from_secs(30) {
            return begun.elapsed();
        }
    }
}

// rule 61
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_times_more_than_it_can_do_is_refused_and_the_rest_is_done() {
    let stripe = BareStripe::open().await;
    let mut shop = stripe.opens_shop().await;
    let light = shop.adds_light("Wanted By All", 1_000_000).await;
    let (cart, buyer) = (Person::cart(&[(&light, 1)]), shop.customer().await);
    let outside = Outside::goes_on_with(&mut shop).await;
    let client = outside.client.with_token(buyer.access_token());
    let mut stretch = Stretch::of("quotes asked for in a flood", 4);
    let lasts = (stretch.lasts / 2).min(Duration::from_secs(60));

    let (one, asked) = (client.clone(), cart.clone());
    let calm = in_turns(1, lasts / 4, move |_| quote(one.clone(), asked.clone())).await;
    let (many, asked) = (client.clone(), cart.clone());
    let busy = in_turns(BUYERS, lasts / 2, move |_| quote(many.clone(), asked.clone())).await;
    let (peak, steady) = (rate(quoted(&busy), lasts / 2).max(1), outside.memory());
    let (crowd, asked) = (client.clone(), cart.clone());
    let flood = at_pace(usize::try_from(peak * 5).unwrap(), lasts, move |_| quote(crowd.clone(), asked.clone()));
    let (begun, (memory, flood)) = (Instant::now(), outside.peak_during(flood).await);
    let took = begun.elapsed();
    for call in &flood {
        is_one_of(&call.result, &[200, 429, 503]);
    }
    stretch.done = flood.len();
    let recovered = recovery(&client, &cart, p99(&calm).max(Duration::from_millis(20))).await;
    drop(outside);
    shop.restart().await;
    shop.audit().await;

    let goodput = rate(quoted(&flood), took) * 100 / peak;
    tell("quotes in a flood, of those at most", goodput, "%", Bound::AtLeast(80));
    time("a quote that is refused in a flood waits at most", slowest(flood.iter().filter(is_refused)), 1_000);
    tell("memory in a flood beside steady", u128::from(memory * 100 / steady), "%", Bound::AtMost(150));
    time("after a flood a quote is as quick as before within", recovered, 10_000);
}

fn is_refused(call: &&Timed<Answer>) -> bool {
    call.result.status != 200
}
