//! Provider outage: the payment provider accepts requests and never responds.

use std::time::Duration;

use serde_json::json;

use super::super::invariant::PaymentOutcome;
use super::super::run::Stretch;
use super::figure::{ratio, time};
use super::load_generator::{Timed, open_loop, p99, slowest};
use crate::harness::{ApiResponse, Client, Person, TestShop};

/// Requests that do not depend on the payment provider.
async fn browse(clients: [Client; 2], lasts: Duration) -> Vec<Timed<ApiResponse>> {
    let calls = open_loop(50, lasts, |number| {
        let (index, path) =
            [(0, "/api/products"), (1, "/api/auth/user"), (0, "/api/config"), (1, "/api/user/orders")][number % 4];
        let client = clients[index].clone();
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
    let clients = || [shop.visitor(), shop.visitor().with_token(buyer.access_token())];
    let lasts = stretch.lasts / 3;
    let before = browse(clients(), lasts).await;
    let hung = json!({ "path": "/v1", "times": 1_000_000, "action": { "hang": { "ms": 8_000 } } });
    stripe.misbehaves(&json!({ "webhooks": { "drop_percent": 100 }, "calls": [hung] })).await;
    let cart = Person::cart(&[(&light, 1)]);
    let checkouts = open_loop(3, lasts, |_| {
        let (buyer, cart) = (buyer.clone(), cart.clone());
        async move { buyer.asks_to_pay(&cart).await }
    });
    let (meanwhile, checkouts) = tokio::join!(browse(clients(), lasts), checkouts);
    for call in &checkouts {
        let code = call.result.refusal()["code"].clone();
        assert!(code == "TaxUnavailable" || code == "PaymentProviderUnavailable", "{}", call.result);
        assert!(call.result.header("retry-after").is_some(), "{}", call.result);
    }
    stretch.done = checkouts.len();
    assert_eq!(shop.light(&light.name).await.available, 998, "only the paid items are unavailable");

    shop.settles(&stripe).await;
    assert_eq!(shop.payment_outcome(&stripe.intent(&paid.id).await).await, PaymentOutcome::Ordered);
    shop.agrees_with(&stripe).await;
    time("latency of a rejected checkout during a provider outage, maximum", slowest(&checkouts), 6_000);
    ratio("other latency during a provider outage, p99 relative to before", p99(&meanwhile), p99(&before), 120);
}
