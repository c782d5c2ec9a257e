//! CAPTCHA services (reCAPTCHA, Turnstile): token verification, and behavior during an outage.

use serde_json::{Value, json};
use server::config::Config;
use server::start::Running;

use crate::harness::{ApiResponse, CUSTOMER, Client, Form, PASSWORD, Reply, SiteVerify, TestShop, refused, together};

const SECOND: i64 = 1_000;

async fn log_in(visitor: &Client, token: &Value) -> ApiResponse {
    let body = json!({ "username": CUSTOMER, "password": PASSWORD, "recaptchaToken": token });
    visitor.post("/api/auth/login", &body).await
}

async fn sign_up(visitor: &Client, token: &Value) -> ApiResponse {
    let body = json!({ "email": "new@example.com", "password": PASSWORD, "recaptchaToken": token });
    visitor.post("/api/auth/signup", &body).await
}

async fn with(form: Form) -> (SiteVerify, TestShop, Client) {
    let service = SiteVerify::open().await;
    let shop = service.shop(form.kind(), &[]).await;
    let visitor = shop.visitor();
    (service, shop, visitor)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_the_service_knows_opens_both_forms() {
    for form in Form::ALL {
        let (service, shop, visitor) = with(form).await;
        service.says(form.passed(&shop, "signup", 100));
        sign_up(&visitor, &json!("token & more")).await.gives(201);
        service.says(form.passed(&shop, "login", 0));
        log_in(&visitor, &json!("another-token")).await.gives(200);
        let asked = &service.heard()[0];
        assert_eq!(asked["secret"], "secret-of-the-shop");
        assert_eq!(asked["response"], "token & more");
        assert_eq!(asked["remoteip"], "127.0.0.1");
    }
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_does_not_hold_opens_neither() {
    for form in Form::ALL {
        let (service, shop, visitor) = with(form).await;
        let good = |action: &str| form.passed(&shop, action, 0);
        let but = |action: &str, member: &str, value: Value| {
            let mut answer = form.passed(&shop, action, 0);
            answer[member] = value;
            answer
        };
        let mut wrong = vec![
            (refused("invalid-input-response"), refused("invalid-input-response")),
            (refused("timeout-or-duplicate"), refused("timeout-or-duplicate")),
            (refused("bad-request"), refused("bad-request")),
            (but("login", "success", json!(false)), but("signup", "success", json!(false))),
            (but("login", "hostname", json!("evil.example")), but("signup", "hostname", json!("evil.example"))),
            (but("login", "hostname", Value::Null), but("signup", "hostname", Value::Null)),
            (but("login", "challenge_ts", json!("yesterday")), but("signup", "challenge_ts", json!("yesterday"))),
            (form.passed(&shop, "login", 121), form.passed(&shop, "signup", 121)),
        ];
        if form == Form::RecaptchaV3 {
            wrong.push((but("login", "score", json!(0.4)), but("signup", "score", json!(0.4))));
        }
        if form != Form::RecaptchaV2 {
            wrong.push((good("signup"), good("login")));
            wrong.push((but("login", "action", Value::Null), but("signup", "action", Value::Null)));
        }
        for (number, (for_login, for_signup)) in wrong.into_iter().enumerate() {
            service.says(for_login);
            log_in(&visitor, &json!(format!("login-{number}"))).await.refuses(400, "BotCheckFailed");
            service.says(for_signup);
            sign_up(&visitor, &json!(format!("signup-{number}"))).await.refuses(400, "BotCheckFailed");
        }
        assert_eq!(shop.count("SELECT COUNT(*) FROM signups WHERE email = 'new@example.com'").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_token_is_refused() {
    let (service, shop, visitor) = with(Form::Turnstile).await;
    service.says(Form::Turnstile.passed(&shop, "login", 0));
    for nothing in [Value::Null, json!(""), json!("  "), json!(7), json!({ "a": 1 }), json!("x".repeat(10_000))] {
        log_in(&visitor, &nothing).await.refuses(400, "BotCheckFailed");
    }
    visitor.get("/api/bot-check?action=login").await.refuses(404, "NotFound");
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_accepted_once_by_all_processes_of_a_shop() {
    let (service, shop, visitor) = with(Form::RecaptchaV3).await;
    service.says(Form::RecaptchaV3.passed(&shop, "login", 0));
    let second = Running::start(Config::from_vars(shop.vars()).unwrap(), shop.clock.clone()).await.unwrap();
    let there = Client::new(&format!("http://{}", second.addr));
    log_in(&visitor, &json!("token")).await.gives(200);
    log_in(&visitor, &json!("token")).await.refuses(400, "BotCheckFailed");
    log_in(&there, &json!("token")).await.refuses(400, "BotCheckFailed");

    let answers = together(8, |number| {
        let visitor = if number % 2 == 0 { visitor.clone() } else { there.clone() };
        async move { log_in(&visitor, &json!("at once")).await.status }
    })
    .await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 400).count(), 7, "{answers:?}");
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_used_token_is_remembered_for_as_long_as_it_could_be_used() {
    let (service, shop, visitor) = with(Form::Turnstile).await;
    service.says(Form::Turnstile.passed(&shop, "login", 0));
    log_in(&visitor, &json!("token")).await.gives(200);
    shop.clock.advance(119 * SECOND);
    server::accounts::bot_check::sweep(&shop.inside().platform.db, shop.clock.now_ms()).await.unwrap();
    log_in(&visitor, &json!("token")).await.refuses(400, "BotCheckFailed");
    shop.clock.advance(10 * SECOND);
    server::accounts::bot_check::sweep(&shop.inside().platform.db, shop.clock.now_ms()).await.unwrap();
    assert_eq!(shop.count("SELECT COUNT(*) FROM used_bot_challenges").await, 0);
    log_in(&visitor, &json!("token")).await.refuses(400, "BotCheckFailed");
}

/// Every kind of outage or misconfiguration of the service.
fn outages() -> Vec<(&'static str, Reply)> {
    vec![
        ("silence", Reply::Silence),
        ("a fault", Reply::Text(500, "{\"success\": true}".to_owned())),
        ("a page", Reply::Text(200, "<html>one moment</html>".to_owned())),
        ("another form", Reply::Text(200, "{\"success\": \"yes\"}".to_owned())),
        ("too much", Reply::Text(200, format!("{{\"success\": true, \"x\": \"{}\"}}", "x".repeat(1_000_000)))),
        ("a redirect", Reply::Redirect),
        ("too many requests", Reply::Text(429, String::new())),
        ("a wrong secret", Reply::Json(refused("invalid-input-secret"))),
        ("a fault of its own", Reply::Json(refused("internal-error"))),
    ]
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_service_is_of_no_use_nobody_signs_up_and_customers_log_in() {
    let (service, shop, visitor) = with(Form::Turnstile).await;
    for (what, reply) in outages() {
        service.replies(reply);
        let before = service.heard().len();
        let answer = sign_up(&visitor, &json!("token")).await;
        answer.refuses(503, "BotCheckUnavailable");
        assert!(answer.header("retry-after").is_some(), "{what}: {answer}");
        let answer = log_in(&visitor, &json!("token")).await;
        assert_eq!(answer.status, 200, "{what}: {answer}");
        assert_eq!(service.heard().len(), before + 2, "{what}: one request per token, and redirects are not followed");
        // A success closes the circuit breaker, so each iteration starts a new outage.
        service.says(Form::Turnstile.passed(&shop, "login", 0));
        log_in(&visitor, &json!(format!("after {what}"))).await.gives(200);
    }
}

// invariant: external-service-failures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_that_cannot_be_reached_is_left_alone_and_asked_again_after_ten_seconds() {
    let (service, shop, visitor) = with(Form::RecaptchaV3).await;
    service.replies(Reply::Text(503, String::new()));
    for _ in 0..5 {
        sign_up(&visitor, &json!("token")).await.refuses(503, "BotCheckUnavailable");
    }
    assert_eq!(service.heard().len(), 3);
    shop.clock.advance(10 * SECOND);
    for _ in 0..3 {
        sign_up(&visitor, &json!("token")).await.refuses(503, "BotCheckUnavailable");
    }
    assert_eq!(service.heard().len(), 4, "one request probes the service");
    shop.clock.advance(10 * SECOND);
    service.says(Form::RecaptchaV3.passed(&shop, "signup", 0));
    sign_up(&visitor, &json!("token")).await.gives(201);
    sign_up(&visitor, &json!("another token")).await.gives(201);
    assert_eq!(service.heard().len(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_service_a_client_has_three_tries_in_a_quarter_of_an_hour_and_locks_nobody_else_out() {
    let service = SiteVerify::open().await;
    let proxied = [("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1")];
    let shop = service.shop("turnstile", &proxied).await;
    let visitor = shop.visitor();
    let try_from = async |address: &str, email: &str| {
        let body = json!({ "username": email, "password": "not the password", "recaptchaToken": "" });
        let request = visitor.request("POST", "/api/auth/login").header("x-forwarded-for", address).json(&body);
        visitor.send(request).await
    };
    for _ in 0..3 {
        try_from("192.0.2.1", CUSTOMER).await.refuses(401, "BadCredentials");
    }
    try_from("192.0.2.1", "somebody@example.com").await.refuses(429, "TooManyRequests");
    try_from("192.0.2.1", CUSTOMER).await.refuses(429, "TooManyRequests");
    for _ in 0..3 {
        try_from("192.0.2.2", CUSTOMER).await.refuses(401, "BadCredentials");
    }

    // Recovery of the service ends the rate limit, because tokens are verified again.
    shop.clock.advance(10 * SECOND);
    service.says(Form::Turnstile.passed(&shop, "login", 0));
    log_in(&visitor, &json!("token")).await.gives(200);
    service.replies(Reply::Text(500, String::new()));
    shop.clock.advance(15 * 60 * SECOND);
    try_from("192.0.2.1", CUSTOMER).await.refuses(401, "BadCredentials");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_is_told_the_service_and_its_site_key_and_never_the_secret() {
    for kind in ["recaptcha", "turnstile"] {
        let shop = SiteVerify::open().await.shop(kind, &[]).await;
        let answer = shop.visitor().get("/api/config").await;
        assert_eq!(answer.gives(200)["bot_check"], json!({ "kind": kind, "site_key": "site-key" }));
        assert!(!answer.text.contains("secret-of-the-shop"), "{answer}");
    }
}

// invariant: third-party-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_services_scripts_are_allowed_where_their_forms_are_and_nowhere_else() {
    let hosts =
        [("recaptcha", "https://www.google.com/recaptcha/"), ("turnstile", "https://challenges.cloudflare.com")];
    for (kind, host) in hosts {
        let shop = SiteVerify::open().await.shop(kind, &[]).await;
        let policy =
            async |path: &str| shop.visitor().get(path).await.header("content-security-policy").unwrap().to_owned();
        for path in ["/login", "/register", "/login/"] {
            let policy = policy(path).await;
            let allows =
                |directive: &str| policy.split("; ").any(|one| one.starts_with(directive) && one.contains(host));
            assert!(allows("script-src ") && allows("frame-src "), "{path}: {policy}");
        }
        for path in ["/", "/checkout", "/profile", "/forgot-password", "/admin/orders", "/products/nudgelight-one"] {
            assert!(!policy(path).await.contains("https:"), "{path}");
        }
    }
}
