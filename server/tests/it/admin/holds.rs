//! Orders on hold: a dispute, an inquiry or an early fraud warning keeps an order from being packed with the others.

use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::harness::{ADMIN, Person, TestShop, event, eventually};

/// A shop with the pending orders 1001 and 1002, and events about the payment of the first.
struct Sales {
    shop: TestShop,
    admin: Person,
    id: String,
    intent_id: String,
}

impl Sales {
    async fn open() -> Self {
        let shop = TestShop::open().await;
        let (admin, ada, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
        let light = shop.light("Nudgelight One").await;
        let id = ada.buys(&stripe, &light, 1).await;
        ada.buys(&stripe, &light, 1).await;
        let intent_id = shop.texts("SELECT payment_intent_id FROM orders WHERE number = 1001").await.remove(0);
        Self { shop, admin, id, intent_id }
    }

    /// Delivers an event about an object of the order's payment.
    async fn receives(&self, kind: &str, object: &Value) {
        let mut object = object.clone();
        object["payment_intent"] = json!(self.intent_id);
        let before = self.shop.count("SELECT COUNT(*) FROM webhook_events").await;
        self.shop.receives(&event(&format!("evt_hand{before}"), kind, &object)).await.gives(200);
        eventually("the event to be processed", async || {
            let open = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL";
            (self.shop.count(open).await == 0).then_some(())
        })
        .await;
    }

    async fn dispute(&self, id: &str, status: &str) {
        self.shop.has_dispute(id, &self.intent_id, status).await;
        self.receives("charge.dispute.updated", &json!({ "id": id, "status": status })).await;
    }

    async fn warning(&self, is_actionable: bool) {
        self.shop.has_fraud_warning("issfr_1", &self.intent_id, is_actionable).await;
        let warning = json!({ "id": "issfr_1", "fraud_type": "misc", "actionable": is_actionable });
        self.receives("radar.early_fraud_warning.updated", &warning).await;
    }

    async fn order(&self) -> Value {
        self.admin.get(&format!("/api/admin/order/{}", self.id)).await.gives(200)
    }

    async fn hold(&self) -> Value {
        self.order().await["hold"].take()
    }

    fn release_path(&self) -> String {
        format!("/api/admin/order/{}/ship-anyway", self.id)
    }

    async fn ships_anyway(&self, hold: &str) -> Value {
        self.admin.post(&self.release_path(), &json!({ "hold": hold })).await.gives(200)
    }

    async fn numbers(&self, query: &str) -> Vec<i64> {
        let page = self.admin.get(&format!("/api/admin/orders?{query}")).await.gives(200);
        let orders = page["orders"].as_array().unwrap();
        assert_eq!(page["total"], json!(orders.len()), "{query}");
        orders.iter().map(|order| order["number"].as_i64().unwrap()).collect()
    }

    async fn counts(&self) -> Value {
        self.admin.get("/api/admin/order-counts").await.gives(200)
    }

    async fn slips(&self) -> String {
        self.admin.get("/api/admin/packing-slips?status=pending").await.text
    }

    /// The verdicts of a dry run and of the import itself.
    async fn imports_tracking(&self) -> [Value; 2] {
        let request = self.admin.request("POST", "/api/admin/tracking-import/preview").header(CONTENT_TYPE, "text/csv");
        let preview = self.admin.send(request.body("Order ID,Tracking Number\n1001,A1\n")).await.gives(200);
        let batch = json!({ "shipments": [{ "order_number": 1001, "tracking_number": "A1" }] });
        let results = self.admin.post("/api/admin/tracking-import", &batch).await.gives(200);
        [preview["rows"][0]["verdict"].clone(), results["results"][0]["verdict"].clone()]
    }
}

// invariant: held-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disputed_order_is_left_out_of_everything_that_packs_and_each_says_so() {
    let sales = Sales::open().await;
    sales.dispute("du_1", "needs_response").await;
    assert_eq!(sales.hold().await, json!("dispute"));
    assert_eq!(sales.counts().await, json!({ "all": 2, "pending": 1, "processing": 0, "held": 1, "open_alerts": 1 }));
    for query in ["status=pending&held=false", "held=false", "q=1002&held=false", "q=customer&held=false&country=US"] {
        assert_eq!(sales.numbers(query).await, [1002], "{query}");
    }
    for query in
        ["held=true", "held=true&q=customer", "held=true&status=pending&payment=disputed", "held=true&numbers=1001"]
    {
        assert_eq!(sales.numbers(query).await, [1001], "{query}");
    }
    assert_eq!(sales.numbers("held=true&open_alerts=true").await, [1001]);
    assert_eq!(sales.numbers("held=false&open_alerts=true").await, [] as [i64; 0]);
    assert_eq!(sales.numbers("").await, [1002, 1001], "the list of all orders has both");
    let listed = sales.admin.get("/api/admin/orders?held=true").await.gives(200);
    assert_eq!(listed["orders"][0]["hold"], json!("dispute"));

    let slips = sales.slips().await;
    assert!(!slips.contains("<h2>Order 1001<") && slips.contains("<h2>Order 1002<"), "{slips}");
    assert!(slips.contains("1 order left out: on hold"), "{slips}");
    let labels = sales.admin.get("/api/admin/orders.csv?columns=pirate_ship").await;
    assert_eq!((labels.text.lines().count(), labels.header("x-left-out-on-hold")), (2, Some("1")), "{labels}");
    let preview = sales.admin.get("/api/admin/order-status/preview?to=processing").await.gives(200);
    assert_eq!((&preview["held"], &preview["orders"][0]["number"]), (&json!(1), &json!(1002)), "{preview}");
    let batch = json!({ "orders": [{ "number": 1001, "version": 1, "status": "processing" }] });
    let result = sales.admin.patch("/api/admin/order-status", &batch).await.gives(200);
    assert_eq!(result["conflicts"], json!([1001]));
    assert_eq!(sales.imports_tracking().await, ["on_hold", "on_hold"]);
    assert_eq!(sales.order().await["status"], json!("pending"));

    let ada = sales.shop.customer().await;
    let seen = ada.get(&format!("/api/orders/{}", sales.id)).await.gives(200);
    assert_eq!(seen["hold"], Value::Null, "customers don't see it");
    sales.admin.get("/api/admin/orders?held=maybe").await.names(&["held"]);
    sales.shop.audit().await;
}

// invariant: held-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ship_anyway_releases_an_order_until_a_new_cause_arrives_and_the_history_says_who_did_it() {
    let sales = Sales::open().await;
    sales.dispute("du_1", "needs_response").await;
    let order = sales.ships_anyway("dispute").await;
    let entry = order["history"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&order["hold"], &entry["kind"], &entry["actor"]),
        (&Value::Null, &json!("hold_released"), &json!(ADMIN))
    );
    assert_eq!(entry["message"], "Released from hold to ship anyway: open dispute");
    assert_eq!(sales.numbers("status=pending&held=false").await, [1002, 1001]);
    assert!(sales.slips().await.contains("<h2>Order 1001<"));

    sales.dispute("du_1", "under_review").await;
    assert_eq!(sales.hold().await, Value::Null, "the same dispute");
    sales.dispute("du_2", "needs_response").await;
    assert_eq!(sales.hold().await, json!("dispute"), "another dispute");
    sales.dispute("du_2", "won").await;
    assert_eq!(sales.hold().await, Value::Null, "the first dispute was released");
    sales.dispute("du_1", "lost").await;
    assert_eq!(sales.hold().await, json!("lost_dispute"), "the decision is a new cause");
    sales.ships_anyway("lost_dispute").await;
    assert_eq!(sales.imports_tracking().await, ["ship", "ship"]);
    sales.shop.audit().await;
}

// invariant: held-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inquiry_and_an_early_fraud_warning_hold_an_order_until_they_end() {
    let sales = Sales::open().await;
    sales.dispute("du_1", "warning_needs_response").await;
    assert_eq!(sales.hold().await, json!("inquiry"));
    sales.warning(true).await;
    assert_eq!(sales.hold().await, json!("inquiry"));
    sales.dispute("du_1", "warning_closed").await;
    assert_eq!(sales.hold().await, json!("fraud_warning"));
    let alerts = sales.order().await["alerts"].clone();
    let warning = alerts.as_array().unwrap().iter().find(|alert| alert["kind"] == "fraud_warning").unwrap();
    let resolve = format!("/api/admin/alerts/{}/resolve", warning["id"].as_str().unwrap());
    sales.admin.post(&resolve, &json!({})).await.gives(204);
    assert_eq!(sales.hold().await, json!("fraud_warning"), "a resolved alert settles no warning");
    sales.warning(false).await;
    assert_eq!(sales.hold().await, Value::Null);
    sales.shop.audit().await;
}

// invariant: held-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_held_order_still_moves_by_hand_and_its_history_says_that_it_was_on_hold() {
    let sales = Sales::open().await;
    sales.warning(true).await;
    let path = format!("/api/admin/order/{}", sales.id);
    let order = sales.admin.patch(&path, &json!({ "status": "shipped" })).await.gives(200);
    let history = order["history"].as_array().unwrap();
    let entries: Vec<_> = history.iter().map(|entry| entry["message"].as_str().unwrap()).collect();
    let changed = entries.iter().position(|message| *message == "Status changed from pending to shipped").unwrap();
    assert_eq!(entries[changed - 1], "The order was on hold: early fraud warning");
    assert_eq!(order["hold"], Value::Null, "a shipped order is held by nothing");
    assert_eq!(sales.numbers("held=true").await, [] as [i64; 0]);
    let order = sales.admin.patch(&path, &json!({ "status": "pending" })).await.gives(200);
    assert_eq!(order["hold"], json!("fraud_warning"));
    let evidence = sales.admin.get(&format!("{path}/evidence")).await.text;
    assert!(
        evidence.contains("Order placed and paid") && !evidence.contains("on hold"),
        "the bank's document is about the sale"
    );
    sales.shop.audit().await;
}

// invariant: held-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ship_anyway_releases_only_the_cause_that_was_seen_and_twice_is_once() {
    let sales = Sales::open().await;
    sales.warning(true).await;
    sales.dispute("du_1", "needs_response").await;
    let refused = sales.admin.post(&sales.release_path(), &json!({ "hold": "fraud_warning" })).await;
    let current = refused.refuses(409, "EditConflict");
    assert_eq!(current["details"]["current"]["hold"], json!("dispute"));
    for _ in 0..2 {
        sales.ships_anyway("dispute").await;
    }
    let order = sales.order().await;
    let released = order["history"].as_array().unwrap().iter().filter(|entry| entry["kind"] == "hold_released");
    assert_eq!((released.count(), &order["hold"]), (1, &Value::Null));
    sales.admin.post(&sales.release_path(), &json!({ "hold": "weather" })).await.names(&["hold"]);
    let unknown = "/api/admin/order/nothing/ship-anyway";
    sales.admin.post(unknown, &json!({ "hold": "dispute" })).await.refuses(404, "NotFound");
    let ada = sales.shop.customer().await;
    ada.post(&sales.release_path(), &json!({ "hold": "dispute" })).await.refuses(403, "Forbidden");
}
