//! Tax records: each calculated sale and each refund is reported to Stripe Tax once, with retries, and never delays an
//! order.

use serde_json::{Value, json};

use crate::harness::{Light, Person, Stripe, TestShop};

const RECORD: &str = "/v1/tax/transactions";
const MINUTE: i64 = 60_000;

struct Sale {
    shop: TestShop,
    stripe: Stripe,
    buyer: Person,
    admin: Person,
    light: Light,
}

impl Sale {
    async fn open() -> Self {
        let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
        let (stripe, buyer, admin) = (shop.stripe().await, shop.customer().await, shop.admin().await);
        let light = shop.light("Nudgelight One").await;
        Self { shop, stripe, buyer, admin, light }
    }

    /// Buys two items: $59.80 in California, including $3.62 of tax.
    async fn buys(&self) -> String {
        self.buyer.buys(&self.stripe, &self.light, 2).await
    }

    /// Starts an outage of the provider's tax records.
    async fn start_outage(&self) {
        let down = json!({ "calls": [{ "path": RECORD, "times": 10_000, "action": { "fail": { "status": 500 } } }] });
        self.stripe.misbehaves(&down).await;
    }

    /// Records at the provider, sale first: reference, type and total including tax.
    async fn records(&self) -> Vec<(String, String, i64)> {
        let ids = "SELECT provider_id FROM tax_records WHERE state = 'done' ORDER BY reversed IS NOT NULL, reference";
        let mut found = Vec::new();
        for id in self.shop.texts(ids).await {
            let path = format!("{RECORD}/{id}?expand[]=line_items");
            let record = self.stripe.as_shop("GET", &path, &[]).await.gives(200);
            let word = |name: &str| record[name].as_str().unwrap().to_owned();
            found.push((word("reference"), word("type"), total_of(&record)));
        }
        found
    }

    /// Ids of the refunds, oldest first.
    async fn refunds(&self) -> Vec<String> {
        self.shop.texts("SELECT id FROM refunds ORDER BY created_at, id").await
    }

    /// Logs in each time, because sessions expire while the clock advances.
    async fn order(&self, id: &str) -> Value {
        self.shop.admin().await.get(&format!("/api/admin/order/{id}")).await.gives(200)
    }

    /// Runs all remaining retries, including the pauses between them.
    async fn run_remaining_retries(&self) {
        for _ in 0..12 {
            self.shop.clock.advance(150 * MINUTE);
            self.shop.records_taxes().await;
        }
    }
}

fn total_of(record: &Value) -> i64 {
    let lines = record["line_items"]["data"].as_array().unwrap().iter().chain([&record["shipping_cost"]]);
    lines.map(|line| line["amount"].as_i64().unwrap() + line["amount_tax"].as_i64().unwrap()).sum()
}

fn sale_of(order: &str) -> (String, String, i64) {
    (order.to_owned(), "transaction".to_owned(), 5980)
}

fn reversal_of(refund: &str, amount: i64) -> (String, String, i64) {
    (refund.to_owned(), "reversal".to_owned(), -amount)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_is_recorded_once_under_the_id_of_its_order() {
    let sale = Sale::open().await;
    let order = sale.buys().await;
    sale.shop.records_taxes().await;
    sale.shop.records_taxes().await;
    assert_eq!(sale.records().await, [sale_of(&order)]);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_takes_the_whole_sale_out_of_the_records() {
    let sale = Sale::open().await;
    let order = sale.buys().await;
    let path = format!("/api/admin/order/{order}");
    for _ in 0..2 {
        sale.admin.patch(&path, &json!({ "status": "refunded" })).await.gives(200);
    }
    sale.shop.records_taxes().await;
    let refunds = sale.refunds().await;
    assert_eq!(sale.records().await, [sale_of(&order), reversal_of(&refunds[0], 5980)]);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_from_the_dashboard_are_taken_out_to_the_cent_each_once() {
    let sale = Sale::open().await;
    let order = sale.buys().await;
    let intent = sale.shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
    for (number, (amount, refunded)) in [("1001", 1001), ("999", 2000)].into_iter().enumerate() {
        let fields = [("payment_intent", intent.as_str()), ("amount", amount)];
        sale.stripe.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
        crate::harness::eventually("the refund", async || {
            let known = sale.order(&order).await["payment"]["refunded"] == json!(f64::from(refunded) / 100.0);
            known.then_some(())
        })
        .await;
        // Duplicate event from the provider, with a new event ID.
        let object = sale.stripe.intent(&intent).await["latest_charge"].clone();
        let again = crate::harness::event(&format!("evt_hand{number}"), "charge.refunded", &object);
        sale.shop.receives(&again).await.gives(200);
    }
    sale.admin.patch(&format!("/api/admin/order/{order}"), &json!({ "status": "refunded" })).await.gives(200);
    sale.shop.records_taxes().await;
    let mut expected: Vec<_> =
        sale.refunds().await.iter().zip([1001, 999, 3980]).map(|(id, amount)| reversal_of(id, amount)).collect();
    expected.sort();
    expected.insert(0, sale_of(&order));
    assert_eq!(sale.records().await, expected);
    sale.shop.audit().await;
}

// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_does_not_wait_for_its_record_which_is_made_when_the_provider_is_back() {
    let mut sale = Sale::open().await;
    sale.start_outage().await;
    let order = sale.buys().await;
    sale.shop.records_taxes().await;
    sale.admin.patch(&format!("/api/admin/order/{order}"), &json!({ "status": "refunded" })).await.gives(200);
    sale.shop.restart().await;
    let (stripe, admin) = (sale.shop.stripe().await, sale.shop.admin().await);
    (sale.stripe, sale.admin) = (stripe, admin);
    assert_eq!(sale.records().await, []);
    assert_eq!(sale.order(&order).await["alerts"], json!([]));

    sale.stripe.behaves().await;
    sale.run_remaining_retries().await;
    let refunds = sale.refunds().await;
    assert_eq!(sale.records().await, [sale_of(&order), reversal_of(&refunds[0], 5980)]);
    sale.shop.audit().await;
}

// invariant: idempotency-keys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_whose_answer_was_lost_is_not_made_twice() {
    let sale = Sale::open().await;
    let lost = json!({ "calls": [{ "path": RECORD, "times": 2, "action": { "lose_answer": { "ms": 0 } } }] });
    sale.stripe.misbehaves(&lost).await;
    let order = sale.buys().await;
    sale.run_remaining_retries().await;
    assert_eq!(sale.records().await, [sale_of(&order)]);
    let kept = "SELECT COUNT(*) FROM mock_stripe_objects WHERE kind = 'tax_transaction'";
    assert_eq!(sale.shop.count(kept).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_that_never_succeeds_is_at_last_somebodys_to_look_at() {
    let sale = Sale::open().await;
    sale.start_outage().await;
    let order = sale.buys().await;
    sale.run_remaining_retries().await;
    let shown = sale.order(&order).await;
    assert_eq!((&shown["alerts"][0]["kind"], &shown["status"]), (&json!("tax_record_failed"), &json!("pending")));
    assert!(shown["alerts"][0]["message"].as_str().unwrap().contains("tax"), "{shown}");
    sale.shop.mail_to("owner@example.com", "Alert: Order").await;

    sale.stripe.behaves().await;
    sale.run_remaining_retries().await;
    assert_eq!(sale.records().await, [], "reporting is left to the administrator");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_table_of_rates_nobody_is_told() {
    let shop = TestShop::open_with(&[("SHOP_TAX", "table")]).await;
    let (buyer, stripe, one) = (shop.customer().await, shop.stripe().await, shop.light("Nudgelight One").await);
    let order = buyer.buys(&stripe, &one, 2).await;
    let admin = shop.admin().await;
    admin.patch(&format!("/api/admin/order/{order}"), &json!({ "status": "refunded" })).await.gives(200);
    shop.records_taxes().await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM tax_records").await, 0);
    shop.audit().await;
}
