//! The shop's time zone: one day for an order on every page and in every file, and daily totals that follow a change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use server::db::Db;
use server::error::Error;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::harness::{ADMIN, CUSTOMER, Client, PASSWORD, Person, TestShop};

const SETTINGS: &str = "/api/admin/settings";
const ZONES: &str = "/api/admin/time-zones";
const ORDERS: i64 = 12_000;

async fn sets_zone(admin: &Person, name: &str) {
    let saved = admin.patch(SETTINGS, &json!({ "time_zone": name })).await.gives(200);
    assert_eq!(saved["settings"]["time_zone"], name);
}

/// Findings about daily totals. Copied orders break other invariants.
async fn total_mismatches(shop: &TestShop) -> Vec<String> {
    shop.findings().await.into_iter().filter(|finding| finding.starts_with("I9")).collect()
}

fn ms(instant: &str) -> i64 {
    instant.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}

/// `12/31/2026`
fn displayed(day: &str) -> String {
    let (year, rest) = day.split_once('-').unwrap();
    format!("{}/{year}", rest.replace('-', "/"))
}

/// Midnights of New York: New Year, both clock changes, and a leap day.
const AROUND_MIDNIGHT: &[(&str, &str)] = &[
    ("2027-01-01T04:59:00Z", "2026-12-31"),
    ("2027-01-01T05:01:00Z", "2027-01-01"),
    ("2027-03-14T04:59:00Z", "2027-03-13"),
    ("2027-03-14T05:01:00Z", "2027-03-14"),
    ("2027-03-15T03:59:00Z", "2027-03-14"),
    ("2027-03-15T04:01:00Z", "2027-03-15"),
    ("2027-11-07T03:59:00Z", "2027-11-06"),
    ("2027-11-08T04:59:00Z", "2027-11-07"),
    ("2027-11-08T05:01:00Z", "2027-11-08"),
    ("2028-02-29T04:59:00Z", "2028-02-28"),
    ("2028-03-01T04:59:00Z", "2028-02-29"),
];

// invariant: one-day-everywhere
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_list_filter_csv_email_slip_and_report_agree_on_the_day_of_an_order_around_midnight() {
    let shop = TestShop::open().await;
    sets_zone(&shop.admin().await, "America/New_York").await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    for (number, (instant, day)) in (1001..).zip(AROUND_MIDNIGHT) {
        shop.clock.advance(ms(instant) - shop.clock.now_ms());
        let (buyer, admin) = (shop.customer().await, shop.admin().await);
        let id = buyer.buys(&stripe, &light, 1).await;
        let filter = format!("startDate={day}&endDate={day}");

        let order = buyer.get(&format!("/api/orders/{id}")).await.gives(200);
        assert!(order["order_date"].as_str().unwrap().starts_with(&instant[..16]), "{order}");
        assert!(order["order_date_local"].as_str().unwrap().starts_with(day), "{order}");
        let of_admin = admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
        assert!(of_admin["history"][0]["created_at_local"].as_str().unwrap().starts_with(day), "{of_admin}");
        for list in ["/api/user/orders", "/api/admin/orders"] {
            let person = if list.contains("admin") { &admin } else { &buyer };
            let page = person.get(&format!("{list}?{filter}")).await.gives(200);
            let listed = page["orders"].as_array().unwrap();
            assert!(listed.iter().any(|order| order["id"] == *id), "{list} {day}: {page}");
            for order in listed {
                assert!(order["order_date_local"].as_str().unwrap().starts_with(day), "{list} {day}: {page}");
            }
        }
        let csv = admin.get(&format!("/api/admin/orders.csv?{filter}")).await.text;
        let row = csv.lines().find(|line| line.starts_with(&number.to_string())).unwrap();
        assert!(row.split(',').nth(1).unwrap().starts_with(day), "{row}");
        let labels = admin.get(&format!("/api/admin/orders.csv?columns=ship_station&{filter}")).await.text;
        assert!(labels.contains(&format!("{number},{} ", day.replace('-', "/"))), "{labels}");
        let slip = admin.get(&format!("/api/admin/packing-slips?numbers={number}")).await.text;
        assert!(slip.contains(&displayed(day)), "{slip}");
        let mail = shop.mail_to(CUSTOMER, &format!("order {number} is confirmed")).await;
        assert!(mail.text.contains(&displayed(day)), "{}", mail.text);
        let journal = admin.get(&format!("/api/admin/journal?from={day}&to={day}")).await.text;
        assert!(journal.contains(&format!("{day} * (NL-{number})")), "{journal}");
        let month = &day[..7];
        let report = admin.get(&format!("/api/admin/tax-report?from={month}&to={month}")).await.gives(200);
        assert!(report["collected"].as_f64().unwrap() > 0.0, "{report}");
        let overview = admin.get("/api/admin/overview").await.gives(200);
        assert_eq!(overview["days"][29]["day"], *day, "{overview}");
        assert!(overview["today"]["orders"].as_i64().unwrap() > 0, "{overview}");
        assert_eq!(overview["today"]["orders"], overview["days"][29]["orders"]);
        let total = admin.get(&format!("/api/admin/orders?{filter}")).await.gives(200)["total"].clone();
        assert_eq!(total, overview["today"]["orders"]);
    }
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_moves_every_order_to_its_new_day_and_back() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    shop.clock.advance(ms("2027-01-01T03:00:00Z") - shop.clock.now_ms());
    let id = shop.customer().await.buys(&stripe, &light, 2).await;
    let admin = shop.admin().await;
    for (name, day) in [
        ("UTC", "2027-01-01"),
        ("America/New_York", "2026-12-31"),
        ("America/Toronto", "2026-12-31"),
        ("Asia/Kathmandu", "2027-01-01"),
        ("America/New_York", "2026-12-31"),
        ("UTC", "2027-01-01"),
    ] {
        sets_zone(&admin, name).await;
        let order = admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
        assert!(order["order_date_local"].as_str().unwrap().starts_with(day), "{name}: {order}");
        let filtered = admin.get(&format!("/api/admin/orders?startDate={day}&endDate={day}")).await.gives(200);
        assert_eq!(filtered["total"], 1, "{name}");
        let overview = admin.get("/api/admin/overview").await.gives(200);
        let sold: Vec<&Value> = overview["days"].as_array().unwrap().iter().filter(|day| day["orders"] == 1).collect();
        assert_eq!(sold.iter().map(|sold| &sold["day"]).collect::<Vec<_>>(), [day], "{name}");
        assert_eq!(overview["top_products"][0]["sold"], 2, "{name}");
        shop.audit().await;
    }
    let history = admin.get("/api/admin/settings/history?name=time_zone").await.gives(200);
    let latest = &history["changes"][0];
    assert_eq!((&latest["before"], &latest["value"]), (&json!("America/New_York"), &json!("UTC")));
}

/// Reads the orders of a day until stopped: all of them or none, and as many as the total says. Only a reader with the
/// totals of one zone and the days of another finds a total without orders, or orders without a total.
async fn reads_a_day(admin: Person, day: &str, least: i64, stopped: Arc<AtomicBool>) -> usize {
    let mut reads = 0;
    while !stopped.load(Ordering::Relaxed) {
        let page = admin.get(&format!("/api/admin/orders?limit=1&startDate={day}&endDate={day}")).await.gives(200);
        let total = page["total"].as_i64().unwrap();
        assert!(total == 0 || (least..least + 10).contains(&total), "{total} of {least}");
        assert_eq!(total > 0, page["orders"][0].is_object(), "{page}");
        let counts = admin.get("/api/admin/order-counts").await.gives(200);
        assert!((least..least + 10).contains(&counts["all"].as_i64().unwrap()), "{counts}");
        reads += 1;
    }
    reads
}

// invariant: totals-in-one-zone
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_counts_orders_that_come_and_change_meanwhile_and_readers_see_one_zone_or_the_other() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    shop.clock.advance(ms("2027-01-01T03:00:00Z") - shop.clock.now_ms());
    let first = shop.customer().await.buys(&stripe, &light, 1).await;
    shop.copies_its_order(ORDERS).await;
    shop.continues_order_numbers().await;
    let stopped = Arc::new(AtomicBool::new(false));
    let readers = ["2026-12-31", "2027-01-01"];
    let admin = shop.admin().await;
    let readers = readers.map(|day| tokio::spawn(reads_a_day(admin.clone(), day, ORDERS + 1, stopped.clone())));
    for (round, name) in ["America/New_York", "Asia/Kolkata", "America/Havana", "UTC"].into_iter().enumerate() {
        let buyer = shop.customer().await;
        let sells = async {
            buyer.buys(&stripe, &light, 1).await;
            let status = ["shipped", "delivered", "processing", "shipped"][round];
            admin.patch(&format!("/api/admin/order/{first}"), &json!({ "status": status })).await.gives(200);
        };
        tokio::join!(sets_zone(&admin, name), sells);
        assert_eq!(total_mismatches(&shop).await, [] as [String; 0], "in {name}");
    }
    stopped.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
    let total = shop.admin().await.get("/api/admin/orders?limit=1").await.gives(200)["total"].clone();
    assert_eq!(total, json!(ORDERS + 5));
}

/// Locks the zone in force like a change of it, until `release` is notified.
async fn locks_the_zone(db: &Db, release: &Arc<Notify>) -> JoinHandle<Result<(), Error>> {
    let locked = Arc::new(Notify::new());
    let (db, args) = (db.clone(), (locked.clone(), release.clone()));
    let change = tokio::spawn(async move {
        db.write_within(Duration::from_secs(60), args, |tx, (locked, release)| {
            Box::pin(async move {
                server::time_zone::store::load_locked(tx).await?;
                locked.notify_one();
                release.notified().await;
                Ok(())
            })
        })
        .await
    });
    locked.notified().await;
    change
}

// invariant: zone-change-blocks-no-read
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn during_a_change_reads_go_on_and_sales_and_edits_of_orders_are_told_when_to_try_again() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    let (admin, buyer) = (shop.admin().await, shop.customer().await);
    let id = buyer.buys(&stripe, &light, 1).await;
    stripe.drops_webhooks().await;
    let paid = buyer.starts_payment(&[(&light, 1)]).await;
    stripe.takes(&paid, "pm_card_visa").await;
    let release = Arc::new(Notify::new());
    let change = locks_the_zone(&shop.inside().platform.db, &release).await;

    let order = format!("/api/admin/order/{id}");
    let shipped = json!({ "status": "shipped" });
    let refused = admin.patch(&order, &shipped).await;
    refused.refuses(503, "Overloaded");
    assert!(refused.header("retry-after").is_some(), "{refused}");
    let sale = buyer.asks_for_order(&paid.id).await;
    sale.refuses(503, "Overloaded");
    assert!(sale.header("retry-after").is_some(), "{sale}");
    for path in ["/api/admin/orders", "/api/admin/overview", "/api/products", "/readyz/database"] {
        assert_eq!(admin.get(path).await.status, 200, "{path}");
    }
    assert_eq!(admin.get(&order).await.gives(200)["status"], "pending");

    release.notify_one();
    change.await.unwrap().unwrap();
    admin.patch(&order, &shipped).await.gives(200);
    assert!(matches!(buyer.asks_for_order(&paid.id).await.status, 200 | 201));
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_change_to_the_new_days_at_once_and_count_in_them() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    shop.clock.advance(ms("2027-01-01T03:00:00Z") - shop.clock.now_ms());
    let id = shop.customer().await.buys(&stripe, &light, 1).await;
    let (second, there) = shop.another_process().await;
    let (admin, elsewhere) = (shop.admin().await, admin_at(&there).await);
    sets_zone(&admin, "America/New_York").await;
    // The second process has the previous zone in memory for another moment.
    elsewhere.patch(&format!("/api/admin/order/{id}"), &json!({ "status": "shipped" })).await.gives(200);
    let query = "?startDate=2026-12-31&endDate=2026-12-31";
    let listed = elsewhere.get(&format!("/api/admin/orders{query}")).await.gives(200);
    assert_eq!(listed, admin.get(&format!("/api/admin/orders{query}")).await.gives(200));
    assert_eq!(listed["total"], 1);
    second.stop().await;
    shop.audit().await;
}

/// The administrator at another process of the shop.
async fn admin_at(there: &Client) -> Person {
    let login = json!({ "username": ADMIN, "password": PASSWORD, "recaptchaToken": null });
    Person::of(there, &there.post("/api/auth/login", &login).await.gives(200))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_environment_variable_locks_the_zone_and_a_wrong_name_is_refused_by_its_field() {
    let mut shop = TestShop::open().await;
    let admin = shop.admin().await;
    for wrong in [json!("Mars/Olympus_Mons"), json!(""), json!("EST5EDT,M3.2.0,M11.1.0"), json!("New York")] {
        admin.patch(SETTINGS, &json!({ "time_zone": wrong })).await.names(&["time_zone"]);
    }
    assert_eq!(admin.patch(SETTINGS, &json!({ "time_zone": null })).await.status, 400);
    sets_zone(&admin, "Asia/Tokyo").await;
    let choices = admin.get(ZONES).await.gives(200);
    let tokyo = choices["zones"].as_array().unwrap().iter().find(|zone| zone["name"] == "Asia/Tokyo").unwrap();
    assert_eq!(tokyo["offset"], "+09:00");
    assert!(choices["zones"].as_array().unwrap().len() > 400);
    assert_eq!(choices["change_seconds"], 1);

    shop.restart_with(&[("SHOP_TIME_ZONE", "america/new_york")]).await;
    let admin = shop.admin().await;
    let settings = admin.get(SETTINGS).await.gives(200);
    assert_eq!(settings["settings"]["time_zone"], "America/New_York");
    assert_eq!(settings["locked"], json!({ "time_zone": "SHOP_TIME_ZONE" }));
    let rule = shop.texts("SELECT value FROM shop_metadata WHERE name = 'time_zone_rule'").await;
    assert_eq!(rule, ["EST5EDT,M3.2.0,M11.1.0"]);
    let refused = admin.patch(SETTINGS, &json!({ "time_zone": "UTC" })).await.names(&["time_zone"]);
    assert!(refused["fields"]["time_zone"].as_str().unwrap().contains("SHOP_TIME_ZONE"), "{refused}");
}
