//! Refunds in parts: items, shipping and amounts add up to what was paid, whoever makes them and whatever fails.

use serde_json::{Value, json};

use super::refunding::cents;
use crate::harness::{ApiResponse, CUSTOMER, Light, Person, Stripe, TestShop, eventually, montreal, together};

struct Sale {
    shop: TestShop,
    stripe: Stripe,
    admin: Person,
    light: Light,
    id: String,
    intent_id: String,
}

impl Sale {
    /// A paid order of two lights: $49.98, $6.20 of shipping and $3.62 of California's tax, $59.80 together.
    async fn open() -> Self {
        let shop = TestShop::open().await;
        let (stripe, admin, buyer) = (shop.stripe().await, shop.admin().await, shop.customer().await);
        let light = shop.light("Nudgelight One").await;
        let id = buyer.buys(&stripe, &light, 2).await;
        let intent_id = shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
        Self { shop, stripe, admin, light, id, intent_id }
    }

    fn path(&self) -> String {
        format!("/api/admin/order/{}/refunds", self.id)
    }

    fn items(&self, quantity: i64) -> Value {
        json!({ "lines": [{ "product_id": self.light.id, "quantity": quantity }] })
    }

    async fn refunds(&self, body: &Value) -> ApiResponse {
        self.admin.post(&self.path(), body).await
    }

    async fn list(&self) -> Value {
        self.admin.get(&self.path()).await.gives(200)
    }

    /// Amount, subtotal, shipping and tax of each refund, in cents.
    async fn parts(&self) -> Vec<[i64; 4]> {
        let list = self.list().await;
        let parts =
            |refund: &Value| ["amount", "subtotal", "shipping", "tax"].map(|name| cents(&refund["parts"][name]));
        list["refunds"].as_array().unwrap().iter().map(parts).collect()
    }

    async fn order(&self) -> Value {
        self.admin.get(&format!("/api/admin/order/{}", self.id)).await.gives(200)
    }

    /// Amounts of the refunds at the provider, oldest first.
    async fn provider_refunds(&self) -> Vec<i64> {
        let path = format!("/v1/refunds?limit=100&payment_intent={}", self.intent_id);
        let list = self.stripe.as_shop("GET", &path, &[]).await.gives(200);
        list["data"].as_array().unwrap().iter().rev().map(|refund| refund["amount"].as_i64().unwrap()).collect()
    }

    async fn refunds_at_the_provider(&self, amount: &str) {
        let fields = [("payment_intent", self.intent_id.as_str()), ("amount", amount)];
        self.stripe.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
    }

    async fn faults(&self, times: u32, action: &Value) {
        let calls = json!([{ "method": "POST", "path": "/v1/refunds", "times": times, "action": action }]);
        self.stripe.misbehaves(&json!({ "calls": calls, "webhooks": { "drop_percent": 100 } })).await;
    }

    async fn stock(&self) -> i64 {
        self.shop.light(&self.light.name).await.stock
    }
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn items_and_shipping_go_back_in_parts_that_add_up_to_what_was_paid() {
    let sale = Sale::open().await;
    let mut one = sale.items(1);
    one["restock"] = json!(true);
    let preview = sale.admin.post(&format!("{}/preview", sale.path()), &one).await.gives(200);
    let made = sale.refunds(&one).await.gives(201);
    assert_eq!(made["parts"], preview);
    assert_eq!(made["parts"]["tax_breakdown"][0]["amount"], 181);
    assert_eq!(made["lines"][0]["product_name"], "Nudgelight One");
    let order = sale.order().await;
    assert_eq!(
        (&order["status"], &order["payment"]["status"], &order["payment"]["refunded"]),
        (&json!("pending"), &json!("partially_refunded"), &json!(26.8))
    );
    // California does not tax shipping.
    sale.refunds(&json!({ "shipping": true })).await.gives(201);
    sale.refunds(&sale.items(1)).await.gives(201);

    assert_eq!(sale.parts().await, [[2680, 2499, 0, 181], [620, 0, 620, 0], [2680, 2499, 0, 181]]);
    assert_eq!(sale.provider_refunds().await, [2680, 620, 2680]);
    let order = sale.order().await;
    assert_eq!((&order["status"], &order["payment"]["status"]), (&json!("refunded"), &json!("refunded")));
    let history: Vec<&str> =
        order["history"].as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap()).collect();
    for message in [
        "$26.80 refunded for 1 × Nudgelight One",
        "Items restocked: 1 × Nudgelight One",
        "$6.20 refunded",
        "Status changed from pending to refunded",
    ] {
        assert!(history.contains(&message), "{message}: {history:?}");
    }
    assert_eq!(sale.stock().await, sale.light.stock - 1, "one of two was restocked");
    assert_eq!(sale.list().await["left"]["amount"], 0.0);
    sale.shop.mail_to(CUSTOMER, "Refund for").await;
    assert_eq!(sale.shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'refund'").await, 3);
    sale.shop.records_taxes().await;
    let reversed = "SELECT CAST(SUM(reversed) AS BIGINT) FROM tax_records WHERE state = 'done'";
    assert_eq!(sale.shop.count(reversed).await, 5980);
    sale.shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_amount_takes_its_share_of_every_tax_and_the_rest_is_exact() {
    let shop = TestShop::open_with(&[("SHOP_TAX", "table")]).await;
    let (stripe, admin, buyer) = (shop.stripe().await, shop.admin().await, shop.customer().await);
    let light = shop.light("Nudgelight One").await;
    let mut cart = Person::cart(&[(&light, 2)]);
    cart["shippingAddress"] = montreal();
    let intent = crate::harness::Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, "pm_card_visa").await;
    let order = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    let path = format!("/api/admin/order/{order}/refunds");
    // $49.98, $14.45 of shipping, $3.22 of GST and $6.43 of QST.
    let made = admin.post(&path, &json!({ "amount": 10.01 })).await.gives(201);
    let taxes = |refund: &Value| -> Vec<i64> {
        let breakdown = refund["parts"]["tax_breakdown"].as_array().unwrap();
        breakdown.iter().map(|tax| tax["amount"].as_i64().unwrap()).collect()
    };
    assert_eq!((cents(&made["parts"]["amount"]), taxes(&made)), (1001, vec![44, 87]));
    let rest =
        admin.post(&path, &json!({ "lines": [{ "product_id": light.id, "quantity": 2 }], "shipping": true })).await;
    let rest = rest.gives(201);
    assert_eq!((cents(&rest["parts"]["amount"]), taxes(&rest)), (7408 - 1001, vec![322 - 44, 643 - 87]));
    assert_eq!(admin.get(&path).await.gives(200)["left"]["amount"], 0.0);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_refunded_is_refused_by_its_field() {
    let sale = Sale::open().await;
    sale.refunds(&sale.items(1)).await.gives(201);
    let id = &sale.light.id;
    let line = |quantity: Value| json!({ "lines": [{ "product_id": id, "quantity": quantity }] });
    let wrong = [
        (json!({}), "lines"),
        (line(json!(2)), "lines[0].quantity"),
        (line(json!(0)), "lines[0].quantity"),
        (line(json!(-1)), "lines[0].quantity"),
        (line(json!(i64::MAX)), "lines[0].quantity"),
        (line(json!(1.5)), "lines[0].quantity"),
        (
            json!({ "lines": [{ "product_id": id, "quantity": 1 }, { "product_id": id, "quantity": 1 }] }),
            "lines[1].quantity",
        ),
        (json!({ "lines": [{ "product_id": "p0", "quantity": 1 }] }), "lines[0].product_id"),
        (json!({ "lines": [{ "quantity": 1 }] }), "lines[0].product_id"),
        (json!({ "lines": vec![json!({ "product_id": id, "quantity": 1 }); 51] }), "lines"),
        (json!({ "amount": 33.01 }), "amount"),
        (json!({ "amount": 0 }), "amount"),
        (json!({ "amount": -5 }), "amount"),
        (json!({ "amount": 1.234 }), "amount"),
        (json!({ "amount": "5" }), "amount"),
        (json!({ "amount": 5, "shipping": true }), "amount"),
        (json!({ "amount": 5, "restock": true }), "restock"),
        (json!({ "shipping": "yes" }), "shipping"),
        (json!({ "shipping": true, "refunded": "0" }), "refunded"),
    ];
    for (body, field) in wrong {
        sale.refunds(&body).await.names(&[field]);
        sale.admin.post(&format!("{}/preview", sale.path()), &body).await.names(&[field]);
    }
    sale.refunds(&json!({ "shipping": true })).await.gives(201);
    sale.refunds(&json!({ "shipping": true })).await.names(&["shipping"]);
    sale.refunds(&json!({ "amount": 26.8 })).await.gives(201);
    sale.refunds(&json!({ "amount": 0.01 })).await.names(&["amount"]);
    sale.refunds(&sale.items(1)).await.names(&["lines"]);
    assert_eq!(sale.provider_refunds().await, [2680, 620, 2680]);
    sale.admin.post("/api/admin/order/o0/refunds", &json!({ "amount": 1 })).await.refuses(404, "NotFound");
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_refund_by_many_at_once_is_made_once() {
    let sale = Sale::open().await;
    let mut body = sale.items(1);
    body["refunded"] = json!(0);
    body["restock"] = json!(true);
    let responses = together(12, |_| {
        let (admin, path, body) = (sale.admin.clone(), sale.path(), body.clone());
        async move { admin.post(&path, &body).await }
    })
    .await;
    for response in &responses {
        assert!(matches!(response.status, 201 | 409 | 503), "{response}");
    }
    assert!(responses.iter().any(|response| response.status == 201), "{responses:?}");
    sale.refunds(&body).await.refuses(409, "EditConflict");
    assert_eq!((sale.provider_refunds().await, sale.parts().await.len()), (vec![2680], 1));
    assert_eq!(sale.stock().await, sale.light.stock - 1);
    sale.shop.audit().await;
}

// invariant: idempotency-keys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_whose_response_was_lost_is_recorded_with_its_items_and_not_made_again() {
    let sale = Sale::open().await;
    sale.faults(2, &json!({ "lose_answer": { "ms": 0 } })).await;
    let mut body = sale.items(1);
    body["refunded"] = json!(0);
    body["restock"] = json!(true);
    sale.refunds(&body).await.refuses(503, "PaymentProviderUnavailable");
    assert_eq!(sale.parts().await.len(), 0);
    let conflict = sale.refunds(&body).await.refuses(409, "EditConflict");
    assert_eq!(conflict["details"]["current"]["payment"]["refunded"], json!(26.8));
    let list = sale.list().await;
    assert_eq!(list["refunds"][0]["lines"][0]["quantity"], 1);
    assert_eq!(list["refunds"][0]["actor"], "admin@nudgelight.example");
    assert_eq!((sale.provider_refunds().await, sale.stock().await), (vec![2680], sale.light.stock - 1));
    sale.shop.audit().await;
}

// invariant: crash-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_whose_process_died_is_found_with_its_items() {
    let sale = Sale::open().await;
    sale.faults(2, &json!({ "lose_answer": { "ms": 0 } })).await;
    sale.refunds(&json!({ "lines": sale.items(2)["lines"], "shipping": true, "restock": true })).await.refusal();
    sale.stripe.behaves().await;
    sale.shop.reconciles().await;
    let order = sale.order().await;
    assert_eq!((&order["status"], &order["payment"]["refunded"]), (&json!("refunded"), &json!(59.8)));
    assert_eq!((sale.stock().await, sale.parts().await), (sale.light.stock, vec![[5980, 4998, 620, 362]]));
    sale.shop.audit().await;
}

// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_refund_waits_until_it_is_known_that_an_unconfirmed_one_was_not_made() {
    let sale = Sale::open().await;
    sale.faults(100, &json!({ "fail": { "status": 500 } })).await;
    sale.refunds(&sale.items(1)).await.refuses(503, "PaymentProviderUnavailable");
    sale.stripe.behaves().await;
    sale.refunds(&json!({ "amount": 5 })).await.refuses(409, "EditConflict");
    // The same one joins it.
    sale.refunds(&sale.items(1)).await.gives(201);
    assert_eq!(sale.provider_refunds().await, [2680]);

    sale.faults(100, &json!({ "fail": { "status": 500 } })).await;
    sale.refunds(&sale.items(1)).await.refuses(503, "PaymentProviderUnavailable");
    sale.stripe.behaves().await;
    sale.shop.clock.advance(31_000);
    sale.refunds(&json!({ "amount": 5 })).await.gives(201);
    assert_eq!(sale.provider_refunds().await, [2680, 500]);
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_from_the_dashboard_between_two_of_the_shop_are_counted_and_the_last_one_makes_it_exact() {
    let sale = Sale::open().await;
    sale.stripe.drops_webhooks().await;
    sale.refunds(&sale.items(1)).await.gives(201);
    sale.refunds_at_the_provider("1000").await;
    // The shop hears of it before it makes the next refund.
    let made = sale.refunds(&json!({ "lines": sale.items(1)["lines"], "shipping": true })).await.gives(201);
    assert_eq!(cents(&made["parts"]["amount"]), 5980 - 2680 - 1000);
    let list = sale.list().await;
    let actors: Vec<&str> =
        list["refunds"].as_array().unwrap().iter().map(|refund| refund["actor"].as_str().unwrap()).collect();
    assert_eq!(actors, ["admin@nudgelight.example", "shop", "admin@nudgelight.example"]);
    assert_eq!(sale.provider_refunds().await.iter().sum::<i64>(), 5980);
    assert_eq!(sale.order().await["status"], "refunded");
    sale.shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_the_dashboard_overtook_fits_what_is_left() {
    let sale = Sale::open().await;
    sale.faults(1, &json!({ "hang": { "ms": 1200 } })).await;
    let (admin, path, body) = (sale.admin.clone(), sale.path(), sale.items(1));
    let slow = tokio::spawn(async move { admin.post(&path, &body).await });
    eventually("the request to be paused", async || {
        (sale.shop.count("SELECT COUNT(*) FROM mock_stripe_faults WHERE remaining > 0").await == 0).then_some(())
    })
    .await;
    sale.refunds_at_the_provider("3300").await;
    sale.shop.reconciles().await;
    slow.await.unwrap().gives(201);
    assert_eq!(sale.parts().await.iter().map(|parts| parts[0]).sum::<i64>(), 5980);
    assert_eq!(sale.provider_refunds().await.iter().sum::<i64>(), 5980);
    sale.shop.audit().await;
}
