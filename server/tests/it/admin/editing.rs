use serde_json::{Value, json};

use crate::harness::{ADMIN, CUSTOMER, Person, TestShop, california, eventually, montreal, never};

struct Fixture {
    shop: TestShop,
    admin: Person,
    path: String,
}

/// An administrator and one paid order of one item.
async fn fixture() -> Fixture {
    let shop = TestShop::open().await;
    let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let one = shop.light("Nudgelight One").await;
    let id = buyer.buys(&stripe, &one, 1).await;
    shop.mail_to(CUSTOMER, "order 1001").await;
    Fixture { shop, admin, path: format!("/api/admin/order/{id}") }
}

impl Fixture {
    async fn order(&self) -> Value {
        self.admin.get(&self.path).await.gives(200)
    }

    async fn edits(&self, body: &Value) -> Value {
        self.admin.patch(&self.path, body).await.gives(200)
    }

    async fn history(&self) -> Vec<String> {
        let order = self.order().await;
        order["history"].as_array().unwrap().iter().map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }
}

// spec: user_email (admin view)
// spec: GET /api/admin/order/{id} (auth) | none | order
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_sees_whose_order_it_is_and_what_was_done_to_it() {
    let fixture = fixture().await;
    let order = fixture.order().await;
    assert_eq!(order["user_email"], CUSTOMER);
    assert!(order["version"].is_i64());
    let placed = &order["history"][0];
    assert!(
        placed["created_at"].is_string() && placed["actor"].is_string() && placed["message"].is_string(),
        "{order}"
    );
    fixture.edits(&json!({ "status": "processing" })).await;
    let order = fixture.order().await;
    assert_eq!(order["history"][2]["actor"], ADMIN);
    fixture.admin.get("/api/admin/order/nothing").await.refuses(404, "NotFound");
    fixture.admin.patch("/api/admin/order/nothing", &json!({ "status": "shipped" })).await.refuses(404, "NotFound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sent_order_has_its_tracking_number_and_its_customer_a_mail() {
    let fixture = fixture().await;
    let order = fixture.edits(&json!({ "status": "shipped", "tracking_number": " 1Z999AA10123456784 " })).await;
    assert_eq!(
        (order["status"].as_str(), order["tracking_number"].as_str()),
        (Some("shipped"), Some("1Z999AA10123456784"))
    );
    let mail = fixture.shop.mail_to(CUSTOMER, "has shipped").await;
    assert!(mail.text.contains("1Z999AA10123456784") && mail.text.contains("ups.com"), "{}", mail.text);
    // Saving the same status again sends no email.
    fixture.edits(&json!({ "status": "shipped" })).await;
    fixture.edits(&json!({ "status": "delivered" })).await;
    never("a third email", async || fixture.shop.mails_to(CUSTOMER).get(2).cloned()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_customer_who_is_not_to_be_notified_of_a_shipment_gets_no_mail() {
    let fixture = fixture().await;
    for wrong in [json!("no"), json!(0), Value::Null] {
        let body = json!({ "status": "shipped", "notify_customer": wrong });
        fixture.admin.patch(&fixture.path, &body).await.names(&["notify_customer"]);
    }
    let order = fixture.edits(&json!({ "status": "shipped", "tracking_number": "T1", "notify_customer": false })).await;
    assert_eq!((order["status"].as_str(), order["tracking_number"].as_str()), (Some("shipped"), Some("T1")));
    never("a second email", async || fixture.shop.mails_to(CUSTOMER).get(1).cloned()).await;
    assert!(fixture.history().await.iter().all(|entry| !entry.contains("has shipped")));
    // The choice is for one shipment.
    fixture.edits(&json!({ "status": "processing" })).await;
    fixture.edits(&json!({ "status": "shipped", "notify_customer": true })).await;
    fixture.shop.mail_to(CUSTOMER, "has shipped").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tracking_number_that_comes_after_the_shipment_is_emailed_once() {
    let fixture = fixture().await;
    fixture.edits(&json!({ "status": "shipped" })).await;
    fixture.shop.mail_to(CUSTOMER, "has shipped").await;
    let number = json!({ "tracking_number": "1Z999AA10123456784" });
    fixture.edits(&number).await;
    let second = eventually("a second email", async || fixture.shop.mails_to(CUSTOMER).get(2).cloned()).await;
    assert!(second.text.contains("1Z999AA10123456784"), "{}", second.text);
    fixture.edits(&json!({ "tracking_number": "" })).await;
    fixture.edits(&number).await;
    never("a third email", async || fixture.shop.mails_to(CUSTOMER).get(3).cloned()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_doubtful_tracking_number_is_rejected_where_the_edit_asks_for_it() {
    let fixture = fixture().await;
    let (shop, stripe) = (&fixture.shop, fixture.shop.stripe().await);
    let one = shop.light("Nudgelight One").await;
    let other = shop.customer().await.buys(&stripe, &one, 1).await;
    fixture
        .admin
        .patch(&format!("/api/admin/order/{other}"), &json!({ "tracking_number": "1Z 999AA 101234 56784" }))
        .await;
    for (number, message) in [
        ("1z999aa10123456784", "Order 1002 has the same tracking number. Compare it with the label."),
        ("1Z999AA10123456785", "This number has a mistyped or missing digit. Compare it with the label."),
        ("9.40011E+21", "A spreadsheet seems to have rounded this number. Compare it with the label."),
    ] {
        let edit = json!({ "status": "shipped", "tracking_number": number, "check_tracking_number": true });
        let rejected = fixture.admin.patch(&fixture.path, &edit).await.names(&["tracking_number"]);
        assert_eq!(rejected["fields"]["tracking_number"], message);
        assert_eq!(fixture.order().await["status"], "pending");
        // As the specification has it, any number may be saved.
        assert_eq!(fixture.edits(&json!({ "tracking_number": number })).await["tracking_number"], number);
        // What the edit leaves as it is isn't checked.
        fixture.edits(&json!({ "tracking_number": number, "check_tracking_number": true })).await;
        fixture.edits(&json!({ "tracking_number": "" })).await;
    }
    for number in ["9405 8036 9930 0124 2878 99", "by pigeon 7"] {
        fixture.edits(&json!({ "tracking_number": number, "check_tracking_number": true })).await;
    }
}

// spec: Order statuses an admin can set: pending, processing, shipped, delivered, refunded. Admin may move to any status freely.
// spec: the updated order
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_may_move_an_order_to_any_status() {
    let fixture = fixture().await;
    for status in ["delivered", "pending", "shipped", "processing", "delivered", "shipped", "pending"] {
        assert_eq!(fixture.edits(&json!({ "status": status })).await["status"], json!(status));
    }
    for status in [json!("lost"), json!("Shipped"), json!(""), json!(1), Value::Null] {
        fixture.admin.patch(&fixture.path, &json!({ "status": status })).await.names(&["status"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_edit_does_not_mention_stays() {
    let fixture = fixture().await;
    let before = fixture.order().await;
    let after = fixture.edits(&json!({ "tracking_number": "T1", "colour": "red", "total": 0.01, "number": 7 })).await;
    for member in ["status", "address", "billing_address", "total", "number", "items", "user_email"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    assert_eq!(fixture.edits(&json!({})).await["tracking_number"], "T1");
    for cleared in [Value::Null, json!(""), json!("  ")] {
        fixture.edits(&json!({ "tracking_number": "T2" })).await;
        assert_eq!(fixture.edits(&json!({ "tracking_number": cleared })).await["tracking_number"], Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_replaced_whole_and_checked_like_the_customers() {
    let fixture = fixture().await;
    let order = fixture.edits(&json!({ "address": montreal() })).await;
    assert_eq!(order["address"]["address"]["state"], "QC");
    assert_eq!(order["billing_address"]["address"]["state"], "CA");
    let mut wrong = montreal();
    wrong["name"] = json!("");
    wrong["address"]["state"] = json!("ZZ");
    let body = json!({ "address": wrong, "status": "shipped" });
    fixture.admin.patch(&fixture.path, &body).await.names(&["address.address.state", "address.name"]);
    fixture.admin.patch(&fixture.path, &json!({ "address": null })).await.names(&["address"]);
    let order = fixture.order().await;
    assert_eq!((order["status"].as_str(), order["name"].as_str()), (Some("pending"), Some("Ada Lovelace")));
    let mut renamed = montreal();
    renamed["name"] = json!("Grace Hopper");
    assert_eq!(fixture.edits(&json!({ "address": renamed })).await["name"], "Grace Hopper");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_administrators_who_edit_the_same_version_one_is_told_of_the_other() {
    let fixture = fixture().await;
    let version = fixture.order().await["version"].clone();
    let first = fixture.edits(&json!({ "status": "processing", "version": version })).await;
    assert!(first["version"].as_i64() > version.as_i64());
    let late = json!({ "status": "shipped", "version": version });
    let conflict = fixture.admin.patch(&fixture.path, &late).await.refuses(409, "EditConflict");
    assert_eq!(conflict["details"]["current"], first);
    assert_eq!(fixture.order().await["status"], "processing");
    assert_eq!(fixture.edits(&json!({ "status": "shipped" })).await["status"], "shipped");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_edits_of_one_version_at_once_are_one_edit() {
    let fixture = fixture().await;
    let version = fixture.order().await["version"].clone();
    let responses = crate::harness::together(20, |number| {
        let (admin, path) = (fixture.admin.clone(), fixture.path.clone());
        let body = json!({ "tracking_number": format!("T{number}"), "version": version });
        async move { admin.patch(&path, &body).await }
    })
    .await;
    assert_eq!(responses.iter().filter(|response| response.status == 200).count(), 1);
    assert_eq!(responses.iter().filter(|response| response.status == 409).count(), 19);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_different_members_at_once_all_stay() {
    let fixture = fixture().await;
    for round in 0..5 {
        let (number, status) = (format!("T{round}"), if round % 2 == 0 { "shipped" } else { "processing" });
        let bodies = [
            json!({ "tracking_number": number }),
            json!({ "status": status }),
            json!({ "address": if round % 2 == 0 { montreal() } else { california() } }),
        ];
        crate::harness::together(bodies.len(), |index| {
            let (admin, path, body) = (fixture.admin.clone(), fixture.path.clone(), bodies[index].clone());
            async move { admin.patch(&path, &body).await.gives(200) }
        })
        .await;
        let order = fixture.order().await;
        assert_eq!((&order["tracking_number"], &order["status"]), (&json!(number), &json!(status)));
        assert_eq!(order["address"], bodies[2]["address"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_names_each_thing_that_changed_once() {
    let fixture = fixture().await;
    fixture.edits(&json!({ "status": "shipped", "tracking_number": "T1" })).await;
    fixture.edits(&json!({ "status": "shipped", "tracking_number": "T1" })).await;
    fixture.edits(&json!({ "address": montreal(), "tracking_number": null })).await;
    let history = fixture.history().await;
    let expected = [
        "Order placed and paid",
        "Email to customer: Your Nudgelight order 1001 is confirmed",
        "Status changed from pending to shipped",
        "Tracking number set to T1",
        "Email to customer: Your Nudgelight order 1001 has shipped",
        "Shipping address changed",
        "Tracking number removed",
    ];
    assert_eq!(history, expected);
}
