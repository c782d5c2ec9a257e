//! Circuit breaker around the payment provider.

use std::collections::BTreeSet;

use serde_json::json;

use crate::harness::{Person, Stripe, TestShop};

/// Starts an outage: every request fails and every webhook event is lost, until `behaves`.
async fn start_outage(stripe: &Stripe) {
    let rule = json!({ "path": "/v1", "times": 1_000, "action": { "fail": { "status": 503 } } });
    stripe.misbehaves(&json!({ "calls": [rule], "webhooks": { "drop_percent": 100 } })).await;
}

/// Requests to the provider since the outage began.
async fn request_count(shop: &TestShop) -> i64 {
    1_000 - shop.count("SELECT CAST(SUM(remaining) AS BIGINT) FROM mock_stripe_faults").await
}

// invariant: provider-outage
// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_fails_five_times_is_left_alone_and_found_again_after_ten_seconds() {
    let shop = TestShop::open().await;
    let (buyer, light, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let cart = Person::cart(&[(&light, 1)]);
    start_outage(&stripe).await;
    for _ in 0..5 {
        buyer.asks_to_pay(&cart).await.refuses(503, "TaxUnavailable");
    }
    let heard = request_count(&shop).await;
    assert!(heard >= 10, "each request was retried once");

    // The circuit breaker is open: requests fail at once.
    for _ in 0..20 {
        let refused = buyer.asks_to_pay(&cart).await;
        refused.refuses(503, "TaxUnavailable");
        assert!(refused.header("retry-after").is_some(), "{refused}");
    }
    assert_eq!(request_count(&shop).await, heard);
    let after = shop.light("Nudgelight One").await;
    assert_eq!(after.stock, after.available, "rejected requests reserve nothing");

    // Half-open: one request per ten seconds probes the provider. The first probe and its retry fail, the second
    // succeeds.
    shop.clock.advance(10_000);
    for _ in 0..5 {
        buyer.asks_to_pay(&cart).await.refuses(503, "TaxUnavailable");
    }
    assert_eq!(request_count(&shop).await, heard + 2);
    stripe.behaves().await;
    shop.clock.advance(10_000);
    buyer.buys(&stripe, &light, 1).await;
    shop.audit().await;
}

// invariant: payment-recovery
// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_paid_before_the_provider_went_away_gets_an_order_when_it_is_back() {
    let shop = TestShop::open().await;
    let (buyer, light, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let mut paid = BTreeSet::new();
    for _ in 0..4 {
        paid.insert(shop.paid_but_gone(&buyer, &light, 1).await.id);
    }
    start_outage(&stripe).await;
    // Both the customer's requests and the reconciler open the circuit breaker and then stop calling the provider.
    for _ in 0..3 {
        for intent in &paid {
            buyer.asks_for_order(intent).await.refuses(503, "PaymentProviderUnavailable");
        }
    }
    assert!(request_count(&shop).await < 24, "the circuit breaker is open");
    shop.clock.advance(1_000_000);
    shop.expires().await;
    assert_eq!(shop.count_orders().await, 0);
    let after = shop.light("Nudgelight One").await;
    assert_eq!(after.stock - after.available, 4, "items that may be paid for stay reserved");

    stripe.behaves().await;
    shop.clock.advance(10_000);
    shop.reconciles().await;
    let ordered: BTreeSet<String> = shop.texts("SELECT payment_intent_id FROM orders").await.into_iter().collect();
    assert_eq!(ordered, paid);
    shop.audit().await;
}
