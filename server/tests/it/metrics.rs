//! Prometheus metrics, and the alert rules and the dashboard that use them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::{BEHIND_A_PROXY, BareStripe, Folder, Person, TestShop, event, eventually, is_installed_or_skip};

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
        (metric(&scrape(&shop).await, "shop_job_runs_total{job_name=\"reconcile\",outcome=\"ok\"}") > 0).then_some(())
    })
    .await;
    for private in ["@", TOKEN, &intent.id, &light.id] {
        assert!(!text.contains(private), "{private} in\n{text}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_comparison_that_failed_counts_as_a_failed_run() {
    let stripe = BareStripe::open().await;
    stripe.replies("/v1/payment_intents", 502, "text/html", "<html>Bad gateway</html>");
    let shop = TestShop::open_with(&[&stripe.vars()[..], &[("SHOP_METRICS_TOKEN", TOKEN)]].concat()).await;
    let runs = async |outcome: &str| {
        metric(&scrape(&shop).await, &format!("shop_job_runs_total{{job_name=\"reconcile\",outcome=\"{outcome}\"}}"))
    };
    eventually("the reconciler's first run", async || (runs("failed").await > 0).then_some(())).await;
    assert_eq!(runs("ok").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_without_its_database_still_tells_its_figures() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    shop.inside().platform.db.close().await;
    let text = scrape(&shop).await;
    assert_eq!(metric(&text, "shop_database_up"), 0, "{text}");
    assert!(metric(&text, "process_resident_memory_bytes") > 0, "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_is_counted_with_its_source_and_so_are_events_and_requests_to_the_provider() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let (buyer, light) = (shop.customer().await, shop.light("Nudgelight One").await);
    let before = scrape(&shop).await;
    for source in ["browser", "webhook", "reconciler"] {
        assert!(before.contains(&format!("shop_orders_total{{source=\"{source}\"}} 0")), "{before}");
    }
    // Nobody requests the order: the webhook creates it.
    let intent = shop.paid_but_gone(&buyer, &light, 2).await;
    eventually("an order", async || (shop.count_orders().await == 1).then_some(())).await;
    for kind in ["charge.updated", "something.else"] {
        let body = event(&format!("evt_{kind}"), kind, &json!({ "id": "ch_1", "object": "charge" }));
        for _ in 0..2 {
            shop.receives(&body).await.gives(200);
        }
    }
    let applied = "shop_webhook_events_total{outcome=\"applied\",type=\"payment_intent.succeeded\"}";
    let text = eventually("an applied event", async || {
        let text = scrape(&shop).await;
        (metric(&text, applied) == 1).then_some(text)
    })
    .await;
    let cents = shop.count("SELECT total FROM orders").await;
    assert_eq!(metric(&text, "shop_orders_total{source=\"webhook\"}"), 1, "{text}");
    assert_eq!(i64::try_from(metric(&text, "shop_revenue_cents_total{source=\"webhook\"}")), Ok(cents), "{text}");
    assert_eq!(metric(&text, "shop_orders_total{source=\"browser\"}"), 0, "{text}");
    // Mock Stripe sends events of its own, too.
    for outcome in ["ignored", "duplicate"] {
        let series = format!("shop_webhook_events_total{{outcome=\"{outcome}\",type=\"other\"}}");
        assert!(metric(&text, &series) >= 2, "{text}");
    }
    let made = "shop_provider_request_duration_seconds_count{call=\"POST payment_intents\",outcome=\"ok\"}";
    assert!(metric(&text, made) >= 1, "{text}");
    assert!(!text.contains(&intent.id), "calls are labeled without ids:\n{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sales_without_events_have_the_source_that_made_their_order_and_a_provider_that_fails_opens_the_circuit() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let (buyer, light, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    buyer.buys(&stripe, &light, 1).await;
    shop.paid_but_gone(&buyer, &light, 2).await;
    shop.clock.advance(60_000);
    shop.reconciles().await;
    shop.deletes_what_is_old().await;
    let text = scrape(&shop).await;
    for source in ["browser", "reconciler"] {
        assert_eq!(metric(&text, &format!("shop_orders_total{{source=\"{source}\"}}")), 1, "{text}");
        assert!(metric(&text, &format!("shop_revenue_cents_total{{source=\"{source}\"}}")) > 2_000, "{text}");
    }
    assert_eq!(metric(&text, "shop_provider_circuit_open"), 0, "{text}");
    for name in ["reconciled", "retention"] {
        let second = metric(&text, &format!("shop_{name}_timestamp_seconds"));
        assert!(i64::try_from(second).is_ok_and(|second| (second - shop.now_seconds()).abs() < 60), "{name}: {text}");
    }

    let call = json!({ "path": "/v1", "times": 1_000, "action": { "fail": { "status": 503 } } });
    stripe.misbehaves(&json!({ "calls": [call], "webhooks": { "drop_percent": 100 } })).await;
    eventually("an open circuit", async || {
        buyer.asks_to_pay(&Person::cart(&[(&light, 1)])).await;
        (metric(&scrape(&shop).await, "shop_provider_circuit_open") == 1).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refused_requests_are_counted_by_reason_and_backups_by_their_time() {
    let vars = [("SHOP_METRICS_TOKEN", TOKEN), ("SHOP_RATE_LIMITS", ""), BEHIND_A_PROXY];
    let shop = TestShop::open_with(&vars).await;
    let wrong = json!({ "username": "ada@example.com", "password": "wrong and wrong again", "recaptchaToken": "" });
    let refused = eventually("a refused login", async || {
        let response = shop.visitor().post("/api/auth/login", &wrong).await;
        (response.status == 429).then_some(())
    });
    refused.await;
    let text = scrape(&shop).await;
    assert!(metric(&text, "shop_requests_rejected_total{reason=\"TooManyRequests\"}") >= 1, "{text}");

    assert_eq!(metric(&text, "shop_backup_timestamp_seconds"), 0, "{text}");
    let now = shop.now_seconds();
    server::operations::backup::save_time(&shop.inside().platform.db, now * 1_000 + 999).await.unwrap();
    let text = scrape(&shop).await;
    assert_eq!(i64::try_from(metric(&text, "shop_backup_timestamp_seconds")), Ok(now), "{text}");
    assert!(metric(&text, "shop_database_size_bytes") > 100_000, "{text}");
    assert!(metric(&text, "shop_disk_free_bytes") > 0, "{text}");
    assert!(metric(&text, "shop_database_write_wait_seconds_count") > 0, "{text}");
}

fn monitoring(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/monitoring").join(file)
}

/// The queries of the dashboard.
fn queries() -> Vec<String> {
    let board: Value = serde_json::from_slice(&std::fs::read(monitoring("dashboard.json")).unwrap()).unwrap();
    let panels = board["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

/// The shop's metrics in a text, without the endings of a histogram's series.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| ["shop_", "http_", "process_"].iter().any(|prefix| word.starts_with(prefix)));
    let series = names.map(|name| {
        let ending = ["_bucket", "_sum", "_count"].into_iter().find_map(|ending| name.strip_suffix(ending));
        ending.unwrap_or(name).to_owned()
    });
    series.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_metric_of_the_alert_rules_and_the_dashboard_exists() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let (buyer, light, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    buyer.buys(&stripe, &light, 1).await;
    shop.receives(&event("evt_other", "charge.updated", &json!({ "id": "ch_1", "object": "charge" }))).await.gives(200);
    shop.inside().http.overload_log.count(
        "/cart",
        &server::error::LimitExceeded { code: server::error::Code::Overloaded, cause: None, is_database: true },
    );
    let exported = scrape(&shop).await;
    let exported: BTreeSet<&str> =
        exported.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let rules = std::fs::read_to_string(monitoring("alerts.yaml")).unwrap();
    let guide = include_str!("../../../docs/guide/operate.md");
    for text in [rules, queries().join("\n"), guide.replace("process_…", "")] {
        let missing: Vec<String> = named(&text).into_iter().filter(|name| !exported.contains(name.as_str())).collect();
        assert_eq!(missing, Vec::<String>::new());
    }
}

#[test]
fn every_fault_raises_its_alert_and_every_query_can_be_read() {
    const PROMTOOL: &str = "/usr/bin/promtool";
    if !is_installed_or_skip(PROMTOOL) {
        return;
    }
    let succeeds = |arguments: [&str; 2], file: &Path| {
        let output = Command::new(PROMTOOL).args(arguments).arg(file).output().unwrap();
        let [out, errors] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "{out}{errors}");
    };
    succeeds(["check", "rules"], &monitoring("alerts.yaml"));
    succeeds(["test", "rules"], &monitoring("alerts.test.yaml"));
    // Each alert has a fault in the tests.
    let [rules, tests] =
        ["alerts.yaml", "alerts.test.yaml"].map(|file| std::fs::read_to_string(monitoring(file)).unwrap());
    for alert in rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        assert!(tests.lines().any(|line| line.trim() == format!("alertname: {alert}")), "{alert} has no test");
    }
    let folder = Folder::new();
    let file = folder.path().join("queries.json");
    let rules: Vec<Value> = (0..)
        .zip(queries())
        .map(|(number, query)| {
            json!({ "record": format!("query:{number}"), "expr": query.replace("[$__rate_interval]", "[5m]") })
        })
        .collect();
    std::fs::write(&file, json!({ "groups": [{ "name": "dashboard", "rules": rules }] }).to_string()).unwrap();
    succeeds(["check", "rules"], &file);
}
