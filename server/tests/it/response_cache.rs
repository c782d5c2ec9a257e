//! Response cache: public responses are rendered once per version of the catalog, and match the current version.

use std::collections::BTreeSet;

use serde_json::json;

use crate::harness::{ApiResponse, Client, Forger, TestShop, eventually, together};

const TOKEN: &str = "figures for the test";

/// Every cached path.
const PATHS: [&str; 17] = [
    "/",
    "/products",
    "/products/nudgelight-one",
    "/products?page=2",
    "/api/products",
    "/api/product-names",
    "/api/products/nudgelight-one",
    "/api/products/nudgelight-one/buy-button",
    "/images/nudgelight-one.svg",
    "/sdk/index.json",
    "/sitemap.xml",
    "/feeds/google.xml",
    "/robots.txt",
    "/manifest.webmanifest",
    "/favicon.svg",
    "/openapi.json",
    "/docs",
];

async fn available(client: &Client) -> i64 {
    client.get("/api/products/nudgelight-one").await.gives(200)["available"].as_i64().unwrap()
}

async fn etag(client: &Client, path: &str) -> String {
    client.get(path).await.header("etag").unwrap_or_else(|| panic!("{path} has no tag")).to_owned()
}

async fn revalidate(client: &Client, method: &str, path: &str, tag: &str) -> ApiResponse {
    client.send(client.request(method, path).header("if-none-match", tag)).await
}

async fn metric(shop: &TestShop, name: &str) -> u64 {
    let text = shop.visitor().with_token(TOKEN).get("/metrics").await.text;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok()).unwrap_or_else(|| panic!("no {name}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_shows_in_the_next_answer_of_the_process_that_made_it() {
    let shop = TestShop::open().await;
    let (visitor, admin, light) = (shop.visitor(), shop.admin().await, shop.light("Nudgelight One").await);
    for stock in 200..220 {
        admin.patch(&format!("/api/products/{}/stock", light.id), &json!({ "stock": stock })).await.gives(200);
        let list = visitor.get("/api/products").await.gives(200);
        assert_eq!((&list[0]["stock"], available(&visitor).await), (&json!(stock), stock));
        for page in ["/", "/products", "/products/nudgelight-one"] {
            let shown = visitor.get(page).await;
            assert!(shown.text.contains(&format!("\"stock\":{stock},")), "{stock}: {shown}");
        }
    }
    admin.patch(&format!("/api/products/{}", light.id), &json!({ "active": false })).await.gives(200);
    visitor.get("/api/products/nudgelight-one").await.refuses(404, "NotFound");
    assert!(!visitor.get("/sitemap.xml").await.text.contains("/products/nudgelight-one<"));
    assert_eq!(visitor.get("/products/nudgelight-one").await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_reserved_and_sold_shows_at_once_and_changes_the_tag() {
    let shop = TestShop::open().await;
    let (visitor, customer, stripe) = (shop.visitor(), shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let before = (available(&visitor).await, etag(&visitor, "/api/products").await, etag(&visitor, "/products").await);
    let intent = customer.starts_payment(&[(&light, 3)]).await;
    assert_eq!(available(&visitor).await, before.0 - 3);
    assert_ne!(etag(&visitor, "/api/products").await, before.1);
    assert_ne!(etag(&visitor, "/products").await, before.2);
    stripe.takes(&intent, "pm_card_visa").await;
    customer.asks_for_order(&intent.id).await;
    let product = visitor.get("/api/products/nudgelight-one").await.gives(200);
    assert_eq!((product["stock"].as_i64(), product["available"].as_i64()), (Some(before.0 - 3), Some(before.0 - 3)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_by_another_process_shows_without_anybody_telling() {
    let shop = TestShop::open().await;
    let (second, there) = shop.another_process().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    assert_eq!(available(&there).await, 120);
    let old = etag(&there, "/products").await;
    admin.patch(&format!("/api/products/{}/stock", light.id), &json!({ "stock": 7 })).await.gives(200);
    eventually("the new stock in the other process", async || (available(&there).await == 7).then_some(())).await;
    let page = revalidate(&there, "GET", "/products", &old).await;
    assert!(page.status == 200 && page.text.contains("\"stock\":7,"), "{page}");
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_reader_has_is_not_sent_again_and_heads_say_the_same() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in PATHS {
        let whole = visitor.get(path).await;
        let tag = whole.header("etag").unwrap_or_else(|| panic!("{path} has no tag")).to_owned();
        for method in ["GET", "HEAD"] {
            let unchanged = revalidate(&visitor, method, path, &tag).await;
            assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""), "{path}");
            for header in ["etag", "cache-control", "content-security-policy"] {
                assert_eq!(unchanged.header(header), whole.header(header), "{path}: {header}");
            }
            assert_eq!(revalidate(&visitor, method, path, "W/\"other\"").await.status, 200, "{path}");
        }
        let head = visitor.send(visitor.request("HEAD", path)).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        for header in ["etag", "content-type", "content-length", "cache-control"] {
            assert_eq!(head.header(header), whole.header(header), "{path}: {header}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_form_of_an_answer_is_kept_apart_from_the_others() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in ["/products", "/api/products", "/products/nudgelight-one"] {
        // The second response comes from the cache.
        for _ in 0..2 {
            let mut lengths = BTreeSet::new();
            for (accepted, encoding) in [("identity", None), ("gzip", Some("gzip")), ("gzip, br", Some("br"))] {
                let response = visitor.request("GET", path).header("accept-encoding", accepted).send().await.unwrap();
                let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
                assert_eq!(header("content-encoding").as_deref(), encoding, "{path}");
                assert_eq!(header("vary").as_deref(), Some("accept-encoding"), "{path}");
                lengths.insert(response.bytes().await.unwrap().len());
            }
            assert_eq!(lengths.len(), 3, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_readers_after_a_change_have_each_page_made_once() {
    let shop = TestShop::open_with(&[("SHOP_METRICS_TOKEN", TOKEN)]).await;
    let (visitor, admin, light) = (shop.visitor(), shop.admin().await, shop.light("Nudgelight One").await);
    admin.patch(&format!("/api/products/{}/stock", light.id), &json!({ "stock": 55 })).await.gives(200);
    let made = metric(&shop, "shop_cache_fills_total").await;
    let tags = together(32, |_| {
        let visitor = visitor.clone();
        async move { etag(&visitor, "/products").await }
    })
    .await;
    assert_eq!(tags.into_iter().collect::<BTreeSet<_>>().len(), 1);
    assert_eq!(metric(&shop, "shop_cache_fills_total").await, made + 1);

    // An unrelated write causes a reload of the catalog, but invalidates no cached response.
    let reads = metric(&shop, "shop_catalog_reads_total").await;
    visitor.post("/api/pageviews", &json!({ "path": "/about" })).await.gives(204);
    shop.writes_page_views().await;
    visitor.get("/products").await;
    assert!(metric(&shop, "shop_catalog_reads_total").await > reads);
    assert_eq!(metric(&shop, "shop_cache_fills_total").await, made + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_an_administrator_leaves_the_cached_catalog() {
    let shop = TestShop::open().await;
    let (visitor, customer, admin) = (shop.visitor(), shop.customer().await, shop.admin().await);
    let light = shop.light("Nudgelight Duo").await;
    admin.patch(&format!("/api/products/{}", light.id), &json!({ "active": false })).await.gives(200);
    let paths = ["/api/products", "/api/products/nudgelight-one", "/api/products/Nudgelight%20One"];
    let ours = shop.signs_as_the_shop();
    let forged = Forger::stranger().changed(admin.access_token(), &[]);
    let late = ours.changed(admin.access_token(), &[("exp", json!(1_000))]);
    let customers = format!("Bearer {}", customer.access_token());
    let words =
        ["x".to_owned(), "Basic YTpi".to_owned(), format!("Bearer {forged}"), format!("Bearer {late}"), customers];
    for path in paths {
        let public = etag(&visitor, path).await;
        for word in &words {
            let request = visitor.request("GET", path).header("authorization", word).header("if-none-match", &public);
            let unchanged = visitor.send(request).await;
            assert_eq!((unchanged.status, unchanged.header("etag")), (304, Some(&*public)), "{path} {word}");
            assert_eq!(unchanged.header("cache-control"), Some("no-cache"), "{path} {word}");
        }
        let response = revalidate(&admin, "GET", path, &public).await;
        assert_eq!((response.status, response.header("cache-control")), (200, Some("no-store")), "{response}");
        assert_eq!(response.header("etag"), None, "{response}");
    }
    for (person, count) in [(&visitor, 3), (&*customer, 3), (&*admin, 4)] {
        assert_eq!(person.get("/api/products").await.gives(200).as_array().unwrap().len(), count);
    }
    // Administrator rights are looked up: the claim in the token is not enough.
    shop.tamper("UPDATE users SET is_admin = 0").await;
    assert_eq!(admin.get("/api/products").await.gives(200).as_array().unwrap().len(), 3);
}
