//! Webhook events at a high rate, and a large backlog of them.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::super::run::Stretch;
use super::figure::time;
use super::load_generator::{open_loop, p99};
use crate::harness::{TestShop, event, signature};

const PENDING: &str = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL";

/// Half of the events require a lookup at the provider; the shop ignores the other half.
fn nth_event(number: usize, object: &Value) -> String {
    let kind = ["payment_intent.succeeded", "customer.updated"][number % 2];
    event(&format!("evt_crowd_{number}"), kind, object)
}

const INSERT_EVENTS: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) \
    INSERT INTO webhook_events (id, type, body, received_at, next_attempt_at) \
    SELECT 'evt_left_' || n.i, $2, REPLACE($3, 'evt_left', 'evt_left_' || n.i), $4, $4 FROM n";

impl TestShop {
    /// Inserts unprocessed events, as after a long outage.
    async fn leaves_events_unapplied(&self, count: usize, body: &str) {
        let (count, body, now) = (i64::try_from(count).unwrap(), body.to_owned(), self.clock.now_ms());
        let db = &self.inside().platform.db;
        db.write((), move |tx, ()| {
            let body = body.clone();
            Box::pin(async move {
                sqlx::query(INSERT_EVENTS)
                    .bind(count)
                    .bind("payment_intent.succeeded")
                    .bind(body)
                    .bind(now)
                    .execute(tx)
                    .await?;
                Ok(())
            })
        })
        .await
        .unwrap();
    }
}

// invariant: verify-before-parse
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_events_a_second_and_thousands_that_waited_are_all_applied() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let intent = shop.paid_but_gone(&buyer, &light, 1).await;
    buyer.asks_for_order(&intent.id).await;
    let object = stripe.intent(&intent.id).await;
    let mut stretch = Stretch::of("webhook events under load", 2);
    let calls = open_loop(100, stretch.lasts.min(Duration::from_secs(60)), |number| {
        let body = nth_event(number, &object);
        let header = signature(shop.webhook_secret(), shop.now_seconds(), &body);
        let visitor = shop.visitor();
        async move {
            let request = visitor.request("POST", "/api/webhooks/stripe").header("stripe-signature", header);
            visitor.send(request.body(body)).await
        }
    })
    .await;
    for call in &calls {
        call.result.gives(200);
    }

    let count = stretch.form.pick(200, 10_000);
    shop.leaves_events_unapplied(count, &event("evt_left", "payment_intent.succeeded", &object)).await;
    let begun = Instant::now();
    while shop.count(PENDING).await > 0 {
        shop.expires().await;
    }
    let drained = begun.elapsed();
    stretch.done = calls.len() + count;
    assert_eq!((shop.count_orders().await, shop.count_sales(&light).await), (1, 1));
    shop.audit().await;
    time("webhook acknowledgment at 100 events per second, p99", p99(&calls), 200);
    time(&format!("processing time of {count} pending events"), drained, 300_000);
}
