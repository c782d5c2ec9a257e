//! Back-in-stock emails: double opt-in, one email on restock, then the address is deleted.

use serde_json::json;

use crate::harness::{Light, Person, SiteVerify, TestShop, product, proof};

async fn sold_out(shop: &TestShop) -> (Person, Light) {
    let admin = shop.admin().await;
    let light = admin.adds(product().name("Nova").stock(0)).await;
    (admin, light)
}

async fn asks(shop: &TestShop, light: &Light, email: &str) {
    let path = format!("/api/products/{}/back-in-stock", light.id);
    let sent = shop.visitor().post(&path, &json!({ "email": email })).await.gives(200);
    assert_eq!(sent["message"], "Almost there: tap the link we just emailed you.");
}

/// The token of the newest link to this address.
async fn token_for(shop: &TestShop, email: &str) -> String {
    let mail = shop.mail_to(email, "Confirm: email me when Nova is back").await;
    let (_, rest) = mail.text.split_once("/back-in-stock?token=").unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

async fn confirms(shop: &TestShop, token: &str) {
    let confirmed = shop.visitor().post("/api/back-in-stock/confirm", &json!({ "token": token })).await.gives(200);
    assert_eq!(confirmed, json!({ "product_name": "Nova", "product_slug": "nova" }));
}

async fn restocks(admin: &Person, light: &Light, stock: i64) {
    admin.patch(&format!("/api/products/{}/stock", light.id), &json!({ "stock": stock })).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_confirmed_gets_one_email_when_the_product_is_back_and_is_forgotten() {
    let shop = TestShop::open().await;
    let (admin, light) = sold_out(&shop).await;
    asks(&shop, &light, "ada@example.com").await;
    asks(&shop, &light, "bob@example.com").await;
    confirms(&shop, &token_for(&shop, "ada@example.com").await).await;
    restocks(&admin, &light, 5).await;
    let mail = shop.mail_to("ada@example.com", "Nova is back in stock").await;
    assert!(mail.text.contains("/products/nova"), "{}", mail.text);
    assert!(!shop.mails_to("bob@example.com").iter().any(|mail| mail.subject.contains("is back in stock")));
    let used = shop.visitor().post("/api/back-in-stock/confirm", &json!({ "token": "nothing" })).await;
    used.refuses(400, "CodeInvalid");

    restocks(&admin, &light, 0).await;
    restocks(&admin, &light, 5).await;
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    let told = shop.mails_to("ada@example.com").iter().filter(|mail| mail.subject.contains("is back")).count();
    assert_eq!(told, 2, "the confirmation and one notice");

    let with_address = "SELECT COUNT(*) FROM outbox WHERE recipient = 'ada@example.com'";
    assert_eq!(shop.count(with_address).await, 2);
    shop.clock.advance(25 * 3_600_000);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(with_address).await, 0);
    assert_eq!(shop.count("SELECT COUNT(*) FROM back_in_stock_requests WHERE email_key = 'ada@example.com'").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_unit_is_told_to_three_people_in_order_of_asking() {
    let shop = TestShop::open().await;
    let (admin, light) = sold_out(&shop).await;
    let people: Vec<String> = (1..=5).map(|number| format!("person{number}@example.com")).collect();
    for person in &people {
        asks(&shop, &light, person).await;
    }
    // Confirmed in the opposite order: the order of asking counts.
    for person in people.iter().rev() {
        confirms(&shop, &token_for(&shop, person).await).await;
    }
    restocks(&admin, &light, 1).await;
    for person in &people[..3] {
        shop.mail_to(person, "Nova is back in stock").await;
    }
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    for person in &people[3..] {
        assert!(!shop.mails_to(person).iter().any(|mail| mail.subject.contains("is back in stock")), "{person}");
    }
    restocks(&admin, &light, 2).await;
    shop.mail_to(&people[4], "Nova is back in stock").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_canceled_by_its_link_and_a_bad_address_is_named() {
    let shop = TestShop::open().await;
    let (admin, light) = sold_out(&shop).await;
    asks(&shop, &light, "ada@example.com").await;
    let token = token_for(&shop, "ada@example.com").await;
    confirms(&shop, &token).await;
    shop.visitor().post("/api/back-in-stock/cancel", &json!({ "token": token })).await.gives(204);
    shop.visitor().post("/api/back-in-stock/confirm", &json!({ "token": token })).await.refuses(400, "CodeInvalid");
    restocks(&admin, &light, 5).await;
    tokio::time::sleep(std::time::Duration::from_secs(6)).await;
    assert_eq!(shop.mails_to("ada@example.com").len(), 1, "only the confirmation");

    let path = format!("/api/products/{}/back-in-stock", light.id);
    let wrong = shop.visitor().post(&path, &json!({ "email": "ada" })).await;
    assert!(wrong.refuses(400, "InvalidRequest")["fields"]["email"].is_string());
    shop.visitor()
        .post("/api/products/nothing/back-in-stock", &json!({ "email": "ada@example.com" }))
        .await
        .refuses(404, "NotFound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_gets_at_most_five_links_a_day() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await;
    let (_, light) = sold_out(&shop).await;
    for _ in 0..7 {
        asks(&shop, &light, "ada@example.com").await;
    }
    token_for(&shop, "ada@example.com").await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    assert_eq!(shop.mails_to("ada@example.com").len(), 5);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_clients_together_send_at_most_200_requests_an_hour_and_the_shopkeeper_is_alerted() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let admin = shop.admin().await;
    let (_, light) = sold_out(&shop).await;
    admin.patch("/api/admin/settings", &json!({ "orders_email": "shop@example.com" })).await.gives(200);
    let path = format!("/api/products/{}/back-in-stock", light.id);
    let visitor = shop.visitor();
    let ask = async |number: i32| {
        let body = json!({ "email": format!("person{number}@example.com") });
        let address = format!("203.0.113.{}", number / 5);
        visitor.send(visitor.request("POST", &path).header("x-forwarded-for", address).json(&body)).await
    };
    for number in 0..200 {
        ask(number).await.gives(200);
    }
    for number in 200..205 {
        let rejected = ask(number).await;
        assert!(rejected.header("retry-after").is_some(), "{rejected}");
        rejected.refuses(429, "TooManyRequests");
    }
    let alert = shop.mail_to("shop@example.com", "Many back-in-stock requests").await;
    assert!(alert.text.contains("200 back-in-stock requests arrived within an hour"), "{}", alert.text);
    assert_eq!(shop.count("SELECT COUNT(*) FROM back_in_stock_requests").await, 200);
    let alerts = "SELECT COUNT(*) FROM outbox WHERE recipient = 'shop@example.com'";
    assert_eq!(shop.count(alerts).await, 1);
    // The next hour has a limit of its own.
    shop.clock.advance(3_600_000);
    ask(205).await.gives(200);
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_needs_a_proof_of_work_even_if_another_service_checks_the_other_forms() {
    let service = SiteVerify::open().await;
    for shop in [TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await, service.shop("turnstile", &[]).await] {
        let light = shop.light("Nudgelight One").await;
        let (path, visitor) = (format!("/api/products/{}/back-in-stock", light.id), shop.visitor());
        let without = visitor.post(&path, &json!({ "email": "ada@example.com" })).await;
        without.refuses(400, "BotCheckFailed");
        let body = json!({ "email": "ada@example.com", "recaptchaToken": proof(&visitor, "back_in_stock").await });
        visitor.post(&path, &body).await.gives(200);
        visitor.post(&path, &body).await.refuses(400, "BotCheckFailed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_nobody_confirmed_is_deleted_after_48_hours() {
    const HOUR: i64 = 3_600_000;
    const REQUESTS: &str = "SELECT COUNT(*) FROM back_in_stock_requests";
    let shop = TestShop::open().await;
    let (_, light) = sold_out(&shop).await;
    asks(&shop, &light, "ada@example.com").await;
    asks(&shop, &light, "bob@example.com").await;
    let (ada, bob) = (token_for(&shop, "ada@example.com").await, token_for(&shop, "bob@example.com").await);
    confirms(&shop, &ada).await;
    shop.clock.advance(47 * HOUR);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(REQUESTS).await, 2);
    shop.clock.advance(2 * HOUR);
    shop.visitor().post("/api/back-in-stock/confirm", &json!({ "token": bob })).await.refuses(400, "CodeInvalid");
    shop.deletes_what_is_old().await;
    assert_eq!(shop.count(REQUESTS).await, 1);
}
