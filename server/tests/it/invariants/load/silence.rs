//! The payment provider takes every call and answers none.

use std::time::Duration;

use serde_json::json;

use super::super::invariant::End;
use super::super::run::Stretch;
use super::figure::{ratio, time};
use super::flow::{Timed, at_pace, p99, slowest};
use crate::harness::{Answer, Client, Person, TestShop};

/// What people do who do not pay just now.
async fn strolls(people: [Client; 2], lasts: Duration) -> Vec<Timed<Answer>> {
    let calls = at_pace(50, lasts, |number| {
        let (person, path) =
            [(0, "/api/products"), (1, "/api/auth/user"), (0, "/api/config"), (1, "/api/user/orders")][number % 4];
        let client = people[person].clone();
        async move { client.get(path).await }
    })
    .await;
    for call in &calls {
        assert_eq!(call.result.status, 200, "{}", call.result);
    }
    calls
}

// invariant: provider-outage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_provider_is_silent_checkouts_are_refused_and_everything_else_goes_on() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.adds_light("Out Of Reach", 1_000).await;
    let mut stretch = Stretch::of("checkouts during a provider outage", 4);
    stripe.drops_webhooks().await;
    let paid = shop.paid_but_gone(&buyer, &light, 2).await;
    let people = || [shop.visitor(), shop.visitor().with_token(buyer.access_token())];
    let lasts = stretch.lasts / 3;
    let before = strolls(people(), lasts).await;
    let hung = json!({ "path": "/v1", "times": 1_000_000, "action": { "hang": { "ms": 8_000 } } });
    stripe.misbehaves(&json!({ "webhooks": { "drop_percent": 100 }, "calls": [hung] })).await;
    let cart = Person::cart(&[(&light, 1)]);
    let checkouts = at_pace(3, lasts, |_| {
        let (buyer, cart) = (buyer.clone(), cart.clone());
        async move { buyer.asks_to_pay(&cart).await }
    });
    let (meanwhile, checkouts) = tokio::join!(strolls(people(), lasts), checkouts);
    for call in &checkouts {
        let code = call.result.refusal()["code"].clone();
        assert!(code == "TaxUnavailable" || code == "PaymentProviderUnavailable", "{}", call.result);
        assert!(call.result.header("retry-after").is_some(), "{}", call.result);
    }
    stretch.done = checkouts.len();
    assert_eq!(shop.light(&light.name).await.available, 998, "only what was paid is held");

    shop.settles(&stripe).await;
    assert_eq!(shop.end_of(&stripe.intent(&paid.id).await).await, End::Ordered);
    shop.agrees_with(&stripe).await;
    time("latency of a rejected checkout during a provider outage, maximum", slowest(&checkouts), 6_000);
    ratio("other latency during a provider outage, p99 relative to before", p99(&meanwhile), p99(&before), 120);
}
