//! Refunds that the customer's bank returns days later: everything says what was really returned, and the amount can be
//! refunded again.

use serde_json::{Value, json};

use super::refunding::cents;
use crate::harness::{ADMIN, ApiResponse, CUSTOMER, Light, Person, Stripe, TestShop, eventually, together};

const DAY: i64 = 86_400_000;

struct Sale {
    shop: TestShop,
    stripe: Stripe,
    admin: Person,
    buyer: Person,
    light: Light,
    id: String,
    intent_id: String,
}

impl Sale {
    /// A paid order of two lights: $49.98, $6.20 of shipping and $3.62 of California's tax, $59.80 together.
    async fn open() -> Self {
        let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
        let (stripe, admin, buyer) = (shop.stripe().await, shop.admin().await, shop.customer().await);
        let light = shop.light("Nudgelight One").await;
        let id = buyer.buys(&stripe, &light, 2).await;
        let intent_id = shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
        Self { shop, stripe, admin, buyer, light, id, intent_id }
    }

    /// Sessions expire while the clock advances.
    async fn logs_in_again(&mut self) {
        (self.admin, self.buyer) = (self.shop.admin().await, self.shop.customer().await);
    }

    async fn refund(&self, body: &Value) -> Value {
        self.admin.post(&format!("/api/admin/order/{}/refunds", self.id), body).await.gives(201)
    }

    /// One of the two lights, with its tax: $26.80. It returns to stock.
    async fn refund_one(&self) -> Value {
        let lines = json!([{ "product_id": self.light.id, "quantity": 1 }]);
        self.refund(&json!({ "lines": lines, "restock": true })).await
    }

    async fn list(&self) -> Value {
        self.admin.get(&format!("/api/admin/order/{}/refunds", self.id)).await.gives(200)
    }

    async fn order(&self) -> Value {
        self.admin.get(&format!("/api/admin/order/{}", self.id)).await.gives(200)
    }

    async fn settle(&self, refund: &Value, body: &Value) -> ApiResponse {
        self.admin.post(&format!("/api/admin/refunds/{}/settle", refund["id"].as_str().unwrap()), body).await
    }

    /// Ids of the refunds at the provider, newest first.
    async fn provider_ids(&self) -> Vec<String> {
        let path = format!("/v1/refunds?limit=100&payment_intent={}", self.intent_id);
        let list = self.stripe.as_shop("GET", &path, &[]).await.gives(200);
        list["data"].as_array().unwrap().iter().map(|refund| refund["id"].as_str().unwrap().to_owned()).collect()
    }

    async fn refund_at_the_provider(&self, amount: &str) -> String {
        let fields = [("payment_intent", self.intent_id.as_str()), ("amount", amount)];
        let made = self.stripe.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
        made["id"].as_str().unwrap().to_owned()
    }

    /// The bank returns the newest refund, and the shop learns of it.
    async fn newest_fails(&self) {
        let newest = self.provider_ids().await.remove(0);
        self.stripe.returns_refund(&newest).await;
        eventually("the failed refund", async || {
            let failed = "SELECT provider_id FROM refunds WHERE state = 'failed'";
            self.shop.texts(failed).await.contains(&newest).then_some(())
        })
        .await;
    }

    async fn refunded(&self) -> Value {
        self.order().await["payment"]["refunded"].clone()
    }

    async fn stock(&self) -> i64 {
        self.shop.light(&self.light.name).await.stock
    }

    async fn history(&self) -> Vec<String> {
        let order = self.order().await;
        let entries = order["history"].as_array().unwrap().iter();
        entries.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }

    async fn export(&self) -> String {
        self.admin.get("/api/admin/orders.csv").await.text
    }
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_the_bank_returned_is_not_refunded_anywhere_and_the_customer_is_told() {
    let sale = Sale::open().await;
    sale.refund_one().await;
    assert_eq!(sale.refunded().await, json!(26.8));
    sale.newest_fails().await;

    let order = sale.order().await;
    assert_eq!((&order["payment"]["status"], &order["payment"]["refunded"]), (&json!("paid"), &json!(0.0)));
    assert_eq!(order["alerts"][0]["kind"], "refund_failed");
    let own = sale.buyer.get(&format!("/api/orders/{}", sale.id)).await.gives(200);
    assert_eq!((&own["payment"]["status"], &own["payment"]["refunded"]), (&json!("paid"), &json!(0.0)));
    let customers = sale.admin.get("/api/admin/customers?q=customer").await.gives(200);
    let customer = &customers["customers"][0];
    assert_eq!((&customer["spent"], &customer["refunded"]), (&json!(59.8), &json!(0.0)), "{customers}");
    let list = sale.list().await;
    let failed = &list["refunds"][0];
    assert_eq!((&failed["state"], &failed["failure_reason"]), (&json!("failed"), &json!("expired_or_canceled_card")));
    assert!(failed["failed_at_local"].is_string(), "{failed}");
    assert_eq!((&list["left"]["amount"], &list["left"]["lines"][0]["quantity"]), (&json!(59.8), &json!(2)));
    let csv = sale.export().await;
    assert!(csv.contains("59.80") && !csv.contains("26.80"), "{csv}");
    let overview = sale.admin.get("/api/admin/overview").await.gives(200);
    assert_eq!(overview["today"], json!({ "orders": 1, "sales": 59.8 }), "{overview}");
    let refund_id = sale.provider_ids().await.remove(0);
    let event = format!("$26.80 was returned by the customer’s bank: expired or canceled card ({refund_id}).");
    assert!(sale.history().await.contains(&event), "{:?}", sale.history().await);
    let mail = sale.shop.mail_to(CUSTOMER, "The refund for your Nudgelight order 1001 failed").await;
    assert!(mail.text.contains("$26.80"), "{}", mail.text);
    sale.shop.mail_to("owner@example.com", "Alert: Order 1001").await;
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_fulfillment_status_of_an_order_whose_full_refund_failed_stays() {
    let sale = Sale::open().await;
    sale.admin.patch(&format!("/api/admin/order/{}", sale.id), &json!({ "status": "refunded" })).await.gives(200);
    sale.newest_fails().await;
    let order = sale.order().await;
    assert_eq!((&order["status"], &order["payment"]["status"]), (&json!("refunded"), &json!("paid")));
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_refund_is_refunded_again_once_however_often_the_button_is_pressed() {
    let sale = Sale::open().await;
    let first = sale.refund_one().await;
    sale.newest_fails().await;
    let stock = sale.stock().await;
    let responses = together(8, |_| {
        let (admin, path) =
            (sale.admin.clone(), format!("/api/admin/refunds/{}/settle", first["id"].as_str().unwrap()));
        async move { admin.post(&path, &json!({ "method": "refund" })).await }
    })
    .await;
    assert!(responses.iter().all(|response| matches!(response.status, 201 | 409 | 503)), "{responses:?}");
    let again = sale.settle(&first, &json!({ "method": "refund" })).await.gives(201);
    assert_eq!((&again["parts"], &again["lines"]), (&first["parts"], &first["lines"]));
    assert_eq!(sale.provider_ids().await.len(), 2);
    let list = sale.list().await;
    assert_eq!((&list["refunds"][0]["replaced_by"], &list["refunds"][1]["state"]), (&again["id"], &json!("done")));
    assert_eq!((sale.refunded().await, sale.stock().await), (json!(26.8), stock));
    assert_eq!(sale.order().await["alerts"], json!([]), "the alert is resolved");
    let mails = "SELECT COUNT(*) FROM outbox WHERE kind = 'refund'";
    assert_eq!(sale.shop.count(mails).await, 2, "the second refund has an email of its own");
    sale.shop.audit().await;

    // The replacement fails, too. The first refund is settled; the second one is not.
    sale.newest_fails().await;
    assert_eq!(sale.refunded().await, json!(0.0));
    sale.settle(&first, &json!({ "method": "refund" })).await.refuses(409, "EditConflict");
    sale.settle(&again, &json!({ "method": "refund" })).await.gives(201);
    assert_eq!((sale.refunded().await, sale.provider_ids().await.len()), (json!(26.8), 3));
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_refund_that_was_paid_another_way_counts_as_refunded_with_its_day_and_note() {
    let sale = Sale::open().await;
    let first = sale.refund_one().await;
    sale.newest_fails().await;
    let stock = sale.stock().await;
    let today = sale.order().await["order_date_local"].as_str().unwrap()[..10].to_owned();
    let body = json!({ "method": "outside", "paid_on": today, "note": " Check 1234 " });
    let paid = sale.settle(&first, &body).await.gives(201);
    assert_eq!(sale.settle(&first, &body).await.gives(201)["id"], paid["id"]);
    assert_eq!((&paid["paid_on"], &paid["note"]), (&json!(today), &json!("Check 1234")));
    assert_eq!((&paid["parts"], &paid["actor"]), (&first["parts"], &json!(ADMIN)));
    let order = sale.order().await;
    assert_eq!(order["payment"]["refunded"], json!(26.8));
    assert_eq!((&order["alerts"], sale.provider_ids().await.len(), sale.stock().await), (&json!([]), 1, stock));
    let day = wasm_core::orders::display_date(&today);
    let event = format!("$26.80 refunded outside the payment provider on {day}: Check 1234");
    let entry = order["history"].as_array().unwrap().iter().find(|entry| entry["message"] == event.as_str());
    assert_eq!(entry.unwrap()["actor"], ADMIN, "{order}");
    sale.shop.reconciles().await;
    assert_eq!(sale.refunded().await, json!(26.8), "the provider's total does not contradict it");
    sale.shop.audit().await;

    // What is left is the other light and the shipping.
    sale.admin.patch(&format!("/api/admin/order/{}", sale.id), &json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(cents(&sale.refunded().await), 5980);
    sale.shop.reconciles().await;
    assert_eq!(cents(&sale.refunded().await), 5980);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_settlement_that_makes_no_sense_is_refused_by_its_field_and_changes_nothing() {
    let sale = Sale::open().await;
    let first = sale.refund_one().await;
    sale.settle(&first, &json!({ "method": "refund" })).await.refuses(409, "EditConflict");
    sale.newest_fails().await;
    let today = sale.order().await["order_date_local"].as_str().unwrap()[..10].to_owned();
    let wrong = [
        (json!({}), "method"),
        (json!({ "method": "cash" }), "method"),
        (json!({ "method": "outside" }), "paid_on"),
        (json!({ "method": "outside", "paid_on": "soon" }), "paid_on"),
        (json!({ "method": "outside", "paid_on": "2999-01-01" }), "paid_on"),
        (json!({ "method": "outside", "paid_on": "2020-01-01" }), "paid_on"),
        (json!({ "method": "outside", "paid_on": today, "note": "x".repeat(2_001) }), "note"),
        (json!({ "method": "refund", "note": "Check" }), "note"),
    ];
    for (body, field) in wrong {
        sale.settle(&first, &body).await.names(&[field]);
    }
    sale.settle(&json!({ "id": "r0" }), &json!({ "method": "refund" })).await.refuses(404, "NotFound");
    assert_eq!((sale.provider_ids().await.len(), sale.refunded().await), (1, json!(0.0)));

    // The ordinary dialog refunds everything; then nothing of the failed refund is left.
    sale.refund(&json!({ "amount": 59.8 })).await;
    sale.settle(&first, &json!({ "method": "refund" })).await.refuses(409, "EditConflict");
    assert_eq!(sale.refunded().await, json!(59.8));
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failures_without_events_late_and_twice_are_found_and_counted_once() {
    let sale = Sale::open().await;
    sale.stripe.drops_webhooks().await;
    // Made and returned before the shop heard of it.
    let unheard = sale.refund_at_the_provider("1000").await;
    sale.stripe.returns_refund(&unheard).await;
    sale.refund_at_the_provider("1000").await;
    sale.shop.reconciles().await;
    assert_eq!(sale.refunded().await, json!(10.0));
    let list = sale.list().await;
    let states: Vec<&str> =
        list["refunds"].as_array().unwrap().iter().map(|refund| refund["state"].as_str().unwrap()).collect();
    assert_eq!(states.iter().filter(|state| **state == "failed").count(), 1, "{list}");
    let object = json!({ "id": unheard, "payment_intent": sale.intent_id });
    for number in 0..2 {
        let event = crate::harness::event(&format!("evt_late{number}"), "refund.failed", &object);
        sale.shop.receives(&event).await.gives(200);
    }
    sale.shop.settles(&sale.stripe).await;
    assert_eq!(sale.refunded().await, json!(10.0));
    let told = "SELECT COUNT(*) FROM outbox WHERE kind = 'refund_failed'";
    assert_eq!(sale.shop.count(told).await, 1);

    // An order that is refunded in full is compared as well.
    sale.stripe.drops_webhooks().await;
    sale.refund(&json!({ "amount": 49.8 })).await;
    sale.shop.reconciles().await;
    assert_eq!(sale.refunded().await, json!(59.8));
    let newest = sale.provider_ids().await.remove(0);
    sale.stripe.returns_refund(&newest).await;
    sale.shop.reconciles().await;
    assert_eq!(sale.refunded().await, json!(10.0));
    sale.shop.agrees_with(&sale.stripe).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_weeks_later_is_found_by_its_balance_transaction_even_without_an_event() {
    let mut sale = Sale::open().await;
    sale.refund_one().await;
    sale.shop.reconciles().await;
    sale.shop.syncs_payouts().await;
    sale.stripe.drops_webhooks().await;
    sale.shop.clock.advance(20 * DAY);
    sale.logs_in_again().await;
    sale.shop.reconciles().await;
    let newest = sale.provider_ids().await.remove(0);
    sale.stripe.returns_refund(&newest).await;
    sale.shop.reconciles().await;
    sale.shop.clock.advance(20 * 60_000);
    sale.shop.syncs_payouts().await;
    sale.logs_in_again().await;
    assert_eq!(sale.refunded().await, json!(0.0));
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tax_of_a_failed_refund_is_owed_again_in_the_period_of_the_failure_and_the_journal_agrees() {
    let mut sale = Sale::open().await;
    sale.refund_one().await;
    let month = sale.order().await["order_date_local"].as_str().unwrap()[..7].to_owned();
    sale.shop.clock.advance(40 * DAY);
    sale.logs_in_again().await;
    sale.newest_fails().await;
    let failed_day = sale.list().await["refunds"][0]["failed_at_local"].as_str().unwrap()[..10].to_owned();
    let failed_on = failed_day[..7].to_owned();
    assert_ne!(month, failed_on);
    let report = async |month: &str| {
        let path = format!("/api/admin/tax-report?from={month}&to={month}");
        sale.admin.get(&path).await.gives(200)["rows"][0].clone()
    };
    let (before, after) = (report(&month).await, report(&failed_on).await);
    assert_eq!((&before["collected"], &before["refunded"], &before["net"]), (&json!(3.62), &json!(1.81), &json!(1.81)));
    assert_eq!((&after["refunded"], &after["net"], &after["sales"]), (&json!(-1.81), &json!(1.81), &json!(24.99)));

    sale.shop.records_taxes().await;
    let records = "SELECT CAST(SUM(reversed) AS BIGINT) FROM tax_records WHERE state = 'done'";
    assert_eq!((sale.shop.count(records).await, sale.shop.count("SELECT COUNT(*) FROM tax_records").await), (0, 3));
    sale.shop.clock.advance(20 * 60_000);
    sale.shop.syncs_payouts().await;
    sale.logs_in_again().await;
    let journal = sale.admin.get(&format!("/api/admin/journal?from={failed_day}&to={failed_day}")).await.text;
    for line in ["Failed refund", "Liabilities:Sales tax:US-CA  $-1.81", "Income:Sales  $-24.99"] {
        assert!(journal.contains(line), "{line}: {journal}");
    }
    assert_eq!(sale.admin.get("/api/admin/payouts").await.gives(200)["unexplained"], json!([]));
    sale.shop.audit().await;
}

// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_audit_compares_refunds_with_the_providers_transactions_once_they_are_an_hour_old() {
    let mut sale = Sale::open().await;
    let first = sale.refund_one().await;
    sale.newest_fails().await;
    let breach = "UPDATE balance_transactions SET amount = amount - 1 WHERE category = 'refund' AND amount < 0";
    let finding = "I5: Order 1001 was refunded 0 cents at the provider, but the balance transactions have 1 cents.";
    sale.shop.syncs_payouts().await;
    assert_eq!(sale.shop.findings_after(breach).await, Vec::<String>::new(), "they may be listed late");
    sale.shop.clock.advance(2 * 3_600_000);
    sale.shop.syncs_payouts().await;
    assert_eq!(sale.shop.findings_after(breach).await, [finding]);
    sale.shop.audit().await;

    sale.logs_in_again().await;
    let today = sale.list().await["refunds"][0]["failed_at_local"].as_str().unwrap()[..10].to_owned();
    sale.settle(&first, &json!({ "method": "outside", "paid_on": today })).await.gives(201);
    assert_eq!(sale.shop.findings_after(breach).await, Vec::<String>::new(), "the provider has no such transaction");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_that_the_providers_list_does_not_show_is_recorded_with_the_amount_of_its_event() {
    let sale = Sale::open().await;
    let object = json!({
        "id": "re_unlisted",
        "payment_intent": sale.intent_id,
        "amount": 1000,
        "status": "failed",
        "failure_reason": "lost_or_stolen_card",
    });
    for number in 0..2 {
        let event = crate::harness::event(&format!("evt_unlisted{number}"), "refund.updated", &object);
        sale.shop.receives(&event).await.gives(200);
    }
    sale.shop.settles(&sale.stripe).await;
    let list = sale.list().await;
    let refund = &list["refunds"][0];
    assert_eq!((&refund["state"], &refund["parts"]["amount"]), (&json!("failed"), &json!(10.0)), "{list}");
    assert_eq!((&refund["failure_reason"], &list["left"]["amount"]), (&json!("lost_or_stolen_card"), &json!(59.8)));
    assert_eq!((sale.refunded().await, list["refunds"].as_array().unwrap().len()), (json!(0.0), 1));

    // An event about a refund of another order changes neither.
    let other = sale.buyer.buys(&sale.stripe, &sale.light, 1).await;
    let newest = "SELECT payment_intent_id FROM orders ORDER BY created_at DESC, id DESC LIMIT 1";
    let intent_id = sale.shop.texts(newest).await.remove(0);
    assert_ne!(intent_id, sale.intent_id);
    let object = json!({ "id": "re_unlisted", "payment_intent": intent_id, "amount": 1000 });
    sale.shop.receives(&crate::harness::event("evt_other", "refund.failed", &object)).await.gives(200);
    sale.shop.settles(&sale.stripe).await;
    assert_eq!(sale.list().await["refunds"].as_array().unwrap().len(), 1);
    assert_eq!(sale.admin.get(&format!("/api/admin/order/{other}")).await.gives(200)["alerts"], json!([]));
    sale.shop.audit().await;
}
