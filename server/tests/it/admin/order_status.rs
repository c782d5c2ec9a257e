//! Changes of many orders' status, and what the order list needs around them.

use serde_json::{Value, json};

use crate::harness::{ADMIN, CUSTOMER, Person, TestShop, montreal, never};

const PREVIEW: &str = "/api/admin/order-status/preview";
const UPDATE: &str = "/api/admin/order-status";

/// A shop with the pending orders 1001, 1002 and 1003.
async fn three_orders() -> (TestShop, Person, [String; 3]) {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let ids =
        [ada.buys(&stripe, &light, 1).await, ada.buys(&stripe, &light, 1).await, ada.buys(&stripe, &light, 1).await];
    (shop, admin, ids)
}

fn with_status(preview: &Value, status: &str) -> Value {
    let orders = preview["orders"].as_array().unwrap().iter();
    let orders =
        orders.map(|order| json!({ "number": order["number"], "version": order["version"], "status": status }));
    json!({ "orders": orders.collect::<Vec<_>>() })
}

async fn edits(admin: &Person, id: &str, edit: &Value) {
    admin.patch(&format!("/api/admin/order/{id}"), edit).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dry_run_says_which_orders_change_and_the_change_is_that_of_single_edits() {
    let (shop, admin, [first, second, third]) = three_orders().await;
    edits(&admin, &second, &json!({ "status": "processing" })).await;
    edits(&admin, &first, &json!({ "status": "refunded" })).await;
    let preview = admin.get(&format!("{PREVIEW}?to=processing")).await.gives(200);
    let expected = json!([{ "number": 1003, "version": 1, "status": "pending" }]);
    assert_eq!(preview, json!({ "orders": expected, "unchanged": 1, "refunded": 1, "held": 0 }));
    let result = admin.patch(UPDATE, &with_status(&preview, "processing")).await.gives(200);
    assert_eq!(result, json!({ "changed": [{ "number": 1003, "version": 2 }], "conflicts": [] }));
    let order = admin.get(&format!("/api/admin/order/{third}")).await.gives(200);
    assert_eq!((&order["status"], &order["version"]), (&json!("processing"), &json!(2)));
    let entry = order["history"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&entry["actor"], &entry["message"]),
        (&json!(ADMIN), &json!("Status changed from pending to processing"))
    );
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_someone_else_has_changed_stays_as_it_is() {
    let (_shop, admin, [id, ..]) = three_orders().await;
    let preview = admin.get(&format!("{PREVIEW}?to=processing&numbers=1001,1002")).await.gives(200);
    edits(&admin, &id, &json!({ "tracking_number": "T1" })).await;
    let result = admin.patch(UPDATE, &with_status(&preview, "processing")).await.gives(200);
    assert_eq!(result, json!({ "changed": [{ "number": 1002, "version": 2 }], "conflicts": [1001] }));
    assert_eq!(admin.get(&format!("/api/admin/order/{id}")).await.gives(200)["status"], json!("pending"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_shipped_orders_email_each_customer_unless_they_are_not_to_be_notified() {
    let (shop, admin, _) = three_orders().await;
    let preview = admin.get(&format!("{PREVIEW}?to=shipped&numbers=1001")).await.gives(200);
    admin.patch(UPDATE, &with_status(&preview, "shipped")).await.gives(200);
    shop.mail_to(CUSTOMER, "order 1001 has shipped").await;
    let preview = admin.get(&format!("{PREVIEW}?to=shipped&status=pending")).await.gives(200);
    let mut silent = with_status(&preview, "shipped");
    silent["notify_customer"] = json!(false);
    admin.patch(UPDATE, &silent).await.gives(200);
    never("an email about 1002", async || {
        shop.mails_to(CUSTOMER).into_iter().find(|mail| mail.subject.contains("1002 has shipped"))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_orders_are_never_refunded_and_a_wrong_batch_is_refused_whole() {
    let (_shop, admin, [id, ..]) = three_orders().await;
    admin.get(&format!("{PREVIEW}?to=refunded")).await.names(&["to"]);
    admin.get(&format!("{PREVIEW}?to=lost")).await.names(&["to"]);
    admin.get(PREVIEW).await.names(&["to"]);
    admin.get(&format!("{PREVIEW}?to=shipped&country=FR&payment=owed")).await.names(&["country", "payment"]);
    let order = |number: i64, status: &str| json!({ "number": number, "version": 1, "status": status });
    let wrong = json!({ "orders": [order(1001, "shipped"), order(1002, "refunded"), order(1001, "shipped")] });
    admin.patch(UPDATE, &wrong).await.names(&["orders[1].status", "orders[2].number"]);
    admin.patch(UPDATE, &json!({ "orders": [] })).await.names(&["orders"]);
    assert_eq!(admin.get(&format!("/api/admin/order/{id}")).await.gives(200)["status"], json!("pending"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tabs_count_what_their_lists_have() {
    let (_shop, admin, [id, ..]) = three_orders().await;
    edits(&admin, &id, &json!({ "status": "processing" })).await;
    let counts = admin.get("/api/admin/order-counts").await.gives(200);
    assert_eq!(counts, json!({ "all": 3, "pending": 2, "processing": 1, "held": 0, "open_alerts": 0 }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_filtered_by_payment_country_product_and_review() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let (one, duo) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Duo").await);
    let first = ada.buys(&stripe, &one, 1).await;
    let second = ada.buys(&stripe, &duo, 1).await;
    ada.buys(&stripe, &duo, 2).await;
    edits(&admin, &second, &json!({ "address": montreal() })).await;
    edits(&admin, &first, &json!({ "status": "refunded" })).await;
    let found = async |query: &str| {
        let page = admin.get(&format!("/api/admin/orders?{query}")).await.gives(200);
        let numbers: Vec<i64> =
            page["orders"].as_array().unwrap().iter().map(|order| order["number"].as_i64().unwrap()).collect();
        assert_eq!(page["total"], json!(numbers.len()), "{query}");
        numbers
    };
    assert_eq!(found("payment=paid").await, [1003, 1002]);
    assert_eq!(found("payment=refunded").await, [1001]);
    assert_eq!(found("country=CA").await, [1002]);
    assert_eq!(found("country=us").await, [1003, 1001]);
    assert_eq!(found(&format!("product={}", duo.id)).await, [1003, 1002]);
    assert_eq!(found(&format!("product={}&country=US&payment=paid&status=pending", duo.id)).await, [1003]);
    assert_eq!(found(&format!("product={}&q=ada&payment=paid", duo.id)).await, [1003, 1002]);
    assert_eq!(found("q=ada&country=CA").await, [1002]);
    assert_eq!(found("product=nothing").await, [] as [i64; 0]);
    assert_eq!(found("open_alerts=true").await, [] as [i64; 0]);
    assert_eq!(found("q=ada&open_alerts=true").await, [] as [i64; 0]);
    for (query, field) in [
        ("payment=owed", "payment"),
        ("country=FR", "country"),
        ("product=", "product"),
        ("open_alerts=x", "open_alerts"),
    ] {
        admin.get(&format!("/api/admin/orders?{query}")).await.names(&[field]);
    }
    let neighbors = async |id: &str, query: &str| admin.get(&format!("/api/admin/order/{id}/neighbors?{query}")).await;
    let third = admin.get("/api/admin/orders?q=1003").await.gives(200)["orders"][0]["id"].clone();
    assert_eq!(neighbors(&second, "").await.gives(200), json!({ "previous": third, "next": first }));
    assert_eq!(neighbors(&second, &format!("product={}", duo.id)).await.gives(200), json!({ "previous": third }));
    assert_eq!(neighbors(&first, "q=ada&country=CA").await.gives(200), json!({ "previous": second }));
    neighbors("nothing", "").await.refuses(404, "NotFound");
    neighbors(&first, "status=lost").await.names(&["status"]);
}
