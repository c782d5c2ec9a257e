//! Events that come in any order, twice, late, or never.

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use serde_json::json;

use super::law::End;
use super::trials::Trials;
use crate::harness::{TestShop, event, eventually};

/// What can be told of a payment that was disputed, with what was true before it and is not any more.
const KINDS: [&str; 6] = [
    "payment_intent.created",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.succeeded",
    "payment_intent.canceled",
    "charge.dispute.created",
];

// rule 3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn six_events_in_any_order_and_number_end_in_the_same_order() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.adds_light("Told Of", 100_000).await;
    stripe.drops_webhooks().await;
    let mut trials = Trials::of("events in any order", 4);
    while let Some(mut chance) = trials.next() {
        let intent = shop.paid_but_gone(&buyer, &light, 1).await;
        let object = stripe.intent(&intent.id).await;
        let dispute = json!({ "id": "dp_1", "object": "dispute", "payment_intent": intent.id });
        let mut told: Vec<usize> = (0..KINDS.len()).collect();
        told.extend((0..chance.random_range(0..4)).map(|_| chance.random_range(0..KINDS.len())));
        told.shuffle(&mut chance);
        for kind in &told {
            let about = if KINDS[*kind].starts_with("charge.") { &dispute } else { &object };
            shop.receives(&event(&format!("evt_{}_{kind}", intent.id), KINDS[*kind], about)).await.gives(200);
        }
        eventually("every event to be applied", async || {
            (shop.count("SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL").await == 0).then_some(())
        })
        .await;
        assert_eq!(shop.end_of(&object).await, End::Ordered, "{told:?}");
        let order_id = buyer.asks_for_order(&intent.id).await.gives(200)["orderId"].as_str().unwrap().to_owned();
        let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
        let (status, payment) = (order["status"].as_str(), order["payment"]["status"].as_str());
        assert_eq!((status, payment), (Some("pending"), Some("disputed")), "{told:?}");
        shop.audit().await;
    }
    assert_eq!(shop.light("Told Of").await.stock, 100_000 - shop.count_orders().await);
}

// rule 4, 5
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_that_come_late_twice_or_never_leave_nobody_without_an_order() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Told Of", 100_000).await;
    let mut trials = Trials::of("unruly webhooks", 2);
    while let Some(mut chance) = trials.next() {
        let buyer = shop.customer().await;
        let unruly = json!({ "webhooks": {
            "drop_percent": chance.random_range(0..=100), "double_percent": chance.random_range(0..=100),
            "reorder_ms": chance.random_range(0..=300), "delay_ms": chance.random_range(0..=200),
        } });
        stripe.misbehaves(&unruly).await;
        let before = shop.count_orders().await;
        let payments = chance.random_range(1..=5);
        let mut paid = Vec::new();
        for _ in 0..payments {
            let intent = shop.paid_but_gone(&buyer, &light, 1).await;
            if chance.random_bool(0.3) {
                buyer.asks_for_order(&intent.id).await;
            }
            paid.push(intent.id);
        }
        shop.settles(&stripe).await;
        assert_eq!(shop.count_orders().await, before + payments);
        for intent in paid {
            assert_eq!(shop.end_of(&stripe.intent(&intent).await).await, End::Ordered);
        }
        shop.audit().await;
    }
    assert_eq!(shop.light("Told Of").await.stock, 100_000 - shop.count_orders().await);
}
