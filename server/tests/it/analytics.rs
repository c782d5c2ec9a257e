//! Page views: counted per page and day, without personal data.

use serde_json::json;

use crate::harness::TestShop;

async fn view(shop: &TestShop, path: &str) {
    view_as(shop, path, &[]).await;
}

async fn view_as(shop: &TestShop, path: &str, headers: &[(&str, &str)]) {
    let visitor = shop.visitor();
    let request = visitor.request("POST", "/api/pageviews").json(&json!({ "path": path }));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    visitor.send(request).await.gives(204);
}

/// `path views`, sorted.
async fn counted(shop: &TestShop) -> Vec<String> {
    shop.writes_page_views().await;
    let mut views = shop.texts("SELECT path || ' ' || views FROM page_views").await;
    views.sort();
    views
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_of_public_pages_are_counted_without_their_query() {
    let shop = TestShop::open().await;
    for path in ["/", "/about", "/about?utm=1#top", "/about/", "/products"] {
        view(&shop, path).await;
    }
    assert_eq!(counted(&shop).await, ["/ 1", "/about 3", "/products 1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_one_person_and_pages_that_do_not_exist_are_not_counted() {
    let shop = TestShop::open().await;
    let long = "/x".repeat(900);
    for path in [
        "/login",
        "/profile",
        "/order/0190",
        "/admin/order/0190",
        "/checkout/success?order_id=0190",
        "/confirm-forgot-password?email=ada@example.com",
        "/nothing",
        "",
        "?",
        "about",
        "https://elsewhere.example/about",
        &long,
    ] {
        view(&shop, path).await;
    }
    assert_eq!(counted(&shop).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_is_counted_under_its_address_of_today_whatever_it_was_called() {
    let shop = TestShop::open().await;
    let one = shop.light("Nudgelight One").await;
    view(&shop, "/products/nudgelight-one").await;
    view(&shop, "/products/Nudgelight%20One").await;
    assert_eq!(counted(&shop).await, ["/products/nudgelight-one 2"]);
    let renamed = json!({ "name": "Nudgelight Prime" });
    shop.admin().await.patch(&format!("/api/products/{}", one.id), &renamed).await.gives(200);
    view(&shop, "/products/nudgelight-one").await;
    assert_eq!(counted(&shop).await, ["/products/nudgelight-one 2", "/products/nudgelight-prime 1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_can_fill_the_table_with_products_that_do_not_exist() {
    let shop = TestShop::open().await;
    for number in 0..20 {
        view(&shop, &format!("/products/no-light-{number}")).await;
    }
    view(&shop, "/products/%00%FF").await;
    assert_eq!(counted(&shop).await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_and_whoever_asks_to_be_left_out_are_not_counted() {
    let shop = TestShop::open().await;
    view_as(&shop, "/about", &[("dnt", "1")]).await;
    view_as(&shop, "/about", &[("sec-gpc", "1")]).await;
    view_as(&shop, "/about", &[("user-agent", "Mozilla/5.0 (compatible; Googlebot/2.1)")]).await;
    assert_eq!(counted(&shop).await, Vec::<String>::new());
    view_as(&shop, "/about", &[("dnt", "0"), ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")]).await;
    assert_eq!(counted(&shop).await, ["/about 1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_day_is_counted_for_itself() {
    let shop = TestShop::open().await;
    view(&shop, "/about").await;
    shop.clock.advance(24 * 3_600_000);
    view(&shop, "/about").await;
    assert_eq!(counted(&shop).await, ["/about 1", "/about 1"]);
    assert_eq!(shop.count("SELECT COUNT(DISTINCT day) FROM page_views").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_that_are_only_in_memory_are_written_when_the_shop_stops() {
    let mut shop = TestShop::open().await;
    view(&shop, "/about").await;
    shop.restart().await;
    assert_eq!(shop.texts("SELECT path || ' ' || views FROM page_views").await, ["/about 1"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_counted_here_when_somebody_else_counts_or_nobody() {
    let plausible = [
        ("SHOP_ANALYTICS", "plausible"),
        ("ANALYTICS_SITE", "shop.example"),
        ("ANALYTICS_URL", "https://stats.example/plausible/"),
    ];
    for vars in [&plausible[..], &[("SHOP_ANALYTICS", "off")]] {
        let shop = TestShop::open_with(vars).await;
        view(&shop, "/about").await;
        assert_eq!(counted(&shop).await, Vec::<String>::new());
    }
    let shop = TestShop::open_with(&plausible).await;
    let config = shop.visitor().get("/api/config").await.gives(200);
    let there = json!({ "kind": "plausible", "site": "shop.example", "url": "https://stats.example/plausible" });
    assert_eq!(config["analytics"], there);
}

// invariant: third-party-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_counting_host_is_allowed_on_public_pages_alone_and_only_if_it_counts() {
    let there = TestShop::open_with(&[
        ("SHOP_ANALYTICS", "plausible"),
        ("ANALYTICS_SITE", "shop.example"),
        ("ANALYTICS_URL", "https://stats.example/plausible"),
    ])
    .await;
    let here = TestShop::open().await;
    let policy = async |shop: &TestShop, path: &str| {
        shop.visitor().get(path).await.header("content-security-policy").unwrap().to_owned()
    };
    for path in ["/", "/about", "/about/", "/cart", "/products/nudgelight-one"] {
        let allowed = policy(&there, path).await;
        for own in ["script-src 'self' ", "connect-src 'self' "] {
            let directive = allowed.split("; ").find(|one| one.starts_with(own)).unwrap();
            assert!(directive.ends_with(" https://stats.example"), "{path}: {allowed}");
        }
        assert!(!policy(&here, path).await.contains("https:"), "{path}");
    }
    for path in ["/login", "/register", "/profile", "/order/1", "/checkout", "/checkout/success", "/admin/orders"] {
        assert_eq!(policy(&there, path).await, policy(&here, path).await, "{path}");
    }
}
