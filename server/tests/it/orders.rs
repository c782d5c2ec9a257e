//! Orders as their customers see them.

use serde_json::{Value, json};

use crate::harness::{Person, TestShop};

const DAY: i64 = 24 * 3_600_000;

async fn ids(person: &Person, query: &str) -> Vec<String> {
    let page = person.get(&format!("/api/user/orders{query}")).await.gives(200);
    page["orders"].as_array().unwrap().iter().map(|order| order["id"].as_str().unwrap().to_owned()).collect()
}

// invariant: object-level-authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_see_their_own_orders_newest_first_and_nobody_elses() {
    let shop = TestShop::open().await;
    let (ada, bea) = (shop.customer().await, shop.new_customer("bea@example.com").await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    let (first, second) = (ada.buys(&stripe, &one, 1).await, ada.buys(&stripe, &one, 2).await);
    let of_bea = bea.buys(&stripe, &one, 3).await;
    assert_eq!(ids(&ada, "").await, [second.clone(), first.clone()]);
    assert_eq!(ids(&bea, "").await, [of_bea]);

    let page = ada.get("/api/user/orders").await.gives(200);
    assert_eq!(
        (page["page"].clone(), page["totalPages"].clone(), page["total"].clone()),
        (json!(1), json!(1), json!(2))
    );
    let members: Vec<&str> = page["orders"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["id", "name", "number", "order_date", "order_date_local", "status", "total"]);
    // Administrator filters are ignored for customers.
    assert_eq!(ids(&ada, "?status=shipped&q=bea&user_id=x").await.len(), 2);
}

// invariant: object-level-authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_shown_to_its_customer_alone_and_the_refusal_tells_nothing() {
    let shop = TestShop::open().await;
    let (ada, bea) = (shop.customer().await, shop.new_customer("bea@example.com").await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    let (small, large) = (ada.buys(&stripe, &one, 1).await, ada.buys(&stripe, &one, 9).await);
    let path = |id: &str| format!("/api/orders/{id}");

    let order = ada.get(&path(&small)).await.gives(200);
    for hidden in ["user_email", "version", "history", "alerts"] {
        assert!(order.get(hidden).is_none(), "{hidden}");
    }
    let refused = bea.get(&path(&small)).await;
    assert_eq!(refused.refuses(403, "Forbidden")["error"], "You are not authorized to view this order.");
    assert_eq!(refused.essence(), bea.get(&path(&large)).await.essence());
    assert_eq!(refused.essence(), shop.admin().await.get(&path(&small)).await.essence());
    assert_eq!(ada.get(&path("nothing")).await.refuses(404, "NotFound")["error"], "Order not found.");
    ada.get(&path("..%2F..%2Fadmin%2Forder")).await.refuses(404, "NotFound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dates_filter_by_whole_days_and_both_ends_belong_to_them() {
    let shop = TestShop::open().await;
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    // One order a minute before midnight, one a minute after, and one a day later.
    let now = shop.clock.now_ms();
    shop.clock.advance(DAY - now.rem_euclid(DAY) - 60_000);
    let today = server::infra::clock::utc_day(shop.clock.now_ms());
    let evening = shop.customer().await.buys(&stripe, &one, 1).await;
    shop.clock.advance(2 * 60_000);
    let tomorrow = server::infra::clock::utc_day(shop.clock.now_ms());
    let night = shop.customer().await.buys(&stripe, &one, 1).await;
    shop.clock.advance(DAY);
    let last = server::infra::clock::utc_day(shop.clock.now_ms());
    let later = shop.customer().await.buys(&stripe, &one, 1).await;

    let ada = shop.customer().await;
    let list = async |start: &str, end: &str| ids(&ada, &format!("?startDate={start}&endDate={end}")).await;
    assert_eq!(list(&today, &today).await, [&*evening]);
    assert_eq!(list(&tomorrow, &tomorrow).await, [&*night]);
    assert_eq!(list(&today, &tomorrow).await, [night.clone(), evening.clone()]);
    assert_eq!(list(&tomorrow, &last).await, [later.clone(), night.clone()]);
    assert_eq!(ids(&ada, &format!("?startDate={today}")).await, [later.clone(), night.clone(), evening.clone()]);
    assert_eq!(ids(&ada, &format!("?endDate={today}")).await, [evening]);
    assert_eq!(list("2001-01-01", "2001-12-31").await, [] as [String; 0]);
    let order = ada.get(&format!("/api/orders/{night}")).await.gives(200);
    assert!(order["order_date"].as_str().unwrap().starts_with(&tomorrow), "{order}");
}

// spec: startDate, endDate | orders, totalPages
// spec: Page size 10
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_hold_ten_orders_or_as_many_as_are_asked_for() {
    let shop = TestShop::open().await;
    let (ada, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let mut bought = Vec::new();
    for _ in 0..11 {
        bought.insert(0, ada.buys(&stripe, &one, 1).await);
    }
    assert_eq!(ids(&ada, "").await, bought[..10]);
    assert_eq!(ids(&ada, "?page=2").await, bought[10..]);
    assert_eq!(ids(&ada, "?page=2&limit=4").await, bought[4..8]);
    assert_eq!(ids(&ada, "?limit=100").await, bought);
    let past = ada.get("/api/user/orders?page=7&limit=4").await.gives(200);
    assert_eq!(past, json!({ "orders": [], "page": 7, "totalPages": 3, "total": 11 }));
    let nobody = shop.new_customer("bea@example.com").await.get("/api/user/orders").await.gives(200);
    assert_eq!(nobody, json!({ "orders": [], "page": 1, "totalPages": 1, "total": 0 }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_query_that_cannot_be_used_is_refused_with_the_names_of_what_is_wrong() {
    let shop = TestShop::open().await;
    let (ada, admin) = (shop.customer().await, shop.admin().await);
    let wrong = [
        ("page=0", &["page"][..]),
        ("page=-1", &["page"]),
        ("page=1.5", &["page"]),
        ("page=one", &["page"]),
        ("page=99999999999999999999", &["page"]),
        ("limit=0", &["limit"]),
        ("limit=101", &["limit"]),
        ("limit=1e1", &["limit"]),
        ("startDate=2026-02-30", &["startDate"]),
        ("endDate=24.12.2026", &["endDate"]),
        ("startDate=2026-12-24T00:00:00Z", &["startDate"]),
        ("startDate=20261224", &["startDate"]),
        ("startDate=2026-12-25&endDate=2026-12-24", &["startDate"]),
        ("page=", &["page"]),
        ("limit=%20", &["limit"]),
        ("startDate=", &["startDate"]),
        ("endDate=", &["endDate"]),
        ("status=", &["status"]),
        ("page&limit=&startDate=&endDate=&status=", &["page", "limit", "startDate", "endDate", "status"]),
        ("page=0&limit=x&startDate=x&endDate=y", &["page", "limit", "startDate", "endDate"]),
    ];
    for (query, fields) in wrong {
        ada.get(&format!("/api/user/orders?{query}")).await.names(fields);
        admin.get(&format!("/api/admin/orders?{query}")).await.names(fields);
    }
    let twice = ada.get("/api/user/orders?page=1&page=2").await;
    assert_eq!(twice.status, 400, "{twice}");
    twice.refusal();
    // An empty search returns all orders, and numeric parameters may have a decimal point.
    admin.get("/api/admin/orders?q=").await.gives(200);
    ada.get("/api/user/orders?page=1.0&limit=5.00&colour=red").await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_and_log_ins_survive_a_restart() {
    let mut shop = TestShop::open().await;
    let (ada, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let id = ada.buys(&stripe, &one, 2).await;
    let before: Value = ada.get(&format!("/api/orders/{id}")).await.gives(200);
    let open = ada.starts_payment(&[(&one, 1)]).await;
    shop.restart().await;
    let again = shop.visitor().with_token(ada.access_token());
    assert_eq!(again.get(&format!("/api/orders/{id}")).await.gives(200), before);
    // The open payment, its reserved items and the provider's keys survive as well.
    assert_eq!(shop.light("Nudgelight One").await.available, 117);
    let stripe = shop.stripe().await;
    stripe.takes(&open, "pm_card_visa").await;
    let response = again.post("/api/orders", &json!({ "paymentIntentId": open.id })).await;
    assert!(matches!(response.status, 200 | 201), "{response}");
    shop.audit().await;
}
