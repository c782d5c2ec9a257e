//! The shop's time zone: one day for an order on every page and in every file, and daily totals that follow a change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::harness::{ADMIN, CUSTOMER, Client, PASSWORD, Person, TestShop, eventually};

const SETTINGS: &str = "/api/admin/settings";
const ZONES: &str = "/api/admin/time-zones";
const ORDERS: i64 = 12_000;

async fn sets_zone(admin: &Person, name: &str) {
    let saved = admin.patch(SETTINGS, &json!({ "time_zone": name })).await.gives(200);
    assert_eq!(saved["settings"]["time_zone"], name);
}

async fn is_in_force(shop: &TestShop) {
    let admin = shop.admin().await;
    eventually("the time zone in force", async || {
        (admin.get(ZONES).await.gives(200)["in_force"] == true).then_some(())
    })
    .await;
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
    is_in_force(&shop).await;
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
        is_in_force(&shop).await;
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
    // The totals of earlier zones are dropped later, so that requests that began with them finish.
    assert!(shop.count("SELECT COUNT(*) FROM daily_totals_zones").await > 1);
    shop.clock.advance(2 * 60_000);
    eventually("only the totals in force", async || {
        (shop.count("SELECT COUNT(*) FROM daily_totals_zones").await == 1).then_some(())
    })
    .await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM daily_order_totals WHERE zone <> 'UTC0'").await, 0);
    shop.audit().await;
}

/// Reads totals until stopped. Each is that of all orders: in the old zone or in the new one, never in between.
async fn reads_totals(admin: Person, least: i64, stopped: Arc<AtomicBool>) -> usize {
    let mut reads = 0;
    while !stopped.load(Ordering::Relaxed) {
        let total = admin.get("/api/admin/orders?limit=1").await.gives(200)["total"].as_i64().unwrap();
        assert!((least..least + 10).contains(&total), "{total} of {least}");
        let counts = admin.get("/api/admin/order-counts").await.gives(200);
        assert!((least..least + 10).contains(&counts["all"].as_i64().unwrap()), "{counts}");
        reads += 1;
    }
    reads
}

// invariant: totals-in-one-zone
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rebuild_counts_orders_that_come_and_change_meanwhile_and_continues_after_a_restart() {
    let mut shop = TestShop::open().await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    let first = shop.customer().await.buys(&stripe, &light, 1).await;
    shop.copies_its_order(ORDERS).await;
    shop.tamper(format!("UPDATE counters SET value = value + {ORDERS} WHERE name = 'order_number'")).await;
    let stopped = Arc::new(AtomicBool::new(false));
    let reader = tokio::spawn(reads_totals(shop.admin().await, ORDERS + 1, stopped.clone()));
    for (round, name) in ["America/New_York", "Asia/Kolkata", "America/Havana"].into_iter().enumerate() {
        let (admin, buyer) = (shop.admin().await, shop.customer().await);
        sets_zone(&admin, name).await;
        buyer.buys(&stripe, &light, 1).await;
        let status = ["shipped", "delivered", "processing"][round];
        admin.patch(&format!("/api/admin/order/{first}"), &json!({ "status": status })).await.gives(200);
        assert_eq!(total_mismatches(&shop).await, [] as [String; 0], "while {name} is counted");
    }
    stopped.store(true, Ordering::Relaxed);
    assert!(reader.await.unwrap() > 0);
    sets_zone(&shop.admin().await, "Pacific/Chatham").await;
    shop.restart().await;
    is_in_force(&shop).await;
    assert_eq!(total_mismatches(&shop).await, [] as [String; 0]);
    let total = shop.admin().await.get("/api/admin/orders?limit=1").await.gives(200)["total"].clone();
    assert_eq!(total, json!(ORDERS + 4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_change_to_the_new_days_at_once() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    shop.clock.advance(ms("2027-01-01T03:00:00Z") - shop.clock.now_ms());
    shop.customer().await.buys(&stripe, &light, 1).await;
    let (second, there) = shop.another_process().await;
    let admin = shop.admin().await;
    sets_zone(&admin, "America/New_York").await;
    is_in_force(&shop).await;
    let query = "?startDate=2026-12-31&endDate=2026-12-31";
    let elsewhere = admin_at(&there).await.get(&format!("/api/admin/orders{query}")).await.gives(200);
    assert_eq!(elsewhere, admin.get(&format!("/api/admin/orders{query}")).await.gives(200));
    assert_eq!(elsewhere["total"], 1);
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

    shop.restart_with(&[("SHOP_TIME_ZONE", "america/new_york")]).await;
    let admin = shop.admin().await;
    let settings = admin.get(SETTINGS).await.gives(200);
    assert_eq!(settings["settings"]["time_zone"], "America/New_York");
    assert_eq!(settings["locked"], json!({ "time_zone": "SHOP_TIME_ZONE" }));
    is_in_force(&shop).await;
    let refused = admin.patch(SETTINGS, &json!({ "time_zone": "UTC" })).await.names(&["time_zone"]);
    assert!(refused["fields"]["time_zone"].as_str().unwrap().contains("SHOP_TIME_ZONE"), "{refused}");
}
