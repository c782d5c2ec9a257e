use serde_json::{Value, json};

use crate::harness::{Light, Person, TestShop, eventually, never};

const OWNER: &str = "owner@example.com";
const DAY: i64 = 24 * 60 * 60_000;

async fn shop_with_owner() -> TestShop {
    TestShop::open_with(&[("SHOP_ORDERS_EMAIL", OWNER)]).await
}

async fn sets_threshold(admin: &Person, light: &Light, threshold: Value) {
    let path = format!("/api/admin/products/{}/low-stock-threshold", light.id);
    let body = json!({ "threshold": threshold });
    assert_eq!(admin.patch(&path, &body).await.gives(200), body);
}

async fn low(admin: &Person) -> Vec<String> {
    let overview = admin.get("/api/admin/overview").await.gives(200);
    overview["low_stock"]
        .as_array()
        .unwrap()
        .iter()
        .map(|product| product["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Waits for the low-stock emails of the shopkeeper until there are this many.
async fn emails(shop: &TestShop, count: usize) -> Vec<String> {
    let low = || {
        let mails = shop.mails_to(OWNER).into_iter().filter(|mail| mail.subject.starts_with("Low stock"));
        mails.map(|mail| mail.text).collect::<Vec<_>>()
    };
    eventually("the emails about low stock", async || (low().len() >= count).then(low)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_email_goes_to_the_low_stock_address_of_the_settings() {
    let shop = shop_with_owner().await;
    let admin = shop.admin().await;
    admin.patch("/api/admin/settings", &json!({ "low_stock_email": "stock@example.com" })).await.gives(200);
    shop.reports_low_stock().await;
    shop.mail_to("stock@example.com", "Low stock").await;
    assert!(shop.mails_to(OWNER).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shopkeeper_gets_one_email_a_day_with_all_products_at_their_threshold() {
    let shop = shop_with_owner().await;
    let admin = shop.admin().await;
    let halo = shop.light("Nudgelight Halo").await;
    let nova = shop.adds_light("Nova", 50).await;
    shop.reports_low_stock().await;
    // One sample product starts with low stock.
    let first = emails(&shop, 1).await.remove(0);
    assert!(first.contains("Nudgelight Halo: 4 left") && !first.contains("Nova"), "{first}");

    sets_threshold(&admin, &nova, json!(50)).await;
    assert_eq!(low(&admin).await, ["Nudgelight Halo", "Nova"]);
    shop.reports_low_stock().await;
    never("a second email on the same day", async || shop.mails_to(OWNER).get(1).cloned()).await;
    shop.clock.advance(DAY);
    shop.reports_low_stock().await;
    let second = emails(&shop, 2).await.remove(1);
    assert!(second.contains("Nova: 50 left") && second.contains("Nudgelight Halo: 4 left"), "{second}");

    // Nothing new: no email. A product that recovered and falls again is new.
    shop.clock.advance(DAY);
    shop.reports_low_stock().await;
    never("an email without news", async || shop.mails_to(OWNER).get(2).cloned()).await;
    shop.sets_stock(&halo, 30).await;
    shop.reports_low_stock().await;
    shop.sets_stock(&halo, 0).await;
    shop.reports_low_stock().await;
    let third = emails(&shop, 3).await.remove(2);
    assert!(third.contains("Nudgelight Halo: 0 left"), "{third}");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_threshold_changes_the_overview_and_the_filter_but_not_what_customers_see() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let nova = shop.adds_light("Nova", 5).await;
    let before = shop.visitor().get(&format!("/api/products/{}", nova.slug)).await.json();
    let listed = async || admin.get("/api/admin/products?status=low_stock&q=nova").await.gives(200)["total"].clone();
    assert_eq!(listed().await, 0, "five are enough without a threshold");
    sets_threshold(&admin, &nova, json!(5)).await;
    assert_eq!(listed().await, 1);
    assert!(low(&admin).await.contains(&"Nova".to_owned()));
    let path = format!("/api/admin/products/{}/stock", nova.id);
    assert_eq!(admin.get(&path).await.gives(200)["low_stock_threshold"], 5);
    assert_eq!(shop.visitor().get(&format!("/api/products/{}", nova.slug)).await.json(), before);
    sets_threshold(&admin, &nova, Value::Null).await;
    assert_eq!(listed().await, 0);
    admin.patch(&format!("/api/products/{}", nova.id), &json!({ "active": false })).await.gives(200);
    sets_threshold(&admin, &nova, json!(100)).await;
    assert_eq!(listed().await, 0, "a hidden product runs out unnoticed");
    shop.reports_low_stock().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_threshold_is_refused() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let path = format!("/api/admin/products/{}/low-stock-threshold", light.id);
    for threshold in [json!(-1), json!(1_000_001), json!(2.5), json!("5")] {
        admin.patch(&path, &json!({ "threshold": threshold })).await.names(&["threshold"]);
    }
    admin.patch(&path, &json!({})).await.names(&["threshold"]);
    let unknown = "/api/admin/products/nothing/low-stock-threshold";
    admin.patch(unknown, &json!({ "threshold": 1 })).await.refuses(404, "NotFound");
}
