//! Cross-origin requests: which headers each origin gets, on every kind of route and response.

use reqwest::header::HeaderMap;
use serde_json::json;

use super::table::{Who, calls};
use crate::harness::{ADMIN, ApiResponse, Client, PASSWORD, Person, TestShop};
use crate::overload::BlockedWrites;

const LISTED: &str = "https://partner.example";
const ALSO_LISTED: &str = "http://localhost:5173";
const ORIGINS: (&str, &str) = ("SHOP_CORS_ORIGINS", "https://partner.example, http://localhost:5173");

/// Origins that resemble a listed one, and none at all.
const OTHERS: [&str; 12] = [
    "https://elsewhere.example",
    "null",
    "",
    "*",
    "https://Partner.example",
    "https://partner.example/",
    "https://partner.example:443",
    "https://sub.partner.example",
    "http://partner.example",
    "https://partner.example.evil.example",
    "https://partner.example https://elsewhere.example",
    "https://partner.example, http://localhost:5173",
];

/// Public reads, and requests of customers, with each kind of response: method, path and status without an access token.
const SHARED: [(&str, &str, u16); 19] = [
    ("GET", "/api/config", 200),
    ("GET", "/api/products", 200),
    ("HEAD", "/api/products", 200),
    ("GET", "/api/products?ids=nothing", 200),
    ("GET", "/api/products/nudgelight-one", 200),
    ("GET", "/api/products/nothing", 404),
    ("GET", "/api/products/nudgelight-one/related", 200),
    ("GET", "/api/products/nudgelight-one/buy-button", 200),
    ("GET", "/api/products/nothing/buy-button", 404),
    ("GET", "/api/product-list?q=one", 200),
    ("GET", "/api/product-names", 200),
    // The bot check of the tests is off.
    ("GET", "/api/bot-check?action=login", 404),
    ("POST", "/api/auth/login", 415),
    ("POST", "/api/auth/refresh-token", 415),
    ("GET", "/api/auth/user", 401),
    ("DELETE", "/api/auth/sessions/nothing", 401),
    ("POST", "/api/payments/create-intent", 401),
    ("POST", "/api/orders", 401),
    ("GET", "/api/user/orders", 401),
];

async fn open() -> TestShop {
    TestShop::open_with(&[ORIGINS]).await
}

async fn from(client: &Client, origin: &str, method: &str, path: &str) -> ApiResponse {
    client.send(client.request(method, path).header("origin", origin)).await
}

async fn preflight(client: &Client, origin: &str, method: &str, path: &str) -> ApiResponse {
    let request = client
        .request("OPTIONS", path)
        .header("origin", origin)
        .header("access-control-request-method", method)
        .header("access-control-request-headers", "authorization,content-type");
    client.send(request).await
}

/// The CORS headers, sorted.
fn granted(headers: &HeaderMap) -> Vec<(String, String)> {
    let cors = headers.iter().filter(|(name, _)| name.as_str().starts_with("access-control-"));
    let mut cors: Vec<_> = cors.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    cors.sort();
    cors
}

fn varies_by_origin(response: &ApiResponse) -> bool {
    let lines = response.headers.get_all("vary").iter().map(|value| value.to_str().unwrap());
    lines.flat_map(|line| line.split(',')).any(|name| name.trim().eq_ignore_ascii_case("origin"))
}

#[track_caller]
fn is_granted_to(response: &ApiResponse, origin: &str) {
    let expected = [
        ("access-control-allow-origin".to_owned(), origin.to_owned()),
        ("access-control-expose-headers".to_owned(), "etag, retry-after, x-request-id".to_owned()),
    ];
    assert_eq!(granted(&response.headers), expected, "{response}");
    assert!(varies_by_origin(response), "{response} {:?}", response.headers);
}

#[track_caller]
fn is_granted_to_nobody(response: &ApiResponse) {
    assert_eq!(granted(&response.headers), [], "{response}");
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_origin_reads_what_customers_may_and_an_origin_that_resembles_it_does_not() {
    let shop = open().await;
    let visitor = shop.visitor();
    for (method, path, status) in SHARED {
        for origin in [LISTED, ALSO_LISTED] {
            let response = from(&visitor, origin, method, path).await;
            assert_eq!(response.status, status, "{response}");
            is_granted_to(&response, origin);
        }
        for origin in OTHERS {
            let response = from(&visitor, origin, method, path).await;
            assert_eq!(response.status, status, "{origin}: {response}");
            is_granted_to_nobody(&response);
            assert!(varies_by_origin(&response), "{origin}: {response}");
        }
        let without = visitor.send(visitor.request(method, path)).await;
        is_granted_to_nobody(&without);
        assert!(varies_by_origin(&without), "{without}");
        let twice = visitor.request(method, path).header("origin", LISTED).header("origin", ALSO_LISTED);
        is_granted_to_nobody(&visitor.send(twice).await);
    }
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_preflight_of_a_listed_origin_is_answered_for_two_hours_and_any_other_is_not() {
    let shop = open().await;
    let visitor = shop.visitor();
    for (method, path, _) in SHARED {
        let response = preflight(&visitor, LISTED, method, path).await;
        assert_eq!((response.status, response.text.as_str()), (204, ""), "{response}");
        let expected = [
            ("access-control-allow-headers", "authorization, content-type"),
            ("access-control-allow-methods", method),
            ("access-control-allow-origin", LISTED),
            ("access-control-expose-headers", "etag, retry-after, x-request-id"),
            ("access-control-max-age", "7200"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(granted(&response.headers), expected, "{response}");
        assert!(varies_by_origin(&response), "{response}");
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{response}");
        for origin in OTHERS {
            let response = preflight(&visitor, origin, method, path).await;
            assert_eq!(response.status, 405, "{origin}: {response}");
            is_granted_to_nobody(&response);
        }
    }
    // Not a preflight.
    let plain = from(&visitor, LISTED, "OPTIONS", "/api/products").await;
    plain.refuses(405, "MethodNotAllowed");
    is_granted_to_nobody(&plain);
    // A preflight does not get around the checks of other requests.
    let ambiguous = visitor
        .request("OPTIONS", "/api/products")
        .header("origin", LISTED)
        .header("access-control-request-method", "GET")
        .header("expect", "200-ok");
    let ambiguous = visitor.send(ambiguous).await;
    ambiguous.refuses(400, "InvalidRequest");
    assert!(ambiguous.header("access-control-allow-methods").is_none(), "{ambiguous}");
}

/// Everything that is neither public nor a customer's: administration, sign-up, recovery, webhooks, pages.
// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn administration_and_accounts_are_for_the_shops_own_pages() {
    let (mut shop, _, _, table) = calls().await;
    shop.restart_with(&[ORIGINS]).await;
    let admin = shop.admin().await;
    let own = [
        "/api/auth/signup",
        "/api/auth/confirm-email",
        "/api/auth/login-code",
        "/api/auth/second-factor",
        "/api/auth/second-factor/confirm",
        "/api/auth/recovery-codes",
        "/api/auth/email-change",
        "/api/auth/confirm-email-change",
        "/api/auth/undo-email-change",
        "/api/auth/login-with-code",
        "/api/auth/passkey-login",
        "/api/auth/login-with-passkey",
        "/api/auth/passkeys",
        "/api/auth/passkeys/start",
        "/api/auth/passkeys/{id}",
        "/api/auth/resend-code",
        "/api/auth/forgot-password",
        "/api/auth/confirm-forgot-password",
        "/api/change-password",
        "/api/webhooks/stripe",
        "/api/products/{id}/back-in-stock",
        "/metrics",
        "/docs",
        "/orders",
        "/products/{name}",
    ];
    let mut checked = 0;
    for call in table.iter().filter(|call| call.who == Who::Admin || own.contains(&call.route)) {
        checked += 1;
        for response in [
            preflight(&admin, LISTED, call.method, &call.path).await,
            // Without a body, so that it changes nothing.
            from(&admin, LISTED, call.method, &call.path).await,
            from(&admin.signed_out(), LISTED, call.method, &call.path).await,
        ] {
            is_granted_to_nobody(&response);
            assert!(!varies_by_origin(&response), "{response}");
        }
    }
    assert!(checked >= 11 + own.len(), "{checked}");
    for path in ["/", "/cart", "/api/nothing", "/no/such/page", "/test-stripe/v1/payment_intents"] {
        is_granted_to_nobody(&from(&admin, LISTED, "GET", path).await);
        is_granted_to_nobody(&preflight(&admin, LISTED, "GET", path).await);
    }
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cached_response_has_the_headers_of_each_request() {
    let shop = open().await;
    let visitor = shop.visitor();
    for path in ["/api/products", "/api/products/nudgelight-one", "/api/products/nudgelight-one/buy-button"] {
        let tag = from(&visitor, LISTED, "GET", path).await.header("etag").unwrap().to_owned();
        for _ in 0..2 {
            let revalidate = async |origin: &str| {
                let request = visitor.request("GET", path).header("origin", origin).header("if-none-match", &tag);
                visitor.send(request).await
            };
            for origin in [LISTED, ALSO_LISTED] {
                let unchanged = revalidate(origin).await;
                assert_eq!(unchanged.status, 304, "{unchanged}");
                is_granted_to(&unchanged, origin);
            }
            let other = revalidate("https://elsewhere.example").await;
            assert_eq!(other.status, 304, "{other}");
            is_granted_to_nobody(&other);
            assert!(varies_by_origin(&other), "{other}");
            assert!(varies_by_origin(&visitor.get(path).await));
        }
    }
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_origin_logs_a_customer_in_and_orders_with_the_token() {
    let shop = open().await;
    let visitor = shop.visitor();
    let body = json!({ "username": crate::harness::CUSTOMER, "password": PASSWORD, "recaptchaToken": "" });
    let request = visitor.request("POST", "/api/auth/login").header("origin", LISTED).json(&body);
    let response = visitor.send(request).await;
    is_granted_to(&response, LISTED);
    let tokens = response.gives(200);
    let customer = visitor.with_token(tokens["accessToken"].as_str().unwrap());
    for path in ["/api/auth/user", "/api/user/orders", "/api/auth/sessions"] {
        let response = from(&customer, LISTED, "GET", path).await;
        assert_eq!(response.status, 200, "{response}");
        is_granted_to(&response, LISTED);
    }
    let cart = Person::cart(&[(&shop.light("Nudgelight One").await, 1)]);
    let request = customer.request("POST", "/api/payments/create-intent").header("origin", LISTED).json(&cart);
    let intent = customer.send(request).await;
    is_granted_to(&intent, LISTED);
    intent.gives(200);
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listed_origin_can_read_why_it_has_to_wait() {
    let shop = TestShop::open_with(&[ORIGINS, ("SHOP_RATE_LIMITS", "on")]).await;
    let visitor = shop.visitor();
    let body = json!({ "username": ADMIN, "password": "not the password", "recaptchaToken": "" });
    let log_in = async || {
        let request = visitor.request("POST", "/api/auth/login").header("origin", LISTED).json(&body);
        visitor.send(request).await
    };
    for _ in 0..10 {
        log_in().await.refuses(401, "BadCredentials");
    }
    let limited = log_in().await;
    limited.refuses(429, "TooManyRequests");
    assert!(limited.header("retry-after").is_some(), "{limited}");
    is_granted_to(&limited, LISTED);

    let blocked = BlockedWrites::of(&shop, 210).await;
    for (origin, is_listed) in [(LISTED, true), ("https://elsewhere.example", false)] {
        let shed = from(&visitor, origin, "POST", "/api/payments/create-intent").await;
        shed.refuses(503, "Overloaded");
        assert!(varies_by_origin(&shed) && shed.header("retry-after").is_some(), "{shed}");
        if is_listed { is_granted_to(&shed, origin) } else { is_granted_to_nobody(&shed) }
    }
    drop(blocked);
}

/// Other pages embed pictures, and load scripts as modules, which is a CORS request.
// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn public_files_are_for_every_origin() {
    for shop in [open().await, TestShop::open().await] {
        let visitor = shop.visitor();
        for (path, status) in [
            ("/images/nudgelight-one.svg", 200),
            ("/images/nudgelight-one-1200.png", 200),
            ("/images/nothing.svg", 404),
            ("/images/photos/nothing-960.webp", 404),
            ("/sdk/index.json", 200),
            ("/sdk/buy.js", 200),
            ("/sdk/nothing.js", 404),
        ] {
            for origin in [LISTED, "https://elsewhere.example", "null"] {
                let response = visitor.request("GET", path).header("origin", origin).send().await.unwrap();
                assert_eq!(response.status(), status, "{path}");
                let any = [("access-control-allow-origin".to_owned(), "*".to_owned())];
                assert_eq!(granted(response.headers()), any, "{path}");
                let policy = &response.headers()["cross-origin-resource-policy"];
                assert_eq!(policy, "cross-origin", "{path}");
            }
        }
    }
}

// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_list_no_origin_is_served_and_caches_do_not_tell_origins_apart() {
    let shop = TestShop::open().await;
    for (method, path, _) in SHARED {
        for response in
            [from(&shop.visitor(), LISTED, method, path).await, preflight(&shop.visitor(), LISTED, method, path).await]
        {
            is_granted_to_nobody(&response);
            assert!(!varies_by_origin(&response), "{response}");
        }
    }
}
