use serde_json::{Value, json};

use crate::harness::{ADMIN, CUSTOMER, Person, TestShop, eventually};

async fn customers(admin: &Person, query: &str) -> Value {
    admin.get(&format!("/api/admin/customers?{query}")).await.gives(200)
}

fn addresses(page: &Value) -> Vec<&str> {
    page["customers"].as_array().unwrap().iter().map(|customer| customer["email"].as_str().unwrap()).collect()
}

/// The path of the customer with this address.
async fn path_of(admin: &Person, email: &str) -> String {
    let page = customers(admin, &format!("q={email}")).await;
    format!("/api/admin/customers/{}", page["customers"][0]["id"].as_str().unwrap())
}

async fn emails(admin: &Person, customer: &str) -> Vec<Value> {
    admin.get(&format!("{customer}/emails?limit=100")).await.gives(200)["emails"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_customer_is_found_by_any_word_of_an_address_or_of_a_name_and_has_totals() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.new_customer("Zoe@Example.com").await, shop.admin().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let first = ada.buys(&stripe, &light, 1).await;
    let second = ada.buys(&stripe, &light, 2).await;
    let total = async |id: &str| admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
    let (returned, kept) = (total(&first).await, total(&second).await);
    admin.patch(&format!("/api/admin/order/{first}"), &json!({ "status": "refunded" })).await.gives(200);

    for search in ["zoe", "ZOE@exa", " zoe@example.com "] {
        assert_eq!(addresses(&customers(&admin, &format!("q={search}")).await), ["Zoe@Example.com"], "{search}");
    }
    let name = returned["name"].as_str().unwrap();
    let by_name = customers(&admin, &format!("q={}", name[..3].to_uppercase())).await;
    assert_eq!((addresses(&by_name), &by_name["total"]), (vec!["Zoe@Example.com"], &json!(1)));
    let found = &by_name["customers"][0];
    assert_eq!((&found["name"], &found["orders"]), (&json!(name), &json!(2)));
    assert_eq!((&found["spent"], &found["refunded"]), (&kept["total"], &returned["total"]));
    assert_eq!(customers(&admin, "q=nobody").await["total"], 0);
    assert_eq!(customers(&admin, "q=oe").await["total"], 0, "only the start of a word");
    for search in ["lovelace", "zo%C3%AB", "example.com", "ada%20love", "zoe%20lovelace"] {
        assert_eq!(addresses(&customers(&admin, &format!("q={search}")).await)[0], "Zoe@Example.com", "{search}");
    }
    assert_eq!(customers(&admin, "q=%25").await["total"], 0);

    let all = customers(&admin, "limit=1").await;
    assert_eq!((addresses(&all), &all["total"], &all["totalPages"]), (vec!["Zoe@Example.com"], &json!(3), &json!(3)));
    assert_eq!(customers(&admin, "limit=1&page=2").await["customers"][0]["orders"], 0);

    let path = path_of(&admin, "zoe").await;
    assert_eq!(&admin.get(&path).await.gives(200), found);
    let orders = admin.get(&format!("{path}/orders?limit=1&page=2")).await.gives(200);
    assert_eq!((&orders["total"], &orders["orders"][0]["id"]), (&json!(2), &json!(first)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_customer_was_sent_is_listed_without_any_text_or_code() {
    let shop = TestShop::open().await;
    let zoe = shop.new_customer("zoe@example.com").await;
    let (admin, stripe) = (shop.admin().await, shop.stripe().await);
    let order = zoe.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.mail_to("zoe@example.com", "is confirmed").await;
    let path = path_of(&admin, "zoe").await;
    let listed = eventually("both as sent", async || {
        let listed = emails(&admin, &path).await;
        listed.iter().all(|email| email["state"] == "sent").then_some(listed)
    })
    .await;
    let kinds: Vec<&Value> = listed.iter().map(|email| &email["kind"]).collect();
    assert_eq!(kinds, ["receipt", "code"]);
    assert_eq!(listed[0]["order"], json!({ "id": order, "number": 1001 }));
    let code = shop.code_for("zoe@example.com", &[]).await;
    let text = admin.get(&format!("{path}/emails")).await.text;
    assert!(!text.contains(&code) && !text.contains("subject"), "{text}");
    let members: Vec<&String> = listed[1].as_object().unwrap().keys().collect();
    assert_eq!(members, ["created_at", "created_at_local", "id", "kind", "state"]);
    // A newer program beside this one may know more kinds.
    shop.tamper("UPDATE outbox SET kind = 'carrier_pigeon' WHERE kind = 'code'").await;
    assert_eq!(emails(&admin, &path).await[1]["kind"], "other");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_confirmation_is_sent_again_and_the_history_says_who_did_it() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let order = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.mail_to(CUSTOMER, "is confirmed").await;
    let path = format!("/api/admin/order/{order}");
    let resend = async |kind: Value| admin.post(&format!("{path}/emails"), &json!({ "kind": kind })).await;
    let history = resend(json!("receipt")).await.gives(201)["history"].clone();
    let last = history.as_array().unwrap().last().unwrap();
    assert_eq!(last["actor"], ADMIN);
    assert!(last["message"].as_str().unwrap().starts_with("Email sent again to customer: Your"), "{last}");
    let again = eventually("the second receipt", async || shop.mails_to(CUSTOMER).get(1).cloned()).await;
    assert!(again.subject.contains("order 1001 is confirmed") && again.text.contains("Nudgelight One"));
    assert_eq!(emails(&admin, &path_of(&admin, CUSTOMER).await).await[0]["kind"], "receipt");

    resend(json!("shipment")).await.names(&["kind"]);
    admin.patch(&path, &json!({ "status": "shipped", "tracking_number": "T1" })).await.gives(200);
    resend(json!("shipment")).await.gives(201);
    let shipped = async || shop.mails_to(CUSTOMER).into_iter().filter(|mail| mail.subject.contains("shipped")).nth(1);
    assert!(eventually("the second shipping confirmation", shipped).await.text.contains("T1"));

    for wrong in [json!("code"), json!("refund"), json!(""), Value::Null] {
        resend(wrong).await.names(&["kind"]);
    }
    admin.post("/api/admin/order/nothing/emails", &json!({ "kind": "receipt" })).await.refuses(404, "NotFound");
    ada.post(&format!("{path}/emails"), &json!({ "kind": "receipt" })).await.refuses(403, "Forbidden");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_emails_an_hour_about_an_order_are_sent_again_and_no_more() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let order = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let path = format!("/api/admin/order/{order}/emails");
    let resend = async || admin.post(&path, &json!({ "kind": "receipt" })).await;
    for _ in 0..5 {
        resend().await.gives(201);
    }
    resend().await.refuses(429, "TooManyRequests");
    assert_eq!(shop.texts("SELECT id FROM outbox WHERE kind = 'receipt'").await.len(), 1 + 5);
    shop.clock.advance(14 * 60_000);
    resend().await.refuses(429, "TooManyRequests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_questions_about_customers_are_refused_and_customers_ask_none() {
    let shop = TestShop::open().await;
    let (ada, admin) = (shop.customer().await, shop.admin().await);
    admin.get(&format!("/api/admin/customers?q={}", "a".repeat(255))).await.names(&["q"]);
    admin.get("/api/admin/customers?page=0&limit=101").await.names(&["limit", "page"]);
    let path = path_of(&admin, CUSTOMER).await;
    for list in ["", "/orders", "/emails"] {
        admin.get(&format!("/api/admin/customers/nothing{list}")).await.refuses(404, "NotFound");
        ada.get(&format!("{path}{list}")).await.refuses(403, "Forbidden");
    }
    admin.get(&format!("{path}/emails?page=x")).await.names(&["page"]);
    admin.get(&format!("{path}/orders?page=x")).await.names(&["page"]);
    ada.get("/api/admin/customers").await.refuses(403, "Forbidden");
}
