use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::harness::{ApiResponse, TestShop};

const EVERYWHERE: [(&str, &str); 2] =
    [("x-content-type-options", "nosniff"), ("referrer-policy", "strict-origin-when-cross-origin")];

/// Pages, files, endpoints, and every kind of error response.
const PATHS: [&str; 13] = [
    "/",
    "/login",
    "/checkout",
    "/products/nudgelight-one",
    "/no/such/page",
    "/favicon.svg",
    "/images/nudgelight-one.svg",
    "/orders",
    "/healthz",
    "/api/products",
    "/api/auth/user",
    "/api/nothing",
    "/test-stripe/v1/payment_intents",
];

fn directives(response: &ApiResponse) -> Vec<String> {
    let policy = response.header("content-security-policy").unwrap_or_default();
    policy.split(';').map(|directive| directive.trim().to_owned()).collect()
}

// invariant: security-headers
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_has_the_headers_that_keep_browsers_careful() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in PATHS {
        let response = visitor.get(path).await;
        for (name, value) in EVERYWHERE {
            assert_eq!(response.header(name), Some(value), "{name}: {response}");
        }
        // Pages of other origins may embed pictures and the SDK.
        let is_public_file = path.starts_with("/images/");
        let resource_policy = if is_public_file { "cross-origin" } else { "same-origin" };
        assert_eq!(response.header("cross-origin-resource-policy"), Some(resource_policy), "{response}");
        assert_eq!(response.header("access-control-allow-origin"), is_public_file.then_some("*"), "{response}");
        assert!(response.header("permissions-policy").is_some(), "{response}");
        let policy = directives(&response);
        assert!(policy.iter().any(|one| one == "frame-ancestors 'none'"), "{policy:?}: {response}");
        assert!(policy.iter().any(|one| one == "default-src 'none'"), "{policy:?}: {response}");
        assert!(
            !policy.iter().any(|one| one.starts_with("script-src") && one.contains("'unsafe-inline'")),
            "{policy:?}"
        );
        assert!(!policy.iter().any(|one| one.contains("'unsafe-eval'")), "{policy:?}");
        assert_eq!(response.header("server"), None, "{response}");
    }
}

// invariant: cross-site-scripting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_runs_in_a_page_is_a_file_of_the_shop_or_allowed_by_its_hash() {
    let shop = TestShop::open().await;
    for path in ["/", "/login", "/checkout", "/products/nudgelight-one", "/no/such/page", "/admin/orders"] {
        let response = shop.visitor().get(path).await;
        let policy = directives(&response);
        let allowed = policy.iter().find(|one| one.starts_with("script-src ")).unwrap();
        let mut in_the_page = 0;
        for element in response.text.split("<script").skip(1) {
            let (attributes, rest) = element.split_once('>').unwrap();
            let (script, _) = rest.split_once("</script>").unwrap();
            if attributes.contains("type=\"application/") {
                continue;
            }
            if script.is_empty() {
                assert!(attributes.contains("src=\"/"), "{path}: {attributes}");
                continue;
            }
            in_the_page += 1;
            let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)));
            assert!(allowed.contains(&hash), "{path}: {allowed}: {script}");
        }
        assert_eq!((in_the_page, allowed.matches("'sha256-").count()), (1, 1), "{path}");
    }
}

// invariant: security-headers
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_of_the_api_is_kept_by_anybody() {
    let shop = TestShop::open().await;
    let (customer, admin) = (shop.customer().await, shop.admin().await);
    for path in ["/api/config", "/api/auth/user", "/api/user/orders", "/api/nothing", "/api/admin/orders"] {
        let response = customer.get(path).await;
        assert_eq!(response.header("cache-control"), Some("no-store"), "{response}");
    }
    // The product list is public, but an administrator's also contains hidden products, so it must not be cached.
    let response = admin.get("/api/products").await;
    assert_eq!(response.header("cache-control"), Some("no-store"), "{response}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_has_a_request_id_of_its_own_that_nobody_can_choose() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let mut ids = BTreeSet::new();
    for path in PATHS {
        let request = visitor.request("GET", path).header("x-request-id", "chosen");
        let response = visitor.send(request).await;
        let id = response.header("x-request-id").unwrap_or_default().to_owned();
        assert!(id.len() >= 16 && id != "chosen", "{response}");
        ids.insert(id);
    }
    assert_eq!(ids.len(), PATHS.len());
}

// invariant: security-headers
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn encryption_is_promised_only_where_links_are_encrypted() {
    let plain = TestShop::open().await;
    assert_eq!(plain.visitor().get("/").await.header("strict-transport-security"), None);
    let secure = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let promise = secure.visitor().get("/").await;
    assert_eq!(promise.header("strict-transport-security"), Some("max-age=63072000"), "{promise}");
    for (hsts, value) in [("subdomains", "max-age=63072000; includeSubDomains"), ("off", "max-age=0")] {
        let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example"), ("SHOP_HSTS", hsts)]).await;
        for path in ["/", "/api/products", "/api/nothing"] {
            assert_eq!(shop.visitor().get(path).await.header("strict-transport-security"), Some(value), "{path}");
        }
    }
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_site_may_neither_read_nor_write() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for path in ["/api/products", "/api/auth/login", "/api/orders"] {
        let preflight = visitor
            .request("OPTIONS", path)
            .header("origin", "https://elsewhere.example")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type,authorization");
        let response = visitor.send(preflight).await;
        let granted = response.headers.keys().any(|name| name.as_str().starts_with("access-control-"));
        assert!(!granted, "{response} {:?}", response.headers);
    }
}

// invariant: cross-site-scripting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_of_stripe_are_allowed_on_the_checkout_alone_and_only_if_stripe_is_used() {
    let keys = [
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
    ];
    let (real, test) = (TestShop::open_with(&keys).await, TestShop::open().await);
    let allows = async |shop: &TestShop, path: &str| {
        let response = shop.visitor().get(path).await;
        response.header("content-security-policy").unwrap().contains("stripe.com")
    };
    assert!(allows(&real, "/checkout").await);
    for path in ["/", "/login", "/register", "/profile", "/admin/orders", "/products/nudgelight-one"] {
        assert!(!allows(&real, path).await, "{path}");
    }
    assert!(!allows(&test, "/checkout").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_are_compressed_for_those_who_ask() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let request = visitor.request("GET", "/api/products").header("accept-encoding", "gzip");
    let raw = request.send().await.unwrap();
    assert_eq!(raw.headers().get("content-encoding").map(|value| value.as_bytes()), Some(&b"gzip"[..]));
    assert!(raw.headers().get("vary").is_some());
    assert!(raw.bytes().await.unwrap().starts_with(&[0x1f, 0x8b]));
}
