//! Logging in with an emailed code, and sign-ups that log in the browser that confirms them.

use serde_json::{Value, json};

use crate::harness::{ADMIN, ApiResponse, CUSTOMER, Client, PASSWORD, Person, TestShop, together};

const MINUTE: i64 = 60_000;
const ADA: &str = "ada@example.com";

/// Requests a code, and returns the browser's token.
async fn request_code(client: &Client, email: &str, token: &Value) -> Value {
    let body = json!({ "username": email, "login_token": token });
    client.post("/api/auth/login-code", &body).await.gives(200)["login_token"].clone()
}

async fn enter(client: &Client, email: &str, code: &str, token: &Value) -> ApiResponse {
    let body = json!({ "username": email, "code": code, "login_token": token });
    client.post("/api/auth/login-with-code", &body).await
}

fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

async fn attribute(person: &Person, name: &str) -> Value {
    let user = person.get("/api/auth/user").await.gives(200);
    let attributes = user["data"]["UserAttributes"].as_array().unwrap().clone();
    attributes.into_iter().find(|one| one["Name"] == name).map_or(Value::Null, |one| one["Value"].clone())
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emailed_code_logs_in_a_new_customer_who_has_an_account_without_a_password() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let token = request_code(&visitor, " Ada@Example.com ", &Value::Null).await;
    let mail = shop.mail_to("Ada@Example.com", "code").await;
    let code = mail.code().unwrap();
    assert!(mail.subject.contains(&code), "{}", mail.subject);

    let ada = Person::of(&visitor, &enter(&visitor, ADA, &code, &token).await.gives(200));
    assert_eq!(attribute(&ada, "email").await, "Ada@Example.com");
    assert_eq!(attribute(&ada, "has_password").await, "false");
    for password in ["", "no password set!", PASSWORD] {
        let body = json!({ "username": ADA, "password": password });
        assert!(matches!(visitor.post("/api/auth/login", &body).await.status, 400 | 401));
    }
    enter(&visitor, ADA, &code, &token).await.refuses(400, "CodeInvalid");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_with_a_password_keeps_it_when_a_code_logs_in() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let token = request_code(&visitor, CUSTOMER, &Value::Null).await;
    let code = shop.code_for(CUSTOMER, &[]).await;
    let customer = Person::of(&visitor, &enter(&visitor, CUSTOMER, &code, &token).await.gives(200));
    assert_eq!(attribute(&customer, "has_password").await, "true");
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_of_one_browser_one_address_and_one_purpose_and_lasts_ten_minutes() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let token = request_code(&visitor, CUSTOMER, &Value::Null).await;
    let code = shop.code_for(CUSTOMER, &[]).await;
    let other_token = request_code(&visitor, "somebody@example.com", &Value::Null).await;
    assert_ne!(token, other_token);
    enter(&visitor, CUSTOMER, &code, &other_token).await.refuses(400, "CodeInvalid");
    enter(&visitor, "somebody@example.com", &code, &token).await.refuses(400, "CodeInvalid");
    let reset = json!({ "username": CUSTOMER, "confirmationCode": code, "password": "another password" });
    visitor.post("/api/auth/confirm-forgot-password", &reset).await.refuses(400, "CodeInvalid");
    visitor
        .post("/api/auth/confirm-email", &json!({ "username": CUSTOMER, "code": code }))
        .await
        .refuses(400, "CodeInvalid");

    visitor.post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await.gives(200);
    let of_reset = shop.code_for(CUSTOMER, &[&code]).await;
    enter(&visitor, CUSTOMER, &of_reset, &token).await.refuses(400, "CodeInvalid");

    shop.clock.advance(10 * MINUTE);
    enter(&visitor, CUSTOMER, &wrong(&code), &token).await.refuses(400, "CodeInvalid");
    enter(&visitor, CUSTOMER, &code, &token).await.refuses(400, "CodeExpired");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_code_of_the_same_browser_replaces_the_one_before_and_keeps_its_token() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let token = request_code(&visitor, CUSTOMER, &Value::Null).await;
    let old = shop.code_for(CUSTOMER, &[]).await;
    assert_eq!(request_code(&visitor, CUSTOMER, &token).await, token);
    let new = shop.code_for(CUSTOMER, &[&old]).await;
    enter(&visitor, CUSTOMER, &old, &token).await.refuses(400, "CodeInvalid");
    enter(&visitor, CUSTOMER, &new, &token).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_neither_guesses_a_code_nor_uses_up_or_replaces_that_of_the_owner() {
    let vars = [("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let shop = TestShop::open_with(&vars).await;
    let (owner, stranger) = (shop.visitor().at("198.51.100.1"), shop.visitor().at("203.0.113.1"));
    let token = request_code(&owner, CUSTOMER, &Value::Null).await;
    let code = shop.code_for(CUSTOMER, &[]).await;
    let of_stranger = request_code(&stranger, CUSTOMER, &Value::Null).await;
    let other = shop.code_for(CUSTOMER, &[&code]).await;
    for _ in 0..5 {
        enter(&stranger, CUSTOMER, &wrong(&other), &of_stranger).await.refuses(400, "CodeInvalid");
    }
    enter(&stranger, CUSTOMER, &other, &of_stranger).await.refuses(400, "CodeInvalid");
    assert_eq!(shop.count("SELECT MIN(attempts_left) FROM login_codes").await, 10);
    enter(&owner, CUSTOMER, &code, &token).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_is_mailed_three_login_codes_an_hour_and_the_last_one_stays_valid() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await;
    let visitor = shop.visitor();
    let mut token = Value::Null;
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..3 {
        token = request_code(&visitor, CUSTOMER, &token).await;
        let known: Vec<&str> = seen.iter().map(String::as_str).collect();
        let code = shop.code_for(CUSTOMER, &known).await;
        seen.push(code);
    }
    assert_eq!(request_code(&visitor, CUSTOMER, &token).await, token);
    enter(&visitor, CUSTOMER, &seen[2], &token).await.gives(200);
    assert_eq!(shop.mails_to(CUSTOMER).len(), 3);
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_code_logs_in_one_of_many_that_use_it_at_once() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let token = request_code(&visitor, ADA, &Value::Null).await;
    let code = shop.code_for(ADA, &[]).await;
    let responses = together(10, |_| {
        let (visitor, code, token) = (visitor.clone(), code.clone(), token.clone());
        async move { enter(&visitor, ADA, &code, &token).await.status }
    })
    .await;
    assert_eq!(responses.iter().filter(|status| **status == 200).count(), 1, "{responses:?}");
    assert_eq!(shop.count("SELECT COUNT(*) FROM users WHERE email = 'ada@example.com'").await, 1);
    assert_eq!(shop.count("SELECT COUNT(*) FROM sessions").await, 1);
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_code_logs_in_an_administrator() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let token = request_code(&visitor, ADMIN, &Value::Null).await;
    let mail = shop.mail_to(ADMIN, "with your password").await;
    assert_eq!(mail.code(), None);
    enter(&visitor, ADMIN, "123456", &token).await.refuses(400, "CodeInvalid");
    // Nor one whose code is older than the right.
    let token = request_code(&visitor, CUSTOMER, &Value::Null).await;
    let code = shop.code_for(CUSTOMER, &[]).await;
    shop.tamper("UPDATE users SET is_admin = 1").await;
    enter(&visitor, CUSTOMER, &code, &token).await.refuses(400, "CodeInvalid");
    assert_eq!(shop.count("SELECT COUNT(*) FROM sessions").await, 0);
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_login_voids_the_passwords_that_others_chose_for_the_address() {
    let shop = TestShop::open().await;
    let (owner, stranger) = (shop.visitor(), shop.visitor());
    let body = json!({ "email": ADA, "password": "what a stranger likes" });
    let of_stranger = stranger.post("/api/auth/signup", &body).await.gives(201)["login_token"].clone();
    let sign_up_code = shop.code_for(ADA, &[]).await;
    let token = request_code(&owner, ADA, &Value::Null).await;
    let code = shop.code_for(ADA, &[&sign_up_code]).await;
    enter(&owner, ADA, &code, &token).await.gives(200);
    let confirm = json!({ "username": ADA, "code": sign_up_code, "login_token": of_stranger });
    stranger.post("/api/auth/confirm-email", &confirm).await.refuses(400, "CodeInvalid");
    shop.logs_in(ADA, "what a stranger likes").await.refuses(401, "BadCredentials");
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_confirmed_sign_up_logs_in_the_browser_that_made_it_and_no_other() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let sign_up = async |email: &str, token: &Value| {
        let body = json!({ "email": email, "password": PASSWORD, "login_token": token });
        visitor.post("/api/auth/signup", &body).await.gives(201)["login_token"].clone()
    };
    let confirm = async |email: &str, token: Value| {
        let body = json!({ "username": email, "code": shop.code_for(email, &[]).await, "login_token": token });
        visitor.post("/api/auth/confirm-email", &body).await.gives(200)
    };
    let token = sign_up(ADA, &Value::Null).await;
    let confirmed = confirm(ADA, token.clone()).await;
    let ada = Person::of(&visitor, &confirmed["session"]);
    assert_eq!(attribute(&ada, "email").await, ADA);
    assert!(confirmed["session"]["device_token"].is_string(), "{confirmed}");

    assert_eq!(sign_up("bea@example.com", &token).await, token, "a browser keeps its token");
    let elsewhere = request_code(&visitor, "somebody@example.com", &Value::Null).await;
    for (email, token) in [("bea@example.com", elsewhere), ("cleo@example.com", Value::Null)] {
        if email != "bea@example.com" {
            sign_up(email, &Value::Null).await;
        }
        let confirmed = confirm(email, token).await;
        assert_eq!(confirmed["session"], Value::Null, "{confirmed}");
        shop.logs_in(email, PASSWORD).await.gives(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emailed_code_sets_the_first_password_and_keeps_only_the_session_that_sets_it() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let mut seen: Vec<String> = Vec::new();
    let mut log_in = async || {
        let token = request_code(&visitor, ADA, &Value::Null).await;
        let code = shop.code_for(ADA, &seen.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let person = Person::of(&visitor, &enter(&visitor, ADA, &code, &token).await.gives(200));
        seen.push(code);
        person
    };
    let (here, there) = (log_in().await, log_in().await);
    here.post("/api/auth/forgot-password", &json!({ "username": ADA })).await.gives(200);
    let code = shop.code_for(ADA, &seen.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let body = json!({ "username": ADA, "confirmationCode": code, "password": "a lamp of her own" });
    here.post("/api/auth/confirm-forgot-password", &body).await.gives(200);
    assert!(here.is_logged_in().await && !there.is_logged_in().await);
    assert_eq!(attribute(&here, "has_password").await, "true");
    shop.mail_to(ADA, "password").await;
    shop.logs_in(ADA, "a lamp of her own").await.gives(200);

    // A session of another account has no part in it.
    let customer = shop.logged_in(CUSTOMER, PASSWORD).await;
    shop.clock.advance(MINUTE);
    customer.post("/api/auth/forgot-password", &json!({ "username": ADA })).await.gives(200);
    seen.push(code);
    let code = shop.code_for(ADA, &seen.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let body = json!({ "username": ADA, "confirmationCode": code, "password": "two lamps of her own" });
    customer.post("/api/auth/confirm-forgot-password", &body).await.gives(200);
    assert!(customer.is_logged_in().await && !here.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_malformed_token_is_named() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    for token in [json!(""), json!("short"), json!("+".repeat(43)), json!("A".repeat(44)), json!(7)] {
        let body = json!({
            "username": ADA, "email": ADA, "password": PASSWORD, "code": "123456", "login_token": token,
        });
        for path in ["signup", "confirm-email", "login-code", "login-with-code"] {
            visitor.post(&format!("/api/auth/{path}"), &body).await.names(&["login_token"]);
        }
    }
    let missing = json!({ "username": ADA, "code": "123456" });
    visitor.post("/api/auth/login-with-code", &missing).await.names(&["login_token"]);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_gets_codes_for_twenty_addresses_an_hour() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await;
    let visitor = shop.visitor();
    let ask = async |number: i32| {
        visitor.post("/api/auth/login-code", &json!({ "username": format!("person{number}@example.com") })).await
    };
    for number in 0..20 {
        ask(number).await.gives(200);
    }
    ask(20).await.refuses(429, "TooManyRequests");
    shop.clock.advance(60 * MINUTE);
    ask(20).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_with_wrong_codes_lock_out_no_browser_that_has_logged_in_before() {
    let vars = [("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let shop = TestShop::open_with(&vars).await;
    let owner = shop.visitor().at("198.51.100.1");
    let body = json!({ "username": CUSTOMER, "password": PASSWORD });
    let device = owner.post("/api/auth/login", &body).await.gives(200)["device_token"].clone();
    for number in 0..10 {
        let stranger = shop.visitor().at(&format!("203.0.113.{number}"));
        for _ in 0..5 {
            enter(&stranger, CUSTOMER, "123456", &json!("A".repeat(43))).await.refuses(400, "CodeInvalid");
        }
    }
    let token = request_code(&owner, CUSTOMER, &Value::Null).await;
    let code = shop.code_for(CUSTOMER, &[]).await;
    let body = json!({ "username": CUSTOMER, "code": code, "login_token": token, "device_token": device });
    owner.post("/api/auth/login-with-code", &body).await.gives(200);
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_password_voids_a_code_that_was_sent_before() {
    let shop = TestShop::open().await;
    let (visitor, customer) = (shop.visitor(), shop.customer().await);
    let token = request_code(&visitor, CUSTOMER, &Value::Null).await;
    let code = shop.code_for(CUSTOMER, &[]).await;
    let body = json!({ "previousPassword": PASSWORD, "proposedPassword": "a lamp of my own" });
    customer.post("/api/change-password", &body).await.gives(200);
    enter(&visitor, CUSTOMER, &code, &token).await.refuses(400, "CodeInvalid");
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_goes_to_the_accounts_own_spelling_of_its_address() {
    let shop = TestShop::open().await;
    shop.new_customer("kit@example.com").await;
    let seen = shop.mails_to("kit@example.com").len();
    request_code(&shop.visitor(), "\u{212a}it@example.com", &Value::Null).await;
    crate::harness::eventually("another email to the account", async || {
        (shop.mails_to("kit@example.com").len() > seen).then_some(())
    })
    .await;
}
