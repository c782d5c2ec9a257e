//! The announcement bar: above every server-rendered page, through its last day.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Person, TestShop, eventually};

const DAY: i64 = 86_400_000;
const BAR: &str = "<aside aria-label=\"Announcement\"";

async fn announces(admin: &Person, announcement: Value) -> Value {
    admin.patch("/api/admin/settings", &json!({ "announcement": announcement })).await.gives(200)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_announcement_is_on_every_public_page_until_it_is_removed() {
    let shop = TestShop::open().await;
    let (admin, visitor) = (shop.admin().await, shop.visitor());
    let pages = ["/", "/about", "/terms", "/products", "/products/nudgelight-one", "/products/nothing"];
    for page in pages {
        assert!(!visitor.get(page).await.text.contains(BAR), "{page}");
    }
    announces(&admin, json!({ "text": " Order by December 18. ", "link": "/shipping-and-returns" })).await;
    for page in pages {
        let shown = visitor.get(page).await;
        shown.has(&[BAR, "<a href=\"/shipping-and-returns\">Order by December 18.</a>", "<meta name=\"announcement\""]);
        let (bar, header) = (shown.text.find(BAR), shown.text.find("<header"));
        assert!(bar < header, "{page}: above the header");
    }
    let config = visitor.get("/api/config").await.gives(200);
    assert_eq!(config["announcement"]["text"], "Order by December 18.");
    for page in ["/login", "/checkout", "/admin/orders"] {
        assert!(!visitor.get(page).await.text.contains(BAR), "{page}");
    }
    for removed in [json!({ "text": "" }), Value::Null] {
        announces(&admin, json!({ "text": "Order by December 18." })).await;
        visitor.get("/").await.has(&[BAR]);
        announces(&admin, removed).await;
        for page in pages {
            assert!(!visitor.get(page).await.text.contains(BAR), "{page}");
        }
    }
    assert_eq!(visitor.get("/api/config").await.gives(200)["announcement"], Value::Null);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_announcement_ends_after_its_last_day_also_on_cached_pages() {
    let shop = TestShop::open().await;
    let (admin, visitor) = (shop.admin().await, shop.visitor());
    let tomorrow = server::infra::clock::utc_day(shop.clock.now_ms() + DAY);
    announces(&admin, json!({ "text": "Sale", "last_day": tomorrow })).await;
    visitor.get("/").await.has(&[BAR]);
    // Longer than the shop's polling interval, in which no announcement comes and goes outside of tests.
    tokio::time::sleep(Duration::from_secs(3)).await;
    shop.clock.advance(2 * DAY);
    eventually("the page without it", async || (!visitor.get("/").await.text.contains(BAR)).then_some(())).await;
    assert_eq!(visitor.get("/api/config").await.gives(200)["announcement"], Value::Null);
    let admin = shop.admin().await;
    let settings = admin.get("/api/admin/settings").await.gives(200);
    assert_eq!(settings["settings"]["announcement"]["text"], "Sale", "administrators still see it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hostile_announcement_is_text_and_a_link_that_runs_a_script_is_refused() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let text = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    announces(&admin, json!({ "text": text, "link": "/\"onclick=\"alert(1)" })).await;
    let page = shop.visitor().get("/").await;
    for part in ["<script>alert", "<img src=x", "href=\"/\"onclick"] {
        assert!(!page.text.contains(part), "{part} in {page}");
    }
    assert_eq!(page.embedded()["config"]["announcement"]["text"], text);
    for (announcement, field) in [
        (json!({ "text": "x", "link": "javascript:alert(1)" }), "announcement.link"),
        (json!({ "text": "x", "link": "//evil.example" }), "announcement.link"),
        (json!({ "text": "x", "last_day": "soon" }), "announcement.last_day"),
        (json!({ "text": "x".repeat(201) }), "announcement.text"),
        (json!({ "text": "one\ntwo" }), "announcement.text"),
        (json!({ "text": 1 }), "announcement.text"),
        (json!({}), "announcement.text"),
    ] {
        admin.patch("/api/admin/settings", &json!({ "announcement": announcement })).await.names(&[field]);
    }
}
