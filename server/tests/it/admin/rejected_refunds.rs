//! Refunds that can never succeed: rejected with the reason, and nothing changes.

use serde_json::{Value, json};

use crate::harness::{Intent, Person, Stripe, TestShop};

struct Sale {
    shop: TestShop,
    stripe: Stripe,
    admin: Person,
    intent: Intent,
    path: String,
}

impl Sale {
    async fn with_card(card: &str) -> Self {
        let shop = TestShop::open().await;
        let (buyer, stripe, admin) = (shop.customer().await, shop.stripe().await, shop.admin().await);
        stripe.drops_webhooks().await;
        let intent = buyer.starts_payment(&[(&shop.light("Nudgelight One").await, 2)]).await;
        stripe.takes(&intent, card).await;
        let created = buyer.asks_for_order(&intent.id).await.gives(201);
        let path = format!("/api/admin/order/{}", created["orderId"].as_str().unwrap());
        Self { shop, stripe, admin, intent, path }
    }

    /// The reason of both ways to refund, which must be rejected and change nothing of the order.
    async fn reason(&self) -> String {
        let before = self.order().await;
        let refund = self.admin.post(&format!("{}/refunds", self.path), &json!({ "amount": 5 })).await;
        let reason = refund.refuses(409, "RefundRejected")["error"].as_str().unwrap().to_owned();
        let status = self.admin.patch(&self.path, &json!({ "status": "refunded" })).await;
        assert_eq!(status.refuses(409, "RefundRejected")["error"], json!(reason));
        assert!(reason.ends_with("Nothing was refunded."), "{reason}");
        assert_eq!(self.order().await, before);
        assert_eq!(self.shop.count("SELECT COUNT(*) FROM refunds WHERE state <> 'not_made'").await, 0);
        reason
    }

    async fn order(&self) -> Value {
        self.admin.get(&self.path).await.gives(200)
    }

    /// Responds to the next refund with this status.
    async fn fails(&self, status: u16) {
        let call =
            json!({ "method": "POST", "path": "/v1/refunds", "times": 2, "action": { "fail": { "status": status } } });
        self.stripe.misbehaves(&json!({ "calls": [call] })).await;
    }
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disputed_payment_cannot_be_refunded_and_the_reason_says_so() {
    let sale = Sale::with_card("pm_card_createDispute").await;
    let reason = sale.reason().await;
    assert!(reason.contains("charged this payment back"), "{reason}");

    sale.shop.reconciles().await;
    let list = format!("/v1/disputes?payment_intent={}", sale.intent.id);
    let dispute = sale.stripe.as_shop("GET", &list, &[]).await.gives(200)["data"][0]["id"].as_str().unwrap().to_owned();
    let evidence = [("evidence[uncategorized_text]", "losing_evidence")];
    sale.stripe.as_shop("POST", &format!("/v1/disputes/{dispute}"), &evidence).await.gives(200);
    sale.shop.reconciles().await;
    let reason = sale.reason().await;
    assert!(reason.contains("dispute about this payment was lost"), "{reason}");
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_of_a_payment_that_the_provider_does_not_know_is_rejected_for_good() {
    let sale = Sale::with_card("pm_card_visa").await;
    sale.shop.tamper(format!("DELETE FROM mock_stripe_objects WHERE id = '{}'", sale.intent.id)).await;
    let reason = sale.reason().await;
    assert!(reason.contains("doesn’t know this payment"), "{reason}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rejection_by_the_provider_is_final_and_named_and_an_outage_is_neither() {
    let sale = Sale::with_card("pm_card_visa").await;
    sale.fails(400).await;
    let reason = sale.reason().await;
    assert!(reason.contains("This error was injected."), "the provider's reason: {reason}");
    for status in [401, 403, 500, 503] {
        sale.fails(status).await;
        let refund = sale.admin.post(&format!("{}/refunds", sale.path), &json!({ "amount": 5 })).await;
        refund.refuses(503, "PaymentProviderUnavailable");
        sale.stripe.behaves().await;
    }
    sale.admin.post(&format!("{}/refunds", sale.path), &json!({ "amount": 5 })).await.gives(201);
    sale.shop.audit().await;
}
