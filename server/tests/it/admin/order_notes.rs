use serde_json::{Value, json};

use crate::harness::{ADMIN, CUSTOMER, TestShop};

const NOTE: &str = "Called: the gate code is 4711.\nDeliver after 5 p.m.";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_is_in_the_history_with_its_author_and_time_and_is_never_shown_to_the_customer() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let (path, notes) = (format!("/api/admin/order/{id}"), format!("/api/admin/order/{id}/notes"));
    let before = admin.get(&path).await.gives(200);

    let order = admin.post(&notes, &json!({ "note": format!("  {NOTE} ") })).await.gives(201);
    let entry = order["history"].as_array().unwrap().last().unwrap();
    assert_eq!((&entry["message"], &entry["actor"], &entry["is_note"]), (&json!(NOTE), &json!(ADMIN), &json!(true)));
    assert!(entry["created_at"].is_string());
    assert_eq!(order["version"], before["version"], "a note conflicts with no edit");
    assert!(before["history"].as_array().unwrap().iter().all(|entry| entry.get("is_note").is_none()), "{before}");

    admin.patch(&path, &json!({ "status": "shipped", "tracking_number": "T1" })).await.gives(200);
    let mail = shop.mail_to(CUSTOMER, "has shipped").await;
    for seen in [mail.text, mail.html, ada.get(&format!("/api/orders/{id}")).await.text] {
        assert!(!seen.contains("4711"), "{seen}");
    }
    for list in ["/api/user/orders", "/api/auth/user"] {
        assert!(!ada.get(list).await.text.contains("4711"));
    }
    for file in ["/api/admin/orders.csv", "/api/admin/packing-slips"] {
        assert!(!admin.get(file).await.text.contains("4711"), "a file that leaves the shop");
    }
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_has_one_to_two_thousand_characters_and_an_order() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let notes = format!("/api/admin/order/{id}/notes");
    for wrong in [json!(""), json!(" \n "), json!("é".repeat(2_001)), json!("\u{202e}"), json!(7), Value::Null] {
        admin.post(&notes, &json!({ "note": wrong })).await.names(&["note"]);
    }
    admin.post(&notes, &json!({})).await.names(&["note"]);
    let longest = "é".repeat(2_000);
    let order = admin.post(&notes, &json!({ "note": longest })).await.gives(201);
    assert_eq!(order["history"].as_array().unwrap().last().unwrap()["message"], json!(longest));
    admin.post("/api/admin/order/nothing/notes", &json!({ "note": "Lost." })).await.refuses(404, "NotFound");
    ada.post(&notes, &json!({ "note": "Mine." })).await.refuses(403, "Forbidden");
}
