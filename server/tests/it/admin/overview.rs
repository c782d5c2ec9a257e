use serde_json::{Value, json};

use crate::harness::{ADMIN, Person, TestShop, event, eventually};

const DAY: i64 = 24 * 60 * 60_000;

async fn overview(admin: &Person) -> Value {
    admin.get("/api/admin/overview").await.gives(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_overview_of_a_new_shop_is_thirty_quiet_days() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let seen = overview(&admin).await;
    let nothing = json!({ "orders": 0, "sales": 0.0 });
    assert_eq!([&seen["today"], &seen["last_7_days"], &seen["last_30_days"]], [&nothing; 3]);
    let days = seen["days"].as_array().unwrap();
    assert_eq!(days.len(), 30);
    let today = server::infra::clock::utc_day(shop.clock.now_ms());
    assert_eq!(days[29], json!({ "day": today, "orders": 0, "sales": 0.0, "page_views": 0 }));
    assert_eq!(seen["open_orders"], json!({ "pending": 0, "processing": 0, "held": 0, "shipped": 0 }));
    assert_eq!((&seen["top_products"], &seen["alerts"]), (&json!([]), &json!([])));
    // One sample product starts with low stock.
    let scarce: Vec<i64> =
        seen["low_stock"].as_array().unwrap().iter().map(|product| product["available"].as_i64().unwrap()).collect();
    assert!(!scarce.is_empty() && scarce.is_sorted() && scarce.iter().all(|available| *available < 5), "{seen}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partly_refunded_order_counts_with_what_remains_and_a_fully_refunded_one_in_neither_figure() {
    let shop = TestShop::open().await;
    let (ada, stripe) = (shop.customer().await, shop.stripe().await);
    let (one, mini) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Mini").await);
    let returned = ada.buys(&stripe, &mini, 1).await;
    ada.buys(&stripe, &one, 2).await;
    let admin = shop.admin().await;
    let first = overview(&admin).await;
    assert_eq!(first["today"]["orders"], 2);
    let last_intent = shop.texts("SELECT payment_intent_id FROM orders WHERE number = 1002").await.remove(0);
    let products: Vec<(&str, i64)> = sold(&first);
    assert_eq!(products, [("Nudgelight One", 2), ("Nudgelight Mini", 1)]);

    let edit = json!({ "status": "refunded", "restock": true });
    admin.patch(&format!("/api/admin/order/{returned}"), &edit).await.gives(200);
    shop.clock.advance(DAY);
    let (ada, admin) = (shop.customer().await, shop.admin().await);
    let last = ada.buys(&stripe, &one, 1).await;
    admin.patch(&format!("/api/admin/order/{last}"), &json!({ "status": "processing" })).await.gives(200);
    let seen = overview(&admin).await;
    assert_eq!((&seen["today"]["orders"], &seen["last_7_days"]["orders"]), (&json!(1), &json!(2)));
    assert_eq!(seen["last_7_days"], seen["last_30_days"]);
    let total = async |id: &str| admin.get(&format!("/api/admin/order/{id}")).await.gives(200)["total"].clone();
    assert_eq!(seen["today"]["sales"], total(&last).await);
    let yesterday = &seen["days"][28];
    let kept = admin.get("/api/admin/orders?q=1002").await.gives(200)["orders"][0]["total"].clone();
    let counted = |day: &Value| (day["orders"].clone(), day["sales"].clone());
    assert_eq!(counted(yesterday), (json!(1), kept), "the refunded order is not counted");
    assert_eq!(sold(&seen), [("Nudgelight One", 3)]);
    assert_eq!(seen["open_orders"], json!({ "pending": 1, "processing": 1, "held": 0, "shipped": 0 }));

    // Refunds in the provider's dashboard leave the order status unchanged, but reduce sales like any other refund.
    let refunds = async |amount: &str| {
        let fields = [("payment_intent", last_intent.as_str()), ("amount", amount)];
        stripe.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
        shop.reconciles().await;
        counted(&overview(&admin).await["days"][28])
    };
    assert_eq!(refunds("1000").await, (json!(1), json!(49.8)));
    assert_eq!(refunds("4980").await, (json!(0), json!(0.0)));
    shop.audit().await;
}

fn sold(overview: &Value) -> Vec<(&str, i64)> {
    let products = overview["top_products"].as_array().unwrap();
    products.iter().map(|product| (product["name"].as_str().unwrap(), product["sold"].as_i64().unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_views_are_counted_by_day_and_by_page() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in ["/about", "/", "/about", "/admin/orders"] {
        visitor.post("/api/pageviews", &json!({ "path": path })).await.gives(204);
    }
    let seen = overview(&shop.admin().await).await;
    assert_eq!(seen["days"][29]["page_views"], 3);
    assert_eq!(seen["top_pages"], json!([{ "path": "/about", "views": 2 }, { "path": "/", "views": 1 }]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_alerts_are_listed_until_an_administrator_has_resolved_them() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let id = ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let intent_id = shop.texts("SELECT payment_intent_id FROM orders").await.remove(0);
    let dispute = json!({ "id": "dp_1", "object": "dispute", "payment_intent": intent_id });
    shop.is_disputed_as("dp_1", &intent_id).await;
    shop.receives(&event("evt_hand1", "charge.dispute.created", &dispute)).await.gives(200);
    let halo = shop.light("Nudgelight Halo").await;
    let lost = ada.starts_payment(&[(&halo, 2)]).await;
    shop.sets_stock(&halo, 0).await;
    stripe.takes(&lost, "pm_card_visa").await;
    ada.asks_for_order(&lost.id).await.refuses(409, "IntentExpired");

    let listed = eventually("both", async || {
        let listed = overview(&admin).await["alerts"].clone();
        (listed.as_array().unwrap().len() == 2).then_some(listed)
    })
    .await;
    let (order, payment) = (&listed[0], &listed[1]);
    assert_eq!(order["order"], json!({ "id": id, "number": 1001 }));
    assert_eq!((&order["kind"], &payment["kind"]), (&json!("dispute_opened"), &json!("payment_refunded")));
    let message = order["message"].as_str().unwrap();
    assert!(message.starts_with("Visa ending in 4242 disputes $"), "{message}");
    let message = payment["message"].as_str().unwrap();
    assert!(message.contains(&lost.id) && message.contains("sold out"), "{listed}");
    assert!(payment.get("order").is_none(), "{listed}");

    let path = |id: &Value| format!("/api/admin/alerts/{}/resolve", id.as_str().unwrap());
    let settles = async |id: &Value| admin.post(&path(id), &json!({})).await;
    for _ in 0..2 {
        settles(&order["id"]).await.gives(204);
        settles(&payment["id"]).await.gives(204);
    }
    settles(&json!("nothing")).await.refuses(404, "NotFound");
    ada.post(&path(&order["id"]), &json!({})).await.refuses(403, "Forbidden");
    assert_eq!(overview(&admin).await["alerts"], json!([]));
    let order = admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
    assert_eq!(order["alerts"], json!([]));
    let said = order["history"].as_array().unwrap().iter().filter(|entry| {
        entry["message"].as_str().unwrap().starts_with("Resolved: Visa ending in 4242 disputes $")
            && entry["actor"] == ADMIN
    });
    assert_eq!(said.count(), 1, "{order}");
    let settled = shop.texts("SELECT resolved_by FROM alerts").await;
    assert_eq!(settled, [ADMIN, ADMIN]);
}
