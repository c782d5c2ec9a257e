//! How often somebody may try.

use serde_json::json;

use crate::harness::{Answer, CUSTOMER, PASSWORD, TestShop};

const MINUTE: i64 = 60_000;

async fn limited() -> TestShop {
    TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await
}

fn wait_of(answer: &Answer) -> i64 {
    answer.refuses(429, "TooManyRequests");
    answer.header("retry-after").unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_wrong_passwords_lock_the_account_for_a_while_and_never_for_good() {
    let shop = limited().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    let seconds = wait_of(&shop.logs_in(CUSTOMER, PASSWORD).await);
    assert!((1..=3_600).contains(&seconds), "{seconds}");
    shop.clock.advance(seconds * 1_000);
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_address_is_locked_like_a_known_one() {
    let shop = limited().await;
    for _ in 0..10 {
        shop.logs_in("nobody@example.com", PASSWORD).await.refuses(401, "BadCredentials");
    }
    wait_of(&shop.logs_in("nobody@example.com", PASSWORD).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_right_password_pardons_the_wrong_ones_before_it() {
    let shop = limited().await;
    for _ in 0..2 {
        for _ in 0..9 {
            shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
        }
        shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
        // So that the limit for the client's address has nothing to do with it.
        shop.clock.advance(MINUTE);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_account_can_still_be_reset_by_its_owner() {
    let shop = limited().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    wait_of(&shop.logs_in(CUSTOMER, PASSWORD).await);
    shop.visitor().post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await.gives(200);
    let code = shop.code_for(CUSTOMER, &[]).await;
    let body = json!({ "username": CUSTOMER, "confirmationCode": code, "password": "a lamp of my own" });
    shop.visitor().post("/api/auth/confirm-forgot-password", &body).await.gives(200);
    shop.logs_in(CUSTOMER, "a lamp of my own").await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_signs_up_twenty_times_an_hour() {
    let shop = limited().await;
    let visitor = shop.visitor();
    let sign_up = async |number: i32| {
        let body = json!({ "email": format!("person{number}@example.com"), "password": PASSWORD });
        // Whoever sends this header is not believed: there is no proxy that could have written it.
        let request = visitor.request("POST", "/api/auth/signup").header("x-forwarded-for", format!("10.0.0.{number}"));
        visitor.send(request.json(&body)).await
    };
    for number in 0..20 {
        sign_up(number).await.gives(201);
    }
    wait_of(&sign_up(20).await);
    shop.clock.advance(60 * MINUTE);
    sign_up(20).await.gives(201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_trusted_proxy_each_client_has_limits_of_its_own() {
    let vars = [("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")];
    let shop = TestShop::open_with(&vars).await;
    let visitor = shop.visitor();
    let log_in = async |forwarded: &str, number: usize| {
        let body = json!({ "username": format!("person{number}@example.com"), "password": PASSWORD });
        let request = visitor.request("POST", "/api/auth/login").header("x-forwarded-for", forwarded);
        visitor.send(request.json(&body)).await
    };
    for number in 0..30 {
        log_in("198.51.100.1", number).await.refuses(401, "BadCredentials");
    }
    wait_of(&log_in("198.51.100.1", 30).await);
    // What stands left of the last hop was written by the client.
    wait_of(&log_in("203.0.113.7, 198.51.100.1", 31).await);
    log_in("198.51.100.1, 203.0.113.7", 32).await.refuses(401, "BadCredentials");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_survive_a_restart() {
    let mut shop = limited().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    shop.restart().await;
    wait_of(&shop.logs_in(CUSTOMER, PASSWORD).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mailbox_gets_no_more_than_three_codes_an_hour() {
    let shop = limited().await;
    let ask = async || shop.visitor().post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await;
    for _ in 0..3 {
        ask().await.gives(200);
    }
    wait_of(&ask().await);
}
