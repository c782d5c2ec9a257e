//! Webhook delivery: reordered, duplicated, delayed and lost events.

use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use serde_json::{Value, json};

use super::disputes::{assert_same_disputes, list_all};
use super::invariant::PaymentOutcome;
use super::run::Runs;
use crate::harness::{Stripe, TestShop, event, eventually};

/// All event types of a payment, including states that are outdated.
const PAYMENT: [&str; 5] = [
    "payment_intent.created",
    "payment_intent.payment_failed",
    "payment_intent.requires_action",
    "payment_intent.succeeded",
    "payment_intent.canceled",
];
const DISPUTE: [&str; 5] = [
    "charge.dispute.created",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.updated",
    "charge.dispute.funds_reinstated",
    "charge.dispute.closed",
];
const WARNING: [&str; 2] = ["radar.early_fraud_warning.created", "radar.early_fraud_warning.updated"];
const CARDS: [&str; 5] = [
    "pm_card_visa",
    "pm_card_createDispute",
    "pm_card_createDisputeInquiry",
    "pm_card_createMultipleDisputes",
    "pm_card_createIssuerFraudRecord",
];

/// A partially refunded, disputed or suspicious payment, with all events about it.
struct EventHistory {
    intent: Value,
    events: Vec<(&'static str, Value)>,
    /// Final state of each dispute.
    disputes: Vec<Value>,
}

impl EventHistory {
    /// Makes up to `refunds` partial refunds, before and after responding to the disputes. The provider rejects refunds
    /// while a dispute is open.
    async fn of(stripe: &Stripe, intent_id: &str, refunds: usize, rng: &mut impl rand::Rng) -> Self {
        let refund = [("payment_intent", intent_id), ("amount", "250")];
        let before = rng.random_range(0..=refunds);
        for _ in 0..before {
            stripe.as_shop("POST", "/v1/refunds", &refund).await;
        }
        let path = format!("/v1/disputes?payment_intent={intent_id}");
        let begun = stripe.as_shop("GET", &path, &[]).await.gives(200)["data"].as_array().unwrap().clone();
        for dispute in &begun {
            let evidence = ["winning_evidence", "losing_evidence", "some words"][rng.random_range(0..3)];
            let fields = [("evidence[uncategorized_text]", evidence)];
            let path = format!("/v1/disputes/{}", dispute["id"].as_str().unwrap());
            stripe.as_shop("POST", &path, &fields).await.gives(200);
        }
        for _ in before..refunds {
            stripe.as_shop("POST", "/v1/refunds", &refund).await;
        }
        let disputes = stripe.as_shop("GET", &path, &[]).await.gives(200)["data"].as_array().unwrap().clone();
        let intent = stripe.intent(intent_id).await;
        let mut events: Vec<(&str, Value)> = PAYMENT.map(|kind| (kind, intent.clone())).into();
        if intent["latest_charge"]["amount_refunded"] != 0 {
            events.push(("charge.refunded", intent["latest_charge"].clone()));
        }
        // The initial state of each dispute is sent as well as its final state.
        events.extend(begun.iter().map(|dispute| ("charge.dispute.created", dispute.clone())));
        events.extend(disputes.iter().flat_map(|dispute| DISPUTE.map(|kind| (kind, dispute.clone()))));
        let warnings =
            list_all(stripe, "/v1/radar/early_fraud_warnings", &format!("&payment_intent={intent_id}")).await;
        events.extend(warnings.iter().flat_map(|warning| WARNING.map(|kind| (kind, warning.clone()))));
        Self { intent, events, disputes }
    }

    fn dispute(&self) -> &'static str {
        let is = |words: &[&str]| self.disputes.iter().any(|one| words.iter().any(|word| one["status"] == *word));
        match () {
            () if is(&["needs_response", "under_review"]) => "open",
            () if is(&["lost"]) => "lost",
            () if is(&["warning_needs_response", "warning_under_review"]) => "warning",
            () if is(&["won"]) => "won",
            () => "none",
        }
    }

    fn payment(&self) -> Value {
        let refunded = self.intent["latest_charge"]["amount_refunded"].as_i64().unwrap();
        let dollars: Value = serde_json::from_str(&format!("{}.{:02}", refunded / 100, refunded % 100)).unwrap();
        let dispute = self.dispute();
        let status = match dispute {
            "open" | "lost" => "disputed",
            _ if refunded == 0 => "paid",
            _ => "partially_refunded",
        };
        let card = &self.intent["latest_charge"]["payment_method_details"]["card"];
        let card = json!({ "brand": card["brand"], "last4": card["last4"] });
        json!({ "status": status, "refunded": dollars, "dispute": dispute, "card": card })
    }
}

// invariant: out-of-order-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_payments_refunds_disputes_and_warnings_in_any_order_and_number_end_in_the_same_order() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.adds_light("Told Of", 100_000).await;
    stripe.drops_webhooks().await;
    let mut runs = Runs::of("webhook events in random order", 4);
    while let Some(mut rng) = runs.next() {
        for card in CARDS {
            let intent = buyer.starts_payment(&[(&light, 1)]).await;
            stripe.takes(&intent, card).await;
            // A payment refunded before it has an order is refunded in full, so the order must come first.
            let refunds = rng.random_range(0..3);
            if refunds > 0 {
                buyer.asks_for_order(&intent.id).await.gives(201);
            }
            let history = EventHistory::of(&stripe, &intent.id, refunds, &mut rng).await;
            let mut order: Vec<usize> = (0..history.events.len()).collect();
            order.extend((0..rng.random_range(0..4)).map(|_| rng.random_range(0..history.events.len())));
            order.shuffle(&mut rng);
            for index in &order {
                let (kind, object) = &history.events[*index];
                shop.receives(&event(&format!("evt_{}_{index}", intent.id), kind, object)).await.gives(200);
            }
            eventually("all events to be applied", async || {
                (shop.count("SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL").await == 0).then_some(())
            })
            .await;
            assert_eq!(shop.payment_outcome(&history.intent).await, PaymentOutcome::Ordered, "{card} {order:?}");
            let order_id = buyer.asks_for_order(&intent.id).await.gives(200)["orderId"].as_str().unwrap().to_owned();
            let made = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
            assert_eq!(made["status"], "pending", "{card} {order:?}");
            assert_eq!(made["payment"], history.payment(), "{card} {order:?}");
            assert_same_disputes(&shop, &stripe, &format!("{card} {order:?}")).await;
            shop.audit().await;
        }
    }
    assert_eq!(shop.light("Told Of").await.stock, 100_000 - shop.count_orders().await);
}

// invariant: exactly-once-events
// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_that_come_late_twice_or_never_leave_nobody_without_an_order() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Told Of", 100_000).await;
    let mut runs = Runs::of("late, duplicate and missing webhooks", 2);
    while let Some(mut rng) = runs.next() {
        let buyer = shop.customer().await;
        let faults = json!({ "webhooks": {
            "drop_percent": rng.random_range(0..=100), "double_percent": rng.random_range(0..=100),
            "reorder_ms": rng.random_range(0..=300), "delay_ms": rng.random_range(0..=200),
        } });
        stripe.misbehaves(&faults).await;
        let before = shop.count_orders().await;
        let payments = rng.random_range(1..=5);
        let mut paid = Vec::new();
        for _ in 0..payments {
            let intent = shop.paid_but_gone(&buyer, &light, 1).await;
            if rng.random_bool(0.3) {
                buyer.asks_for_order(&intent.id).await;
            }
            paid.push(intent.id);
        }
        shop.settles(&stripe).await;
        assert_eq!(shop.count_orders().await, before + payments);
        for intent in paid {
            assert_eq!(shop.payment_outcome(&stripe.intent(&intent).await).await, PaymentOutcome::Ordered);
        }
        shop.audit().await;
    }
    assert_eq!(shop.light("Told Of").await.stock, 100_000 - shop.count_orders().await);
}
