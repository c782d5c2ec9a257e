use serde_json::{Value, json};

use crate::harness::{CUSTOMER, Light, Person, Stripe, TestShop, eventually, montreal, together};

struct Sale {
    shop: TestShop,
    stripe: Stripe,
    admin: Person,
    buyer: Person,
    light: Light,
    id: String,
    intent_id: String,
}

/// A paid order of two of the four items in stock: $109.90, plus $6.20 shipping and tax.
async fn sale() -> Sale {
    let shop = TestShop::open().await;
    let (stripe, admin, buyer) = (shop.stripe().await, shop.admin().await, shop.customer().await);
    let light = shop.light("Nudgelight Halo").await;
    let id = buyer.buys(&stripe, &light, 2).await;
    let intent_id = shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
    Sale { shop, stripe, admin, buyer, light, id, intent_id }
}

impl Sale {
    async fn edits(&self, body: &Value) -> crate::harness::ApiResponse {
        self.admin.patch(&format!("/api/admin/order/{}", self.id), body).await
    }

    async fn order(&self) -> Value {
        self.admin.get(&format!("/api/admin/order/{}", self.id)).await.gives(200)
    }

    /// The number of refunds at the provider, and their sum in cents.
    async fn refunds(&self) -> (usize, i64) {
        let path = format!("/v1/refunds?payment_intent={}", self.intent_id);
        let list = self.stripe.as_shop("GET", &path, &[]).await.gives(200);
        let refunds = list["data"].as_array().unwrap();
        (refunds.len(), refunds.iter().filter_map(|refund| refund["amount"].as_i64()).sum())
    }

    async fn stock(&self) -> i64 {
        self.shop.light(&self.light.name).await.stock
    }
}

pub fn cents(amount: &Value) -> i64 {
    // JSON amounts have at most two decimals, so the digits without the point are the cents.
    let text = amount.to_string();
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{decimals:0<2}").parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_gives_all_the_money_back_and_leaves_the_stock_alone() {
    let sale = sale().await;
    let order = sale.edits(&json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(order["status"], "refunded");
    let card = json!({ "brand": "visa", "last4": "4242" });
    let payment = json!({ "status": "refunded", "refunded": order["total"], "dispute": "none", "card": card });
    assert_eq!(order["payment"], payment);
    assert_eq!(sale.refunds().await, (1, cents(&order["total"])));
    assert_eq!(sale.stock().await, 2);
    let mail = sale.shop.mail_to(CUSTOMER, "Refund for").await;
    assert!(mail.text.contains("$"), "{}", mail.text);
    let own = sale.buyer.get(&format!("/api/orders/{}", sale.id)).await.gives(200);
    assert_eq!(own["status"], "refunded");
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_with_restock_puts_the_goods_back_once() {
    let sale = sale().await;
    let body = json!({ "status": "refunded", "restock": true });
    for _ in 0..3 {
        sale.edits(&body).await.gives(200);
    }
    assert_eq!((sale.refunds().await.0, sale.stock().await), (1, 4));
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goods_that_were_put_back_are_not_put_back_again() {
    let sale = sale().await;
    let body = json!({ "status": "refunded", "restock": true });
    sale.edits(&body).await.gives(200);
    sale.edits(&json!({ "status": "processing" })).await.gives(200);
    let order = sale.edits(&body).await.gives(200);
    assert_eq!((sale.refunds().await.0, sale.stock().await), (1, 4));
    let history = order["history"].as_array().unwrap();
    assert_eq!(history.iter().filter(|entry| entry["message"] == "Items restocked").count(), 1);
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goods_that_a_full_stock_has_no_room_for_are_not_said_to_be_put_back() {
    let sale = sale().await;
    sale.shop.sets_stock(&sale.light, 999_999).await;
    let order = sale.edits(&json!({ "status": "refunded", "restock": true })).await.gives(200);
    assert_eq!((order["status"].as_str(), sale.stock().await), (Some("refunded"), 999_999));
    let history: Vec<_> = order["history"].as_array().unwrap().iter().map(|entry| entry["message"].clone()).collect();
    assert!(!history.contains(&json!("Items restocked")), "{history:?}");
    assert!(history.contains(&json!("Not restocked (stock limit reached): Nudgelight Halo")), "{history:?}");
    sale.shop.audit().await;

    // Below the stock limit, the next refund restocks the items.
    sale.shop.sets_stock(&sale.light, 7).await;
    sale.edits(&json!({ "status": "processing" })).await.gives(200);
    sale.edits(&json!({ "status": "refunded", "restock": true })).await.gives(200);
    assert_eq!(sale.stock().await, 9);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_refunds_at_once_are_one_refund() {
    let sale = sale().await;
    let responses = together(20, |_| {
        let (admin, path) = (sale.admin.clone(), format!("/api/admin/order/{}", sale.id));
        async move { admin.patch(&path, &json!({ "status": "refunded", "restock": true })).await }
    })
    .await;
    // Concurrent requests may get 503 while the provider processes the first one.
    for response in responses.iter().filter(|response| response.status != 200) {
        response.refuses(503, "PaymentProviderUnavailable");
    }
    assert!(responses.iter().any(|response| response.status == 200), "{responses:?}");
    let order = sale.order().await;
    assert_eq!(order["status"], "refunded");
    assert_eq!(sale.refunds().await, (1, cents(&order["total"])));
    assert_eq!(sale.stock().await, 4);
    let history: Vec<&str> =
        order["history"].as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap()).collect();
    let said = |words: &str| history.iter().filter(|what| what.contains(words)).count();
    // The webhook event may record the amount before the response does.
    assert_eq!((said("to refunded"), said("$"), said("restocked")), (1, 1, 1), "{history:?}");
    sale.shop.mail_to(CUSTOMER, "Refund for").await;
    let mails = sale.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'refund'").await;
    assert_eq!(mails, 1);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leaving_refunded_changes_the_word_and_not_the_money() {
    let sale = sale().await;
    sale.edits(&json!({ "status": "refunded" })).await.gives(200);
    let order = sale.edits(&json!({ "status": "processing" })).await.gives(200);
    assert_eq!((order["status"].as_str(), order["payment"]["status"].as_str()), (Some("processing"), Some("refunded")));
    sale.edits(&json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(sale.refunds().await.0, 1);
}

// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_fails_changes_nothing_of_the_order() {
    let sale = sale().await;
    let before = sale.order().await;
    let down = json!({ "calls": [{ "method": "POST", "path": "/v1/refunds", "times": 100, "action": { "fail": { "status": 500 } } }] });
    sale.stripe.misbehaves(&down).await;
    let body = json!({ "status": "refunded", "tracking_number": "T1", "restock": true });
    sale.edits(&body).await.refuses(503, "PaymentProviderUnavailable");
    assert_eq!(sale.order().await, before);
    assert_eq!((sale.refunds().await.0, sale.stock().await), (0, 2));
    sale.stripe.behaves().await;
    sale.edits(&body).await.gives(200);
    assert_eq!((sale.refunds().await.0, sale.stock().await), (1, 4));
    sale.shop.audit().await;
}

// invariant: idempotency-keys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_whose_answer_was_lost_is_not_made_twice() {
    let sale = sale().await;
    let lost = json!({ "calls": [{ "method": "POST", "path": "/v1/refunds", "times": 2, "action": { "lose_answer": { "ms": 0 } } }] });
    sale.stripe.misbehaves(&lost).await;
    let first = sale.edits(&json!({ "status": "refunded" })).await;
    assert!(matches!(first.status, 200 | 503), "{first}");
    let order = sale.edits(&json!({ "status": "refunded" })).await.gives(200);
    assert_eq!((sale.refunds().await, order["status"].as_str()), ((1, cents(&order["total"])), Some("refunded")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stale_edit_refunds_nothing() {
    let sale = sale().await;
    let version = sale.order().await["version"].clone();
    sale.edits(&json!({ "tracking_number": "T1" })).await.gives(200);
    sale.edits(&json!({ "status": "refunded", "version": version })).await.refuses(409, "EditConflict");
    assert_eq!(sale.refunds().await.0, 0);
    let wrong = json!({ "status": "refunded", "tracking_number": "x".repeat(65) });
    sale.edits(&wrong).await.names(&["tracking_number"]);
    assert_eq!(sale.refunds().await.0, 0);
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_an_edit_that_went_stale_while_its_refund_was_made_the_money_and_the_status_count_alone() {
    let sale = sale().await;
    let before = sale.order().await;
    let slow = json!({ "calls": [{ "method": "POST", "path": "/v1/refunds", "times": 1, "action": { "hang": { "ms": 3000 } } }] });
    sale.stripe.misbehaves(&slow).await;
    let mut edit = json!({
        "status": "refunded", "restock": true, "tracking_number": "STALE", "address": montreal(),
        "version": before["version"],
    });
    let (admin, path, stale) = (sale.admin.clone(), format!("/api/admin/order/{}", sale.id), edit.clone());
    let refund = tokio::spawn(async move { admin.patch(&path, &stale).await });
    eventually("the pending refund", async || {
        (sale.shop.count("SELECT COUNT(*) FROM refunds").await == 1).then_some(())
    })
    .await;
    sale.edits(&json!({ "tracking_number": "T1" })).await.gives(200);

    let current = refund.await.unwrap().refuses(409, "EditConflict")["details"]["current"].clone();
    assert_eq!(current, sale.order().await);
    assert_eq!((&current["status"], &current["payment"]["refunded"]), (&json!("refunded"), &before["total"]));
    assert_eq!((&current["tracking_number"], &current["address"]), (&json!("T1"), &before["address"]));
    assert_eq!((sale.refunds().await, sale.stock().await), ((1, cents(&before["total"])), 2));
    sale.shop.mail_to(CUSTOMER, "Refund for").await;
    sale.shop.audit().await;

    // Overwriting on purpose works: an edit with the current version is accepted.
    edit["version"] = current["version"].clone();
    let order = sale.edits(&edit).await.gives(200);
    assert_eq!(order["tracking_number"], "STALE");
    assert_eq!((sale.refunds().await.0, sale.stock().await), (1, 4));
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_made_at_the_provider_show_on_the_order_to_the_cent() {
    let sale = sale().await;
    let total = cents(&sale.order().await["total"]);
    let shown = async |status: &str| {
        eventually(&format!("an order that is {status}"), async || {
            let order = sale.order().await;
            (order["payment"]["status"] == status).then_some(order)
        })
        .await
    };
    let refund = async |amount: &str| {
        let fields = [("payment_intent", sale.intent_id.as_str()), ("amount", amount)];
        sale.stripe.as_shop("POST", "/v1/refunds", &fields).await
    };
    refund("1001").await.gives(200);
    let order = shown("partially_refunded").await;
    assert_eq!((cents(&order["payment"]["refunded"]), order["status"].as_str()), (1001, Some("pending")));

    // An administrator's refund covers the remaining amount.
    let order = sale.edits(&json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(cents(&order["payment"]["refunded"]), total);
    assert_eq!(sale.refunds().await, (2, total));
    shown("refunded").await;
    assert_eq!(refund("1").await.status, 400, "nothing is left to refund");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_refund_made_at_the_provider_is_shown_and_mailed() {
    let sale = sale().await;
    sale.stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &sale.intent_id)]).await.gives(200);
    let order = eventually("the refund", async || {
        let order = sale.order().await;
        (order["payment"]["status"] == "refunded").then_some(order)
    })
    .await;
    assert_eq!(order["payment"]["refunded"], order["total"]);
    sale.shop.mail_to(CUSTOMER, "Refund for").await;
    sale.edits(&json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(sale.refunds().await.0, 1);
}
