use serde_json::json;

use crate::harness::{ApiResponse, Person, TestShop, california};

const HEADER: &str =
    "number,order_date,status,payment,name,email,tracking_number,subtotal,shipping,tax,total,refunded,id";

async fn export(admin: &Person, query: &str) -> ApiResponse {
    let response = admin.get(&format!("/api/admin/orders.csv{query}")).await;
    assert_eq!(response.status, 200, "{response}");
    response
}

/// CSV records without the header. Splitting at commas suffices, because these fields contain no quotes or line breaks.
fn records(file: &ApiResponse) -> Vec<Vec<String>> {
    let text = file.text.strip_suffix("\r\n").unwrap();
    let mut lines = text.split("\r\n");
    assert_eq!(lines.next(), Some(HEADER));
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

async fn numbers(admin: &Person, query: &str) -> Vec<String> {
    records(&export(admin, query).await).into_iter().map(|mut record| record.remove(0)).collect()
}

async fn listed(admin: &Person, query: &str) -> Vec<String> {
    let page = admin.get(&format!("/api/admin/orders{query}")).await.gives(200);
    page["orders"].as_array().unwrap().iter().map(|order| order["number"].to_string()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_has_a_name_a_header_row_and_every_amount_as_dollars() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 2).await;
    let order = admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
    let file = export(&admin, "").await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    let name = format!("attachment; filename=\"orders-{}.csv\"", server::infra::clock::utc_day(shop.clock.now_ms()));
    assert_eq!(file.header("content-disposition"), Some(name.as_str()));
    assert_eq!(file.header("cache-control"), Some("no-store"));
    let cents = |member: &str| format!("{:.2}", order[member].as_f64().unwrap());
    let expected = [
        "1001",
        order["order_date"].as_str().unwrap(),
        "pending",
        "paid",
        "Ada Lovelace",
        order["user_email"].as_str().unwrap(),
        "",
        "49.98",
        "6.20",
        &cents("tax"),
        &cents("total"),
        "0.00",
        &id,
    ];
    assert_eq!(records(&file), [expected]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_holds_exactly_the_orders_of_its_filter() {
    let shop = TestShop::open().await;
    let (ada, bea, admin) = (shop.customer().await, shop.new_customer("bea@example.com").await, shop.admin().await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    let first = ada.buys(&stripe, &one, 1).await;
    bea.buys(&stripe, &one, 1).await;
    ada.buys(&stripe, &one, 1).await;
    admin.patch(&format!("/api/admin/order/{first}"), &json!({ "status": "shipped" })).await.gives(200);
    let today = server::infra::clock::utc_day(shop.clock.now_ms());
    for (query, expected) in [
        ("", &["1003", "1002", "1001"][..]),
        ("?status=shipped", &["1001"]),
        ("?status=pending&q=bea", &["1002"]),
        ("?q=1003", &["1003"]),
        ("?q=nobody", &[]),
        ("?numbers=1003,1001", &["1003", "1001"]),
        ("?numbers=1003,1001&status=shipped", &["1001"]),
        ("?numbers=1003,1002&q=bea", &["1002"]),
        ("?numbers=9999", &[]),
        (&format!("?startDate={today}&endDate={today}"), &["1003", "1002", "1001"]),
        ("?endDate=2020-01-01", &[]),
    ] {
        assert_eq!(numbers(&admin, query).await, expected, "{query}");
        assert_eq!(listed(&admin, query).await, expected, "{query}");
    }
    // Pagination parameters do not apply to the export.
    assert_eq!(numbers(&admin, "?page=7&limit=1").await.len(), 3);
    for (query, field) in [
        ("?status=lost", "status"),
        ("?status=", "status"),
        ("?numbers=NL-1001", "numbers"),
        ("?numbers=", "numbers"),
        ("?startDate=tomorrow", "startDate"),
        ("?startDate=", "startDate"),
        ("?endDate=", "endDate"),
        ("?startDate=2026-02-02&endDate=2026-02-01", "startDate"),
    ] {
        admin.get(&format!("/api/admin/orders.csv{query}")).await.names(&[field]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_a_formula_is_text_in_a_spreadsheet() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let mut address = california();
    address["name"] = json!("=HYPERLINK(\"http://evil.example\",\"Ada\")");
    let edit = json!({ "address": address, "tracking_number": "@SUM(1)" });
    admin.patch(&format!("/api/admin/order/{id}"), &edit).await.gives(200);
    let file = export(&admin, "").await;
    assert!(file.text.contains(",\"'=HYPERLINK(\"\"http://evil.example\"\",\"\"Ada\"\")\","), "{file}");
    assert!(file.text.contains(",'@SUM(1),"), "{file}");

    // CSV injection with semicolons as separators, as in many European locales.
    address["name"] = json!("Ada;=HYPERLINK(1); @SUM(1)");
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "address": address })).await.gives(200);
    let file = export(&admin, "").await;
    assert!(file.text.contains(",Ada;'=HYPERLINK(1);' @SUM(1),"), "{file}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_many_orders_has_each_of_them_once() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(2_500).await;
    let mut numbers: Vec<i64> = numbers(&admin, "").await.iter().map(|number| number.parse().unwrap()).collect();
    assert_eq!(numbers.len(), 2_501);
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 2_501);
    assert_eq!(self::numbers(&admin, "?status=shipped").await, [] as [String; 0]);
}
