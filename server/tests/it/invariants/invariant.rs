//! Assertions that must hold when a shop is idle.

use std::time::Instant;

use serde_json::Value;

use crate::harness::{ApiResponse, Stripe, TestShop, eventually};

/// Longer than the shop waits before it checks a payment or retries an event.
const SETTLE_TIME: i64 = 120_000;
/// Shorter than a reservation, which must not expire while a busy machine delivers events.
const MAX_SETTLE_TIME: i64 = 600_000;

/// A point in time to return to after advancing the clock.
pub struct Moment {
    ms: i64,
    at: Instant,
}

/// Final state of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentOutcome {
    Ordered,
    Refunded,
    Unpaid,
}

impl TestShop {
    pub fn moment(&self) -> Moment {
        Moment { ms: self.clock.now_ms(), at: Instant::now() }
    }

    /// Sets the clock as if it had not been changed since this moment.
    pub fn returns_to(&self, moment: &Moment) {
        let passed = i64::try_from(moment.at.elapsed().as_millis()).unwrap();
        self.clock.advance(moment.ms + passed - self.clock.now_ms());
    }

    /// Removes all faults, and waits until the shop has caught up with missed events.
    pub async fn settles(&self, stripe: &Stripe) {
        stripe.behaves().await;
        let latest = self.clock.now_ms() + MAX_SETTLE_TIME;
        self.clock.advance(SETTLE_TIME);
        eventually("all events to be delivered and applied", async || {
            self.expires().await;
            let open = "SELECT (SELECT COUNT(*) FROM mock_stripe_deliveries WHERE state = 'pending') + \
                        (SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL)";
            if self.count(open).await == 0 {
                return Some(());
            }
            if self.clock.now_ms() < latest {
                self.clock.advance(5_000);
            }
            None
        })
        .await;
        self.reconciles().await;
    }

    /// Asserts that the accounting invariants hold and that shop and provider agree on the latest payments.
    pub async fn agrees_with(&self, stripe: &Stripe) -> Vec<PaymentOutcome> {
        self.audit().await;
        let path = "/v1/payment_intents?limit=100&expand[]=data.latest_charge";
        let list = stripe.as_shop("GET", path, &[]).await.gives(200);
        let mut outcomes = Vec::new();
        for intent in list["data"].as_array().unwrap() {
            outcomes.push(self.payment_outcome(intent).await);
        }
        outcomes
    }

    /// Asserts that a payment has an order with the same total or a full refund, and that no order exists without a
    /// payment.
    pub async fn payment_outcome(&self, intent: &Value) -> PaymentOutcome {
        // A refund that was paid outside isn't the provider's.
        let at_provider = "SELECT o.total, o.refunded - (SELECT CAST(COALESCE(SUM(r.amount), 0) AS BIGINT) FROM refunds r \
                           WHERE r.order_id = o.id AND r.state = 'done' AND r.paid_on IS NOT NULL) \
                           FROM orders o WHERE o.payment_intent_id = $1";
        let found: Option<(i64, i64)> = sqlx::query_as(at_provider)
            .bind(intent["id"].as_str().unwrap())
            .fetch_optional(self.inside().platform.db.read())
            .await
            .unwrap();
        let cents = |value: &Value| value.as_i64().unwrap();
        let is_paid = intent["status"] == "succeeded";
        let charge = &intent["latest_charge"];
        match found {
            Some((total, refunded)) => {
                assert!(is_paid, "an order without a payment: {intent}");
                assert_eq!(total, cents(&intent["amount_received"]), "{intent}");
                assert_eq!(refunded, cents(&charge["amount_refunded"]), "{intent}");
                PaymentOutcome::Ordered
            }
            None if is_paid => {
                assert_eq!(
                    charge["amount_refunded"], intent["amount_received"],
                    "paid without an order or a refund: {intent}"
                );
                PaymentOutcome::Refunded
            }
            None => PaymentOutcome::Unpaid,
        }
    }
}

/// Asserts one of these statuses, the shared shape of errors, and a `Retry-After` header on a 503.
#[track_caller]
pub fn assert_status_in(response: &ApiResponse, statuses: &[u16]) {
    assert!(statuses.contains(&response.status), "{response}");
    if response.status >= 400 {
        response.refusal();
    }
    assert!(response.status != 503 || response.header("retry-after").is_some(), "{response}");
}
