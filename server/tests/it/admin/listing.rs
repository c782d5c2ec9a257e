use serde_json::json;

use crate::harness::{CUSTOMER, Person, TestShop};

async fn numbers(admin: &Person, query: &str) -> Vec<i64> {
    let page = admin.get(&format!("/api/admin/orders{query}")).await.gives(200);
    page["orders"].as_array().unwrap().iter().map(|order| order["number"].as_i64().unwrap()).collect()
}

// spec: endDate, status | orders, totalPages
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybodys_orders_are_listed_with_what_only_administrators_see() {
    let shop = TestShop::open().await;
    let (ada, bea, admin) = (shop.customer().await, shop.new_customer("bea@example.com").await, shop.admin().await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    ada.buys(&stripe, &one, 1).await;
    bea.buys(&stripe, &one, 1).await;
    let page = admin.get("/api/admin/orders").await.gives(200);
    let newest = &page["orders"][0];
    let expected = [
        ("number", json!(1002)),
        ("user_email", json!("bea@example.com")),
        ("payment", json!("paid")),
        ("open_alerts", json!(0)),
        ("status", json!("pending")),
        ("name", json!("Ada Lovelace")),
    ];
    for (member, value) in expected {
        assert_eq!(newest[member], value, "{member}");
    }
    assert_eq!(page["orders"][1]["user_email"], CUSTOMER);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_status_filters_and_an_unknown_one_is_refused() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let one = shop.light("Nudgelight One").await;
    let id = ada.buys(&stripe, &one, 1).await;
    ada.buys(&stripe, &one, 1).await;
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "status": "shipped" })).await.gives(200);
    assert_eq!(numbers(&admin, "?status=shipped").await, [1001]);
    assert_eq!(numbers(&admin, "?status=pending").await, [1002]);
    assert_eq!(numbers(&admin, "?status=refunded").await, [] as [i64; 0]);
    for wrong in ["", "lost", "SHIPPED", "shipped%27%20OR%201=1"] {
        admin.get(&format!("/api/admin/orders?status={wrong}")).await.names(&["status"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_numbers_and_the_beginnings_of_addresses_and_names() {
    let shop = TestShop::open().await;
    let (ada, bea, admin) = (shop.customer().await, shop.new_customer("Bea_50%@example.com").await, shop.admin().await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    ada.buys(&stripe, &one, 1).await;
    bea.buys(&stripe, &one, 1).await;
    let found = async |q: &str| numbers(&admin, &format!("?q={q}")).await;
    assert_eq!(found("1001").await, [1001]);
    assert_eq!(found("%231002").await, [1002]);
    assert_eq!(found("BEA").await, [1002]);
    assert_eq!(found("bea_50%25@").await, [1002]);
    assert_eq!(found("ada").await, [1002, 1001]);
    assert_eq!(found("lovelace").await, [] as [i64; 0]);
    // SQL wildcards and quotes match literally.
    for query in ["%25", "_", "%27", "%5C", "1001%20OR%201=1", "bea550"] {
        assert_eq!(found(query).await, [] as [i64; 0], "{query}");
    }
    let long = "a".repeat(300);
    admin.get(&format!("/api/admin/orders?q={long}")).await.names(&["q"]);
    admin.get("/api/admin/orders?q=%00").await.names(&["q"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_that_finds_very_many_says_so_and_its_first_ten_thousand_have_pages() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(10_100).await;
    let found = admin.get("/api/admin/orders?q=ada&limit=100").await.gives(200);
    assert_eq!((&found["total"], &found["totalPages"]), (&json!(10_000), &json!(100)));
    assert_eq!(found["more_than_total"], json!(true));
    for page in [1, 2, 79, 80, 81, 100] {
        let all = numbers(&admin, &format!("?limit=100&page={page}")).await;
        assert_eq!(numbers(&admin, &format!("?q=ada&limit=100&page={page}")).await, all, "page {page}");
    }
    assert_eq!(numbers(&admin, "?q=ada&limit=100&page=101").await, [] as [i64; 0]);
    let one = admin.get("/api/admin/orders?q=1001").await.gives(200);
    assert_eq!((&one["total"], one.get("more_than_total")), (&json!(1), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_with_very_many_orders_says_so_and_five_hundred_of_them_have_pages() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    ada.buys(&stripe, &light, 1).await;
    shop.copies_its_order(499).await;
    let lines = "INSERT INTO order_lines SELECT o.id, position, product_id, product_name, quantity, l.price \
                 FROM orders o, order_lines l WHERE o.id <> l.order_id";
    shop.tamper(lines).await;
    shop.tamper("UPDATE counters SET value = value + 499 WHERE name = 'order_number'").await;
    let list = format!("/api/admin/orders?product={}&payment=paid&country=US&limit=100", light.id);
    let found = admin.get(&list).await.gives(200);
    assert_eq!((&found["total"], found.get("more_than_total")), (&json!(500), None));

    let second = ada.buys(&stripe, &light, 1).await;
    let found = admin.get(&list).await.gives(200);
    assert_eq!((&found["total"], &found["totalPages"]), (&json!(500), &json!(5)));
    assert_eq!((&found["more_than_total"], &found["orders"][0]["id"]), (&json!(true), &json!(second)));
    for (page, orders) in [(5, 100), (6, 0)] {
        let found = admin.get(&format!("{list}&page={page}")).await.gives(200);
        assert_eq!(found["orders"].as_array().unwrap().len(), orders, "page {page}");
    }
}
