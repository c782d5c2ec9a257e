//! HTML pages: every page route, its content encoding, and redirects.

use serde_json::json;

use crate::harness::{ApiResponse, TestShop, eventually};

/// `Accept-Encoding` of the request, and the expected `Content-Encoding`.
const ENCODINGS: [(&str, Option<&str>); 12] = [
    ("gzip, deflate, br", Some("br")),
    ("gzip", Some("gzip")),
    ("gzip;q=1.0, br;q=0.9", Some("gzip")),
    ("br;q=0.5, gzip;q=0.4", Some("br")),
    ("br;q=0, gzip", Some("gzip")),
    ("br; q=0.001", Some("br")),
    ("*", Some("br")),
    ("br;q=0, *;q=0.5", Some("gzip")),
    ("GZIP", Some("gzip")),
    ("identity", None),
    ("br;q=0, gzip;q=0", None),
    ("deflate, zstd", None),
];

const PAGES: [&str; 28] = [
    "/",
    "/about",
    "/cart",
    "/products",
    "/products/nudgelight-one",
    "/products/Nudgelight%20One",
    "/contact",
    "/tutorial",
    "/schedule-lab",
    "/schedules",
    "/schedules/trash-night",
    "/privacy",
    "/terms",
    "/shipping-and-returns",
    "/register",
    "/login",
    "/login/code",
    "/second-factor",
    "/undo-email-change",
    "/confirm-email",
    "/forgot-password",
    "/confirm-forgot-password",
    "/profile",
    "/profile/settings",
    "/checkout",
    "/checkout/success",
    "/admin/orders",
    "/order/0190",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_is_a_document_and_an_unknown_path_is_the_home_page_with_404() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let home = visitor.get("/").await;
    assert!(home.text.contains("<html") && home.text.contains("\"script\":\"/assets/"), "{home}");
    for path in PAGES {
        let response = visitor.get(path).await;
        assert_eq!(
            (response.status, response.header("content-type")),
            (200, Some("text/html; charset=utf-8")),
            "{response}"
        );
        let head = visitor.send(visitor.request("HEAD", path)).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{head}");
    }
    for path in [
        "/nothing",
        "/products/a/b",
        "/index.php",
        "/.env",
        "/..%2f..%2fetc%2fpasswd",
        "/assets/none.js",
        "/%FF",
        "/order",
    ] {
        let response = visitor.get(path).await;
        assert_eq!((response.status, &response.text), (404, &home.text), "{response}");
    }
    visitor.send(visitor.request("POST", "/about")).await.refuses(405, "MethodNotAllowed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_that_carry_their_hash_are_kept_and_documents_are_asked_for_again() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let home = visitor.get("/").await;
    assert_eq!(home.header("cache-control"), Some("no-cache"));
    let (_, rest) = home.text.split_once("\"script\":\"").unwrap();
    let (script, _) = rest.split_once('"').unwrap();
    let file = visitor.get(script).await;
    assert_eq!(file.status, 200, "{script}");
    assert!(file.header("content-type").unwrap().starts_with("text/javascript"), "{:?}", file.headers);
    let built = format!("{}/../react-shell/dist{script}", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(file.text, std::fs::read_to_string(built).unwrap(), "without Accept-Encoding the file is unchanged");
    assert!(file.header("cache-control").unwrap().contains("immutable"), "{:?}", file.headers);
    for (read, sent) in ENCODINGS {
        for path in [script, "/", "/about", "/api/products", "/openapi.json", "/docs"] {
            let plain = visitor.send(visitor.request("GET", path).header("accept-encoding", "identity")).await;
            let response = visitor.send(visitor.request("GET", path).header("accept-encoding", read)).await;
            assert_eq!(response.header("content-encoding"), sent, "{path} {read}: {:?}", response.headers);
            assert_eq!(response.header("vary"), Some("accept-encoding"), "{path} {read}: {:?}", response.headers);
            // A response that is compressed on the fly would have no `Content-Length`.
            let length =
                |response: &ApiResponse| response.header("content-length").and_then(|length| length.parse().ok());
            let (length, whole): (Option<usize>, Option<usize>) = (length(&response), length(&plain));
            assert!(length.is_some() && (length < whole) == sent.is_some(), "{path} {read}: {length:?} of {whole:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_compressed_while_somebody_waits() {
    let mut shop = TestShop::open().await;
    let folder = shop.inside().platform.config.data_dir.join("downloads");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("nudgelight-pico-w.uf2"), "UF2 ".repeat(10_000)).unwrap();
    shop.restart().await;
    let (visitor, admin) = (shop.visitor(), shop.admin().await);
    for path in
        ["/downloads/nudgelight-pico-w.uf2", "/robots.txt", "/.well-known/security.txt", "/api/config", "/nothing"]
    {
        for read in ["br", "gzip", "gzip;q=1.0, br;q=0.9", "*", "zstd, deflate"] {
            let response = visitor.send(visitor.request("GET", path).header("accept-encoding", read)).await;
            assert!(response.header("content-length").is_some(), "{path} {read}: {:?}", response.headers);
        }
    }
    // Private responses are uncompressed: compressing a secret together with attacker-controlled text leaks it
    // (BREACH).
    for path in ["/api/admin/orders", "/api/products", "/api/auth/user"] {
        let response = admin.send(admin.request("GET", path).header("accept-encoding", "gzip, br")).await;
        assert_eq!(
            (response.status, response.header("content-encoding")),
            (200, None),
            "{path}: {:?}",
            response.headers
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_addresses_lead_to_the_new_ones() {
    let shop = TestShop::open().await;
    let (visitor, admin, one) = (shop.visitor(), shop.admin().await, shop.light("Nudgelight One").await);
    let orders = visitor.get("/orders").await;
    assert!(matches!(orders.status, 301 | 308) && orders.header("location") == Some("/profile/orders"), "{orders}");
    admin.patch(&format!("/api/products/{}", one.id), &json!({ "name": "Nudgelight Prime" })).await.gives(200);
    let renamed = visitor.get("/products/nudgelight-one").await;
    assert_eq!((renamed.status, renamed.header("location")), (301, Some("/products/nudgelight-prime")), "{renamed}");
    assert_eq!(visitor.get("/products/nudgelight-prime").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_is_told_what_it_needs_and_nothing_secret() {
    let shop = TestShop::open_with(&[
        ("SHOP_NAME", "Lamp & Co"),
        ("SHOP_SUPPORT_EMAIL", "help@lamp.example"),
        ("SHOP_BOT_CHECK", "pow"),
    ])
    .await;
    let response = shop.visitor().get("/api/config").await;
    let config = response.gives(200);
    assert_eq!(
        (config["shop_name"].as_str(), config["support_email"].as_str()),
        (Some("Lamp & Co"), Some("help@lamp.example"))
    );
    assert_eq!(config["test_mode"], json!(true));
    assert_eq!(config["payments"]["kind"], "test");
    assert!(config["payments"]["publishable_key"].as_str().is_some_and(|key| key.starts_with("pk_test_")));
    assert!(config["payments"]["api_base"].as_str().is_some_and(|base| base.ends_with("/test-stripe")));
    assert_eq!(config["bot_check"]["kind"], "pow");
    assert_eq!(config["analytics"]["kind"], "builtin");
    assert!(!response.text.contains("sk_test_") && !response.text.contains("whsec_"), "{response}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shop_says_whether_it_lives_and_whether_it_can_work() {
    let shop = TestShop::open().await;
    let alive = shop.visitor().get("/healthz").await;
    assert_eq!((alive.status, alive.text), (200, format!("ok {}", env!("CARGO_PKG_VERSION"))));
    let status = async |path: &str| shop.visitor().get(path).await.status;
    for path in ["/readyz", "/readyz/database"] {
        assert_eq!(status(path).await, 200, "{path}");
    }
    shop.inside().platform.db.close().await;
    // The result of the check is cached for a second.
    eventually("a database that isn't available", async || (status("/readyz/database").await == 503).then_some(()))
        .await;
    assert_eq!((status("/healthz").await, status("/readyz").await), (200, 200), "a balancer keeps sending requests");
    let response = shop.visitor().get("/api/products").await;
    response.refuses(503, "Overloaded");
    assert!(response.header("retry-after").is_some());
}
