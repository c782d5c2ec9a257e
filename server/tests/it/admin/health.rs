//! The health report.

use serde_json::{Value, json};

use crate::harness::TestShop;

const HOUR: i64 = 60 * 60_000;

async fn report(shop: &TestShop) -> Value {
    shop.admin().await.get("/api/admin/health").await.gives(200)
}

fn names_the_clock(report: &Value) -> bool {
    report["problems"].as_array().unwrap().contains(&json!("clocks_differ"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_an_hour_off_the_databases_is_named_and_the_shop_stays_open() {
    let Some(shop) = TestShop::on_postgres().await else { return };
    let before = report(&shop).await;
    assert!(!names_the_clock(&before), "{before}");
    shop.clock.advance(-HOUR);
    let after = report(&shop).await;
    assert!(names_the_clock(&after), "{after}");
    let behind = before["clock_ahead_ms"].as_i64().unwrap() - after["clock_ahead_ms"].as_i64().unwrap();
    assert!(behind > HOUR / 2, "{after}");
    assert_eq!(shop.visitor().get("/readyz/database").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_has_no_clock_of_its_own() {
    let shop = TestShop::on_sqlite().await;
    shop.clock.advance(-HOUR);
    let report = report(&shop).await;
    assert_eq!(report.get("clock_ahead_ms"), None);
    assert!(!names_the_clock(&report), "{report}");
}
