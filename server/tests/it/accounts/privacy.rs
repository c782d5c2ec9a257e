//! Account enumeration: no response reveals whether an address has an account.

use serde_json::{Value, json};

use crate::harness::{ApiResponse, CUSTOMER, PASSWORD, TestShop, never};

/// Every endpoint that takes an email address, with a request body for it.
pub fn calls(address: &str) -> [(&'static str, Value); 9] {
    [
        ("/api/auth/signup", json!({ "email": address, "password": PASSWORD })),
        ("/api/auth/login", json!({ "username": address, "password": "not the password" })),
        ("/api/auth/login-code", json!({ "username": address, "login_token": "A".repeat(43) })),
        ("/api/auth/login-with-code", json!({ "username": address, "code": "000000", "login_token": "A".repeat(43) })),
        ("/api/auth/confirm-email", json!({ "username": address, "code": "000000" })),
        ("/api/auth/resend-code", json!({ "username": address })),
        ("/api/auth/forgot-password", json!({ "username": address })),
        // Requires a login. Without one, the response is the same for every address, too.
        ("/api/auth/email-change", json!({ "email": address })),
        (
            "/api/auth/confirm-forgot-password",
            json!({ "username": address, "confirmationCode": "000000", "password": PASSWORD }),
        ),
    ]
}

/// The response without its request ID, date and login token, which always differ.
pub fn seen(response: &ApiResponse) -> (u16, Value, Vec<(String, String)>) {
    let (status, mut body) = response.essence();
    if let Some(token) = body.get_mut("login_token") {
        *token = json!(token.as_str().map(str::len));
    }
    let mut headers: Vec<(String, String)> = response
        .headers
        .iter()
        .filter(|(name, _)| !matches!(name.as_str(), "x-request-id" | "date"))
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    (status, body, headers)
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_address_is_answered_exactly_like_a_known_one() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    shop.signs_up("waiting@example.com").await;
    let addresses = [CUSTOMER, "somebodyelse@example.com", "waiting@example.com", "Administrator@nudgelight.example"];
    for round in 0..5 {
        let all = addresses.map(calls);
        for call in 0..all[0].len() {
            let mut responses = Vec::new();
            for of_address in &all {
                let (path, body) = &of_address[call];
                responses.push(visitor.post(path, body).await);
            }
            for response in &responses[1..] {
                assert_eq!(seen(response), seen(&responses[0]), "{round}: {response}");
            }
        }
    }
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_says_nothing_about_an_address() {
    let vars = [("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let shop = TestShop::open_with(&vars).await;
    let visitor = shop.visitor();
    let mut statuses = Vec::new();
    for (from, address) in [("198.51.100.1", CUSTOMER), ("198.51.100.2", "nobody@example.com")] {
        let (client, mut seen) = (visitor.at(from), Vec::new());
        for (path, body) in calls(address) {
            for _ in 0..12 {
                seen.push((path, client.post(path, &body).await.status));
            }
        }
        statuses.push(seen);
    }
    assert_eq!(statuses[0], statuses[1]);
    assert!(statuses[0].iter().any(|(_, status)| *status == 429));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_owner_of_a_known_address_is_told_of_a_sign_up_and_keeps_the_password() {
    let shop = TestShop::open().await;
    let body = json!({ "email": CUSTOMER, "password": "somebody else's idea" });
    shop.visitor().post("/api/auth/signup", &body).await.gives(201);
    let mail = shop.mail_to(CUSTOMER, "already have an account").await;
    assert_eq!(mail.code(), None);
    shop.logs_in(CUSTOMER, "somebody else's idea").await.refuses(401, "BadCredentials");
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_about_an_account_is_mailed_to_an_address_without_an_account() {
    let shop = TestShop::open().await;
    let body = json!({ "username": "nobody@example.com" });
    shop.visitor().post("/api/auth/forgot-password", &body).await.gives(200);
    shop.visitor().post("/api/auth/resend-code", &body).await.gives(200);
    never("an email", async || shop.mails().pop()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_code_is_resent_to_an_account_that_is_confirmed() {
    let shop = TestShop::open().await;
    shop.visitor().post("/api/auth/resend-code", &json!({ "username": CUSTOMER })).await.gives(200);
    never("an email", async || shop.mails_to(CUSTOMER).pop()).await;
}
