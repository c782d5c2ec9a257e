//! Prometheus metrics.

use crate::harness::{TestShop, eventually};

const TOKEN: &str = "figures for the test";

async fn scrape(shop: &TestShop) -> String {
    let response = shop.visitor().with_token(TOKEN).get("/metrics").await;
    assert_eq!(response.status, 200, "{response}");
    response.text
}

/// The value of a metric with its labels, or 0 if it is missing.
fn metric(text: &str, name: &str) -> u64 {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_are_told_to_those_with_the_token_and_where_there_is_none_to_nobody() {
    let without = TestShop::open().await;
    without.visitor().get("/metrics").await.refuses(404, "NotFound");
    without.visitor().with_token("").get("/metrics").await.refuses(404, "NotFound");

    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let admin = shop.admin().await;
    shop.visitor().get("/metrics").await.refuses(401, "Unauthenticated");
    admin.get("/metrics").await.refuses(401, "Unauthenticated");
    shop.visitor().with_token(&TOKEN[1..]).get("/metrics").await.refuses(401, "Unauthenticated");
    let response = shop.visitor().with_token(TOKEN).get("/metrics").await;
    assert_eq!(response.status, 200, "{response}");
    assert!(response.header("content-type").is_some_and(|kind| kind.starts_with("text/plain; version=0.0.4")));
    assert_eq!(response.header("cache-control"), Some("no-store"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_are_counted_by_route_whether_their_answers_were_kept_or_not() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let visitor = shop.visitor();
    let counted = |text: &str, route: &str, status: u16| {
        metric(
            text,
            &format!("http_request_duration_seconds_count{{method=\"GET\",route=\"{route}\",status=\"{status}\"}}"),
        )
    };
    let before = scrape(&shop).await;
    for path in ["/products/nudgelight-one", "/products/nudgelight-mini", "/api/products/nothing", "/about", "/nothing"]
    {
        for _ in 0..3 {
            visitor.get(path).await;
        }
    }
    let text = scrape(&shop).await;
    for (route, status, more) in
        [("/products/{name}", 200, 6), ("/api/products/{id}", 404, 3), ("other", 200, 3), ("other", 404, 3)]
    {
        assert_eq!(counted(&text, route, status), counted(&before, route, status) + more, "{route} {status}\n{text}");
    }
    assert!(!text.contains("nudgelight-one"), "requests are labeled by route, not by path:\n{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_is_told_and_whose_it_is_is_not() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let (customer, light) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = customer.starts_payment(&[(&light, 1)]).await;
    shop.reconciles().await;
    let text = scrape(&shop).await;
    assert_eq!(metric(&text, "shop_checkouts_open"), 1, "{text}");
    assert_eq!(metric(&text, "shop_database_up"), 1, "{text}");
    assert_eq!(metric(&text, &format!("shop_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"))), 1, "{text}");
    assert!(metric(&text, "process_resident_memory_bytes") > 1_000_000, "{text}");
    let writers = ["idle", "busy"]
        .map(|state| metric(&text, &format!("shop_database_connections{{pool=\"write\",state=\"{state}\"}}")));
    assert!(writers.iter().sum::<u64>() > 0, "{text}");
    for name in [
        "shop_open_alerts",
        "shop_outbox_pending",
        "shop_outbox_oldest_seconds",
        "shop_outbox_failed",
        "shop_webhook_events_pending",
        "shop_webhook_oldest_seconds",
        "shop_tax_records_pending",
    ] {
        assert!(text.lines().any(|line| line.starts_with(&format!("{name} "))), "{name} in\n{text}");
    }
    eventually("the reconciler's first run", async || {
        (metric(&scrape(&shop).await, "shop_job_runs_total{job=\"reconcile\",outcome=\"ok\"}") > 0).then_some(())
    })
    .await;
    for private in ["@", TOKEN, &intent.id, &light.id] {
        assert!(!text.contains(private), "{private} in\n{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_without_its_database_still_tells_its_figures() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    shop.inside().platform.db.close().await;
    let text = scrape(&shop).await;
    assert_eq!(metric(&text, "shop_database_up"), 0, "{text}");
    assert!(metric(&text, "process_resident_memory_bytes") > 0, "{text}");
}
