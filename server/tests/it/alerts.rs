//! Alerts: an order has an alert for each cause until an administrator resolves it, and the owner gets one email per
//! cause, even for duplicate events.

use serde_json::{Value, json};

use crate::harness::{ADMIN, Person, TestShop, event, eventually};

const OWNER: &str = "owner@example.com";

/// A paid order, with access to its payment at the provider.
struct Sale {
    shop: TestShop,
    admin: Person,
    path: String,
    intent_id: String,
}

impl Sale {
    async fn with_settings(variables: &[(&str, &str)]) -> Self {
        let shop = TestShop::open_with(variables).await;
        let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
        let one = shop.light("Nudgelight One").await;
        let path = format!("/api/admin/order/{}", buyer.buys(&stripe, &one, 1).await);
        let intent_id = shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
        Self { shop, admin, path, intent_id }
    }

    async fn with_owner_email() -> Self {
        Self::with_settings(&[("SHOP_ORDERS_EMAIL", OWNER)]).await
    }

    /// Delivers events about objects with these IDs, one after the other, each with its own event ID.
    async fn receives_events(&self, events: &[(&str, &str)]) {
        let before = self.shop.count("SELECT COUNT(*) FROM webhook_events").await;
        for (number, (kind, id)) in events.iter().enumerate() {
            self.receives_as(&format!("evt_hand{before}_{number}"), kind, &json!({ "id": id })).await;
        }
    }

    async fn receives_event_about(&self, kind: &str, object: &Value) {
        let before = self.shop.count("SELECT COUNT(*) FROM webhook_events").await;
        self.receives_as(&format!("evt_hand{before}"), kind, object).await;
    }

    async fn receives_as(&self, event_id: &str, kind: &str, object: &Value) {
        let mut object = object.clone();
        object["payment_intent"] = json!(self.intent_id);
        if kind.starts_with("charge.dispute.") {
            let status = object["status"].as_str().unwrap_or("needs_response");
            self.shop.has_dispute(object["id"].as_str().unwrap(), &self.intent_id, status).await;
        }
        self.shop.receives(&event(event_id, kind, &object)).await.gives(200);
        eventually("the event to be processed", async || {
            let open = "SELECT COUNT(*) FROM webhook_events WHERE id LIKE 'evt_hand%' AND applied_at IS NULL";
            (self.shop.count(open).await == 0).then_some(())
        })
        .await;
    }

    async fn order(&self) -> Value {
        self.admin.get(&self.path).await.gives(200)
    }

    async fn resolve(&self, alert: &Value) {
        let path = format!("/api/admin/alerts/{}/resolve", alert["id"].as_str().unwrap());
        self.admin.post(&path, &json!({})).await.gives(204);
    }

    async fn count_alerts(&self) -> i64 {
        self.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'alert'").await
    }
}

/// Kinds of the order's open alerts.
fn kinds(order: &Value) -> Vec<&str> {
    order["alerts"].as_array().unwrap().iter().map(|alert| alert["kind"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disputed_payment_is_shown_to_administrators_and_mailed_once() {
    let sale = Sale::with_owner_email().await;
    sale.receives_events(&[("charge.dispute.created", "dp_1"), ("charge.dispute.created", "dp_1")]).await;
    sale.receives_events(&[("charge.dispute.funds_withdrawn", "dp_1")]).await;
    let order = sale.order().await;
    assert_eq!((&order["payment"]["status"], kinds(&order)), (&json!("disputed"), vec!["dispute_opened"]));
    assert_eq!(order["alerts"][0]["message"], "Visa ending in 4242 disputes $1.00. Respond by 11/22/2023.");
    let list = sale.admin.get("/api/admin/orders").await.gives(200);
    let listed = &list["orders"][0];
    assert_eq!((&listed["payment"], &listed["open_alerts"]), (&json!("disputed"), &json!(1)));

    let mail = sale.shop.mail_to(OWNER, "Alert: Order 1001").await;
    let page = sale.path.replace("/api", "");
    assert!(mail.text.contains("disputes $1.00. Respond by 11/22/2023.") && mail.text.contains(&page), "{}", mail.text);
    assert_eq!(sale.count_alerts().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_fails_later_is_shown_and_mailed_once_beside_whatever_else_is_wrong() {
    let sale = Sale::with_owner_email().await;
    sale.receives_events(&[("refund.failed", "re_1"), ("refund.failed", "re_1"), ("charge.dispute.created", "dp_1")])
        .await;
    let order = sale.order().await;
    assert_eq!(kinds(&order), ["refund_failed", "dispute_opened"], "{order}");
    assert_eq!(sale.count_alerts().await, 2);

    sale.receives_events(&[("refund.failed", "re_2")]).await;
    let order = sale.order().await;
    assert_eq!(kinds(&order), ["refund_failed", "dispute_opened", "refund_failed"], "{order}");
    assert_eq!(sale.count_alerts().await, 3, "another failed refund sends another email");
    let what: Vec<_> =
        order["history"].as_array().unwrap().iter().filter_map(|entry| entry["message"].as_str()).collect();
    assert_eq!(what.iter().filter(|what| what.contains("returned a refund")).count(), 2, "{what:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_dealt_with_is_not_mailed_again_when_the_event_comes_again() {
    let sale = Sale::with_owner_email().await;
    sale.receives_events(&[("refund.failed", "re_1")]).await;
    sale.resolve(&sale.order().await["alerts"][0]).await;
    sale.receives_events(&[("refund.failed", "re_1")]).await;
    assert_eq!(sale.count_alerts().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_address_nobody_is_mailed_and_the_order_says_it_all_the_same() {
    let sale = Sale::with_settings(&[]).await;
    sale.receives_events(&[("refund.failed", "re_1"), ("charge.dispute.created", "dp_1")]).await;
    let order = sale.order().await;
    assert_eq!(kinds(&order), ["refund_failed", "dispute_opened"], "{order}");
    assert_eq!(sale.count_alerts().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_alert_of_an_order_is_resolved_by_itself_and_the_history_says_by_whom() {
    let sale = Sale::with_settings(&[]).await;
    sale.receives_events(&[("refund.failed", "re_1"), ("charge.dispute.created", "dp_1")]).await;
    let order = sale.order().await;
    for _ in 0..2 {
        sale.resolve(&order["alerts"][0]).await;
    }
    let left = sale.order().await;
    assert_eq!(kinds(&left), ["dispute_opened"]);
    let found = async |filter: &str| {
        sale.admin.get(&format!("/api/admin/orders?open_alerts=true{filter}")).await.gives(200)["orders"].clone()
    };
    assert_eq!(found("").await[0]["open_alerts"], json!(1));
    assert_eq!(found("&q=1001").await[0]["open_alerts"], json!(1));
    sale.resolve(&order["alerts"][1]).await;
    assert_eq!((found("").await, found("&q=1001").await), (json!([]), json!([])));

    let resolved: Vec<Value> = sale.order().await["history"].as_array().unwrap().clone();
    let resolved: Vec<_> = resolved.iter().filter(|entry| entry["kind"] == "alert_resolved").collect();
    let messages: Vec<_> = resolved.iter().map(|entry| entry["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        [
            "Resolved: The bank returned a refund. The customer hasn’t been paid. (re_1)",
            "Resolved: Visa ending in 4242 disputes $1.00. Respond by 11/22/2023."
        ]
    );
    assert!(resolved.iter().all(|entry| entry["actor"] == ADMIN), "{resolved:?}");
    assert_eq!(sale.shop.texts("SELECT DISTINCT resolved_by FROM alerts").await, [ADMIN]);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cause_that_returns_after_its_alert_was_resolved_raises_another_one() {
    let sale = Sale::with_owner_email().await;
    let insert = "INSERT INTO alerts (id, kind, data, dedupe_key, order_id, created_at, resolved_at, resolved_by) \
                  SELECT 'a0', 'dispute_opened', '{\"dispute_id\":\"dp_1\"}', 'dispute_opened:dp_1', id, 0, 1, 'bo' \
                  FROM orders";
    sale.shop.tamper(insert).await;
    sale.receives_events(&[("charge.dispute.created", "dp_1")]).await;
    assert_eq!(kinds(&sale.order().await), ["dispute_opened"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_alert_about_a_dispute_ends_when_it_is_won_and_becomes_lost_with_it() {
    let sale = Sale::with_owner_email().await;
    let steps = [
        ("dp_1", "warning_needs_response", vec!["inquiry_opened"]),
        ("dp_1", "warning_closed", vec![]),
        ("dp_2", "warning_needs_response", vec!["inquiry_opened"]),
        ("dp_2", "needs_response", vec!["dispute_opened"]),
        ("dp_2", "won", vec![]),
        ("dp_3", "needs_response", vec!["dispute_opened"]),
        ("dp_3", "lost", vec!["dispute_lost"]),
        ("dp_3", "won", vec![]),
    ];
    for (id, status, expected) in steps {
        sale.receives_event_about("charge.dispute.updated", &json!({ "id": id, "status": status })).await;
        assert_eq!(kinds(&sale.order().await), expected, "{id} {status}");
    }
    let history: Vec<Value> = sale.order().await["history"].as_array().unwrap().clone();
    let resolved: Vec<_> = history.iter().filter(|entry| entry["kind"] == "alert_resolved").collect();
    assert_eq!(resolved.len(), 5, "{resolved:?}");
    assert!(resolved.iter().all(|entry| entry["actor"] == "shop"), "{resolved:?}");
    assert_eq!(sale.shop.texts("SELECT DISTINCT resolved_by FROM alerts").await, ["shop"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_left_to_refund_says_why_a_disputed_payment_can_not_be_refunded() {
    let sale = Sale::with_settings(&[]).await;
    let blocked = async || sale.admin.get(&format!("{}/refunds", sale.path)).await.gives(200)["left"]["blocked"].take();
    for (status, expected) in [
        ("warning_needs_response", Value::Null),
        ("needs_response", json!("dispute")),
        ("lost", json!("lost_dispute")),
        ("won", Value::Null),
    ] {
        sale.receives_event_about("charge.dispute.updated", &json!({ "id": "dp_1", "status": status })).await;
        assert_eq!(blocked().await, expected, "{status}");
    }
}
