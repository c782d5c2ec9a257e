//! Provider faults in any request, during a purchase and its refund.

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::invariant::{PaymentOutcome, assert_status_in};
use super::run::Runs;
use crate::harness::{ApiResponse, Intent, Person, Stripe, TestShop};

/// Method and path prefix of each request that the shop sends.
const CALLS: [(&str, &str); 6] = [
    ("POST", "/v1/tax/calculations"),
    ("POST", "/v1/payment_intents"),
    ("GET", "/v1/payment_intents"),
    ("POST", "/v1/refunds"),
    ("POST", "/v1/tax/transactions"),
    ("GET", "/v1/refunds"),
];

fn random_fault(rng: &mut StdRng) -> Value {
    match rng.random_range(0..8) {
        0 => json!({ "fail": { "status": 500 } }),
        1 => json!({ "fail": { "status": 503 } }),
        2 => json!({ "fail": { "status": 429 } }),
        3 => json!({ "fail": { "status": 400 } }),
        // Longer than the shop's timeout for one request.
        4 => json!({ "hang": { "ms": 2_700 } }),
        5 => json!({ "hang": { "ms": 150 } }),
        6 => json!({ "lose_answer": { "ms": 100 } }),
        _ => json!({ "lose_answer": { "ms": 0 } }),
    }
}

/// Retries until the provider works again. Each 503 must have one of these codes.
async fn retry_until_accepted(
    stripe: &Stripe,
    codes: &[&str],
    mut send_request: impl AsyncFnMut() -> ApiResponse,
) -> ApiResponse {
    for _ in 0..3 {
        let response = send_request().await;
        assert_status_in(&response, &[200, 201, 503]);
        if response.status != 503 {
            return response;
        }
        assert!(codes.contains(&response.json()["code"].as_str().unwrap()), "{response}");
    }
    stripe.behaves().await;
    send_request().await
}

// invariant: idempotency-keys
// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_fails_at_any_call_makes_one_payment_one_order_and_one_refund() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Insisted On", 100_000).await;
    let mut runs = Runs::of("injected payment provider failures", 3);
    while let Some(mut rng) = runs.next() {
        let (buyer, admin) = (shop.customer().await, shop.admin().await);
        let rules: Vec<Value> = (0..rng.random_range(1..=3))
            .map(|_| {
                let (method, path) = CALLS[rng.random_range(0..CALLS.len())];
                let times = rng.random_range(1..=3);
                json!({ "method": method, "path": path, "times": times, "action": random_fault(&mut rng) })
            })
            .collect();
        let faults = json!({ "calls": rules, "webhooks": { "drop_percent": 50 } });
        stripe.misbehaves(&faults).await;

        let codes = ["PaymentProviderUnavailable", "TaxUnavailable"];
        let cart = Person::cart(&[(&light, 1)]);
        let intent =
            Intent::of(retry_until_accepted(&stripe, &codes, async || buyer.asks_to_pay(&cart).await).await.gives(200));
        stripe.behaves().await;
        stripe.takes(&intent, "pm_card_visa").await;
        stripe.misbehaves(&faults).await;
        let response = retry_until_accepted(&stripe, &codes, async || buyer.asks_for_order(&intent.id).await).await;
        let path = format!("/api/admin/order/{}", response.json()["orderId"].as_str().unwrap());
        let body = json!({ "status": "refunded", "restock": true });
        retry_until_accepted(&stripe, &codes, async || admin.patch(&path, &body).await).await.gives(200);

        shop.settles(&stripe).await;
        // Intents of failed quotes must expire and release their stock.
        shop.clock.advance(900_000);
        shop.expires().await;
        shop.records_taxes().await;
        let paid = stripe.intent(&intent.id).await;
        assert_eq!(shop.payment_outcome(&paid).await, PaymentOutcome::Ordered, "{rules:?}");
        assert_eq!(paid["latest_charge"]["amount_refunded"], paid["amount_received"], "{rules:?}");
        let refunds = stripe.as_shop("GET", &format!("/v1/refunds?payment_intent={}", intent.id), &[]).await.gives(200);
        assert_eq!(refunds["data"].as_array().map(Vec::len), Some(1), "{rules:?}");
        let after = shop.light("Insisted On").await;
        assert_eq!((after.stock, after.available), (100_000, 100_000), "{rules:?}");
        shop.audit().await;
    }
}
