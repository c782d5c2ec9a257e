use serde_json::{Value, json};

use crate::harness::{ADMIN, Light, Person, TestShop, together};

async fn ledger(admin: &Person, light: &Light, query: &str) -> Value {
    admin.get(&format!("/api/admin/products/{}/stock?{query}", light.id)).await.gives(200)
}

async fn posts(admin: &Person, light: &Light, form: &str, body: Value) -> crate::harness::ApiResponse {
    admin.post(&format!("/api/admin/products/{}/stock/{form}", light.id), &body).await
}

fn movement(movement: &Value) -> (&str, i64, i64) {
    (movement["reason"].as_str().unwrap(), movement["change"].as_i64().unwrap(), movement["balance"].as_i64().unwrap())
}

// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_movement_is_listed_with_its_balance_latest_first() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.adds_light("Nova", 10).await;
    let order = ada.buys(&stripe, &light, 2).await;
    let received = posts(&admin, &light, "receive", json!({ "quantity": 5, "note": " Delivery 17 " })).await.gives(200);
    assert_eq!((&received["stock"], &received["version"]), (&json!(13), &json!(light.version + 1)));
    shop.sets_stock(&light, 12).await;
    posts(&admin, &light, "correct", json!({ "counted": 11, "was": 12, "reason": "One is broken" })).await.gives(200);
    posts(&admin, &light, "correct", json!({ "counted": 11, "reason": "Counted again" })).await.gives(200);
    let refund = json!({ "status": "refunded", "restock": true });
    admin.patch(&format!("/api/admin/order/{order}"), &refund).await.gives(200);

    let seen = ledger(&admin, &light, "limit=100").await;
    assert_eq!((&seen["product"]["stock"], &seen["total"]), (&json!(13), &json!(7)));
    let movements: Vec<_> = seen["movements"].as_array().unwrap().iter().map(movement).collect();
    assert_eq!(
        movements,
        [
            ("restocked", 2, 13),
            ("corrected", 0, 11),
            ("corrected", -1, 11),
            ("edited", -1, 12),
            ("received", 5, 13),
            ("sold", -2, 8),
            ("created", 10, 10),
        ]
    );
    let of = |index: usize| &seen["movements"][index];
    assert_eq!((&of(4)["note"], &of(4)["actor"]), (&json!("Delivery 17"), &json!(ADMIN)));
    assert_eq!(of(2)["note"], "One is broken");
    assert_eq!(of(5)["order"], json!({ "id": order, "number": 1001 }));
    assert!(of(3).get("note").is_none() && of(3).get("order").is_none());

    for page in 1..=4 {
        let part = ledger(&admin, &light, &format!("limit=2&page={page}")).await;
        assert_eq!(part["totalPages"], 4);
        let part: Vec<_> = part["movements"].as_array().unwrap().iter().map(movement).collect();
        assert_eq!(part, movements.chunks(2).nth(page - 1).unwrap());
    }
    shop.audit().await;
}

// invariant: lost-updates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_count_keeps_what_was_sold_since_it_was_begun_and_deliveries_at_once_all_count() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.adds_light("Nova", 10).await;
    ada.buys(&stripe, &light, 3).await;
    let counted = json!({ "counted": 9, "was": 10, "reason": "Inventory" });
    assert_eq!(posts(&admin, &light, "correct", counted).await.gives(200)["stock"], 6);
    let received = together(10, |_| {
        let (admin, light) = (admin.clone(), light.clone());
        async move { posts(&admin, &light, "receive", json!({ "quantity": 2 })).await }
    });
    for response in received.await {
        response.gives(200);
    }
    assert_eq!(ledger(&admin, &light, "").await["product"]["stock"], 26);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_movements_are_refused_by_their_field_and_change_nothing() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let light = shop.adds_light("Nova", 10).await;
    for quantity in [json!(0), json!(-1), json!(1_000_001), json!(999_991), json!(1.5), json!("5"), Value::Null] {
        posts(&admin, &light, "receive", json!({ "quantity": quantity })).await.names(&["quantity"]);
    }
    let long = "n".repeat(201);
    posts(&admin, &light, "receive", json!({ "quantity": 0, "note": long })).await.names(&["note", "quantity"]);
    for counted in [json!(-1), json!(1_000_001), json!("5")] {
        posts(&admin, &light, "correct", json!({ "counted": counted, "reason": "x" })).await.names(&["counted"]);
    }
    posts(&admin, &light, "correct", json!({ "counted": 1, "was": i64::MAX, "reason": "x" })).await.names(&["was"]);
    posts(&admin, &light, "correct", json!({ "counted": 0, "was": 11, "reason": "x" })).await.names(&["counted"]);
    for reason in ["", " ", "two\nlines", &long] {
        posts(&admin, &light, "correct", json!({ "counted": 1, "reason": reason })).await.names(&["reason"]);
    }
    assert_eq!(ledger(&admin, &light, "").await["total"], 1);
    for path in ["/api/admin/products/nothing/stock/receive", "/api/admin/products/nothing/stock/correct"] {
        let body = json!({ "quantity": 1, "counted": 1, "reason": "x" });
        admin.post(path, &body).await.refuses(404, "NotFound");
    }
    admin.get("/api/admin/products/nothing/stock").await.refuses(404, "NotFound");
    admin.get(&format!("/api/admin/products/{}/stock?page=x", light.id)).await.names(&["page"]);
    shop.audit().await;
}

// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_audit_finds_a_ledger_that_does_not_add_up_and_permits_a_correction_below_what_is_reserved() {
    let shop = TestShop::open().await;
    let (ada, admin) = (shop.customer().await, shop.admin().await);
    let light = shop.adds_light("Nova", 10).await;
    ada.starts_payment(&[(&light, 4)]).await;
    posts(&admin, &light, "correct", json!({ "counted": 3, "was": 10, "reason": "Water damage" })).await.gives(200);
    assert_eq!(ledger(&admin, &light, "").await["product"]["available"], 0);
    shop.audit().await;
    shop.tamper("DELETE FROM stock_ledger WHERE reason = 'corrected'").await;
    let audit = server::operations::audit::audit(&shop.inside().platform.db).await.unwrap();
    assert!(audit.findings.iter().any(|finding| finding.rule == "I2" && finding.message.contains("Nova")), "{audit:?}");
}
