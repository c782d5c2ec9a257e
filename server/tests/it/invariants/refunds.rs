//! Concurrent refunds, by administrators and at the provider.

use rand::RngExt as _;
use serde_json::{Value, json};

use super::invariant::{PaymentOutcome, assert_status_in};
use super::run::Runs;
use crate::harness::{Intent, Light, Person, Stripe, TestShop, montreal, together};

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
        // Retries after a 409 or 503. After half a minute, an unconfirmed refund no longer stands in the way.
        shop.clock.advance(31_000);
        admin.patch(&path, &json!({ "status": "refunded", "restock": restocks })).await.gives(200);
        shop.settles(&stripe).await;
        assert_eq!(shop.payment_outcome(&stripe.intent(&intent).await).await, PaymentOutcome::Ordered);
        assert_eq!(shop.count("SELECT refunded FROM orders ORDER BY number DESC LIMIT 1").await, total);
        assert_eq!(shop.light("Returned").await.stock, if restocks { before } else { before - 2 });
        shop.audit().await;
    }
}

/// A random refund in parts: items, shipping or an amount.
fn random_part(rng: &mut impl rand::Rng, lights: &[Light], total: i64) -> Value {
    let light = &lights[rng.random_range(0..lights.len())];
    let line = json!([{ "product_id": light.id, "quantity": rng.random_range(1..=3) }]);
    match rng.random_range(0..5) {
        0 => json!({ "shipping": true }),
        1 => json!({ "lines": line, "shipping": true, "restock": true }),
        2 | 3 => json!({ "lines": line, "restock": rng.random_bool(0.5) }),
        _ => {
            let cents = rng.random_range(1..=total / 2);
            serde_json::from_str(&format!(r#"{{"amount":{}.{:02}}}"#, cents / 100, cents % 100)).unwrap()
        }
    }
}

// invariant: no-over-refunds
// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_in_parts_from_everywhere_while_the_provider_fails_end_in_what_was_paid() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let lights = [shop.adds_light("First", 100_000).await, shop.adds_light("Second", 100_000).await];
    let mut runs = Runs::of("concurrent partial refunds with provider failures", 3);
    while let Some(mut rng) = runs.next() {
        let buyer = shop.customer().await;
        let mut cart = Person::cart(&[(&lights[0], rng.random_range(1..=3)), (&lights[1], rng.random_range(1..=3))]);
        if rng.random_bool(0.5) {
            cart["shippingAddress"] = montreal();
        }
        let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
        stripe.takes(&intent, "pm_card_visa").await;
        let order = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
        let (path, total) = (format!("/api/admin/order/{order}"), amount_received(&stripe, &intent).await);
        for _ in 0..rng.random_range(1..=3) {
            let action = match rng.random_range(0..4) {
                0 => json!({ "fail": { "status": 500 } }),
                1 => json!({ "lose_answer": { "ms": 0 } }),
                _ => json!({ "hang": { "ms": rng.random_range(10..200) } }),
            };
            let times = rng.random_range(0..=3);
            let calls = json!([{ "method": "POST", "path": "/v1/refunds", "times": times, "action": action }]);
            stripe.misbehaves(&json!({ "calls": calls, "webhooks": { "drop_percent": 50 } })).await;
            let admin = shop.admin().await;
            let bodies: Vec<Value> =
                (0..rng.random_range(1..=5)).map(|_| random_part(&mut rng, &lights, total)).collect();
            let elsewhere = rng.random_bool(0.3).then(|| rng.random_range(1..=total / 4).to_string());
            together(bodies.len() + 1, |number| {
                let (admin, path, body) = (admin.clone(), format!("{path}/refunds"), bodies.get(number).cloned());
                let (stripe, intent, elsewhere) = (stripe.clone(), intent.id.clone(), elsewhere.clone());
                async move {
                    if let Some(body) = body {
                        assert_status_in(&admin.post(&path, &body).await, &[201, 400, 409, 503]);
                    } else if let Some(amount) = elsewhere {
                        let fields = [("payment_intent", intent.as_str()), ("amount", amount.as_str())];
                        let fields = fields.map(|(name, value)| (name, value.to_owned()));
                        let made = tokio::spawn(async move {
                            let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
                            stripe.as_shop("POST", "/v1/refunds", &fields).await
                        });
                        // The faults are for every client: this response may be lost, too.
                        let _ = made.await;
                    }
                }
            })
            .await;
            shop.settles(&stripe).await;
            shop.agrees_with(&stripe).await;
        }
        shop.clock.advance(31_000);
        let admin = shop.admin().await;
        admin.patch(&path, &json!({ "status": "refunded", "restock": true })).await.gives(200);
        shop.settles(&stripe).await;
        // The audit compares every part with the order's: together they are exactly what was paid.
        shop.agrees_with(&stripe).await;
        let left = admin.get(&format!("{path}/refunds")).await.gives(200)["left"].clone();
        assert_eq!((&left["amount"], &left["shipping"]), (&json!(0.0), &json!(0.0)));
        assert_eq!(shop.count("SELECT refunded FROM orders ORDER BY number DESC LIMIT 1").await, total);
        for light in &lights {
            assert_eq!(shop.light(&light.name).await.stock, 100_000);
        }
    }
}

async fn amount_received(stripe: &Stripe, intent: &Intent) -> i64 {
    stripe.intent(&intent.id).await["amount_received"].as_i64().unwrap()
}
