//! Concurrent refunds, by administrators and at the provider.

use rand::RngExt as _;
use serde_json::json;

use super::invariant::{PaymentOutcome, assert_status_in};
use super::run::Runs;
use crate::harness::{TestShop, together};

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_from_everywhere_at_once_never_give_back_more_than_was_paid() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Returned", 100_000).await;
    let mut runs = Runs::of("concurrent refunds", 3);
    while let Some(mut rng) = runs.next() {
        let (admin, buyer) = (shop.admin().await, shop.customer().await);
        let before = shop.light("Returned").await.stock;
        let order = buyer.buys(&stripe, &light, 2).await;
        let path = format!("/api/admin/order/{order}");
        let total = shop.count("SELECT total FROM orders ORDER BY number DESC LIMIT 1").await;
        let intent = shop.texts("SELECT payment_intent_id FROM orders ORDER BY number DESC LIMIT 1").await.remove(0);
        let (by_hand, at_the_provider) = (rng.random_range(1..=8), rng.random_range(0..=4));
        let restocks = rng.random_bool(0.5);
        let parts: Vec<String> = (0..at_the_provider).map(|_| rng.random_range(1..=total).to_string()).collect();
        together(by_hand + at_the_provider, |number| {
            let (admin, path, stripe, intent) = (admin.clone(), path.clone(), stripe.clone(), intent.clone());
            let part = parts.get(number.wrapping_sub(by_hand)).cloned();
            async move {
                let Some(part) = part else {
                    let body = json!({ "status": "refunded", "restock": restocks });
                    assert_status_in(&admin.patch(&path, &body).await, &[200, 409, 503]);
                    return;
                };
                let fields = [("payment_intent", intent.as_str()), ("amount", part.as_str())];
                let response = stripe.as_shop("POST", "/v1/refunds", &fields).await;
                assert!(matches!(response.status, 200 | 400), "{response}");
            }
        })
        .await;
        // Retries after a 409 or 503.
        admin.patch(&path, &json!({ "status": "refunded", "restock": restocks })).await.gives(200);
        shop.settles(&stripe).await;
        assert_eq!(shop.payment_outcome(&stripe.intent(&intent).await).await, PaymentOutcome::Ordered);
        assert_eq!(shop.count("SELECT refunded FROM orders ORDER BY number DESC LIMIT 1").await, total);
        assert_eq!(shop.light("Returned").await.stock, if restocks { before } else { before - 2 });
        shop.audit().await;
    }
}
