//! Packing slips and the pick list.

use serde_json::{Value, json};

use crate::harness::{ApiResponse, Light, Person, TestShop, california, product};

const PATH: &str = "/api/admin/packing-slips";

async fn slips(admin: &Person, query: &str) -> ApiResponse {
    let response = admin.get(&format!("{PATH}{query}")).await;
    assert_eq!(response.status, 200, "{response}");
    response
}

/// Two lights with a SKU: the harness buys one product an order.
async fn two_lights(shop: &TestShop) -> (Light, Light) {
    let admin = shop.admin().await;
    let light = |name: &str, sku: &str| product().name(name).with("sku", sku).stock(50);
    (admin.adds(light("Nova", "NL-NOVA")).await, admin.adds(light("Luna", "NL-LUNA")).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_order_is_a_slip_without_prices_after_the_list_of_what_to_pick() {
    let shop = TestShop::open().await;
    let (ada, bea, stripe) = (shop.customer().await, shop.new_customer("bea@example.com").await, shop.stripe().await);
    let (nova, luna) = two_lights(&shop).await;
    ada.buys(&stripe, &nova, 2).await;
    bea.buys(&stripe, &nova, 1).await;
    ada.buys(&stripe, &luna, 1).await;
    let document = slips(&shop.admin().await, "?numbers=1003,1001,1002&sort=oldest").await;
    assert_eq!(document.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(document.header("cache-control"), Some("no-store"));
    assert_eq!(document.between("<h2>Order ", "</h2>"), ["1001", "1002", "1003"]);
    assert_eq!(document.between("aria-label=\"QR code ", "\"").len(), 3);
    assert_eq!(document.text.matches("<svg").count(), 3);
    for printed in ["Ada Lovelace", "12 Lamp Street", "Brightwater, CA 94110", "NL-NOVA", "/images/nova.svg"] {
        assert!(document.text.contains(printed), "{printed}: {document}");
    }
    let (picked, _) = document.text.split_once("<h2>Order ").unwrap();
    assert!(picked.contains("4 items for 3 orders"), "{picked}");
    assert!(picked.contains("NL-NOVA · 2 orders") && picked.contains("NL-LUNA · 1 order"), "{picked}");
    assert!(!document.text.contains(['$', '@']), "a price or an email address: {document}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_slips_are_those_of_the_filter_and_at_most_two_hundred() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let first = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(200).await;
    admin.patch(&format!("/api/admin/order/{first}"), &json!({ "status": "processing" })).await.gives(200);
    assert_eq!(slips(&admin, "?status=processing").await.between("<h2>Order ", "</h2>"), ["1001"]);
    assert_eq!(slips(&admin, "?status=pending").await.between("<h2>Order ", "</h2>").len(), 200);
    assert_eq!(slips(&admin, "?q=nobody").await.between("<h2>Order ", "</h2>").len(), 0);
    let refused = admin.get(PATH).await;
    refused.names(&["numbers"]);
    let sentence = "At most 200 packing slips are printed at once. Select fewer orders.";
    assert_eq!(refused.json()["fields"]["numbers"], Value::from(sentence));
    admin.get(&format!("{PATH}?status=lost&numbers=x")).await.names(&["numbers", "status"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_with_markup_is_text_on_the_slip() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let mut address = california();
    address["name"] = json!("<script>alert(1)</script>");
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "address": address })).await.gives(200);
    let document = slips(&admin, "").await;
    assert!(document.text.contains("&lt;script&gt;") && !document.text.contains("<script"), "{document}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pick_list_numbers_its_pages_and_has_a_box_to_tick_for_each_product() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    for number in 1..=11 {
        let light = admin.adds(product().name(format!("Light {number}")).stock(9)).await;
        ada.buys(&stripe, &light, 1).await;
        if number == 1 {
            let document = slips(&admin, "").await;
            assert!(!document.text.contains("1 of 1"), "a single page has no number: {document}");
        }
    }
    let document = slips(&admin, "").await;
    let (picked, slips) = document.text.split_once("<h2>Order ").unwrap();
    let pages: Vec<&str> = picked.split("<section").skip(1).filter(|page| page.contains("Pick list")).collect();
    assert_eq!(pages.len(), 2, "{picked}");
    for (page, (number, rows)) in pages.iter().zip([("1 of 2", 10), ("2 of 2", 1)]) {
        assert!(page.contains(number) && page.contains("11 items for 11 orders"), "{page}");
        assert_eq!(
            (page.matches("class=\"tick\"").count(), page.matches("class=\"name\"").count()),
            (rows, rows),
            "{page}"
        );
    }
    assert!(!slips.contains("class=\"tick\""), "{slips}");
}
