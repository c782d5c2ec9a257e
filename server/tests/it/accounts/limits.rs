//! Rate limits of sign-up, login and codes.

use serde_json::{Value, json};
use server::config::Config;
use server::start::Running;

use super::privacy::seen;
use crate::harness::{ADMIN, ApiResponse, CUSTOMER, Client, PASSWORD, Person, TestShop, never, together};

const MINUTE: i64 = 60_000;

async fn limited() -> TestShop {
    TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await
}

/// The same behind a trusted proxy, so that each client has its own IP address.
async fn proxied() -> TestShop {
    TestShop::open_with(&[("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await
}

fn retry_after(response: &ApiResponse) -> i64 {
    response.refuses(429, "TooManyRequests");
    response.header("retry-after").unwrap().parse().unwrap()
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_wrong_passwords_lock_the_account_for_a_while_and_never_for_good() {
    let shop = limited().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    let seconds = retry_after(&shop.logs_in(CUSTOMER, PASSWORD).await);
    assert!((1..=3_600).contains(&seconds), "{seconds}");
    shop.clock.advance(seconds * 1_000);
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_known_browser_logs_in_thirty_times_a_minute_and_not_more_often() {
    let shop = limited().await;
    let mut token = shop.logs_in(CUSTOMER, PASSWORD).await.gives(200)["device_token"].clone();
    for _ in 0..30 {
        let body = json!({ "username": CUSTOMER, "password": PASSWORD, "device_token": token });
        token = shop.visitor().post("/api/auth/login", &body).await.gives(200)["device_token"].clone();
    }
    let body = json!({ "username": CUSTOMER, "password": PASSWORD, "device_token": token });
    assert!(retry_after(&shop.visitor().post("/api/auth/login", &body).await) <= 60);
    shop.clock.advance(MINUTE);
    shop.visitor().post("/api/auth/login", &body).await.gives(200);
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_right_code_of_ones_own_is_no_way_to_go_on_guessing() {
    let shop = limited().await;
    shop.signs_up("eve@example.com").await;
    let own = shop.code_for("eve@example.com", &[]).await;
    let confirm = async |email: &str, code: &str| {
        shop.visitor().post("/api/auth/confirm-email", &json!({ "username": email, "code": code })).await
    };
    for number in 0..9 {
        confirm(&format!("nobody{number}@example.com"), "123456").await.refuses(400, "CodeInvalid");
    }
    confirm("eve@example.com", &own).await.gives(200);
    confirm("nobody@example.com", "123456").await.refuses(400, "CodeInvalid");
    retry_after(&confirm("nobody@example.com", "123456").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_address_is_locked_like_a_known_one() {
    let shop = limited().await;
    for _ in 0..10 {
        shop.logs_in("nobody@example.com", PASSWORD).await.refuses(401, "BadCredentials");
    }
    retry_after(&shop.logs_in("nobody@example.com", PASSWORD).await);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_right_password_pardons_the_wrong_ones_before_it() {
    let shop = limited().await;
    for _ in 0..2 {
        for _ in 0..9 {
            shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
        }
        shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
        // The next window, so that the limit per IP address does not apply.
        shop.clock.advance(MINUTE);
    }
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_account_can_still_be_reset_by_its_owner() {
    let shop = limited().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    retry_after(&shop.logs_in(CUSTOMER, PASSWORD).await);
    shop.visitor().post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await.gives(200);
    let code = shop.code_for(CUSTOMER, &[]).await;
    let body = json!({ "username": CUSTOMER, "confirmationCode": code, "password": "a lamp of my own" });
    shop.visitor().post("/api/auth/confirm-forgot-password", &body).await.gives(200);
    shop.logs_in(CUSTOMER, "a lamp of my own").await.gives(200);
}

// invariant: trusted-proxies
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_signs_up_twenty_times_an_hour() {
    let shop = limited().await;
    let visitor = shop.visitor();
    let sign_up = async |number: i32| {
        let body = json!({ "email": format!("person{number}@example.com"), "password": PASSWORD });
        // `X-Forwarded-For` is ignored, because this shop trusts no proxy.
        let request = visitor.request("POST", "/api/auth/signup").header("x-forwarded-for", format!("10.0.0.{number}"));
        visitor.send(request.json(&body)).await
    };
    for number in 0..20 {
        sign_up(number).await.gives(201);
    }
    retry_after(&sign_up(20).await);
    shop.clock.advance(60 * MINUTE);
    sign_up(20).await.gives(201);
}

// invariant: trusted-proxies
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
    retry_after(&log_in("198.51.100.1", 30).await);
    // Hops left of the right-most one may be forged by the client, so they are ignored.
    retry_after(&log_in("203.0.113.7, 198.51.100.1", 31).await);
    log_in("198.51.100.1, 203.0.113.7", 32).await.refuses(401, "BadCredentials");
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_survive_a_restart() {
    let mut shop = limited().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    shop.restart().await;
    retry_after(&shop.logs_in(CUSTOMER, PASSWORD).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_has_three_codes_an_hour_mailed_and_is_not_told_that_a_fourth_is_not() {
    let shop = limited().await;
    let ask = async || shop.visitor().post("/api/auth/forgot-password", &json!({ "username": CUSTOMER })).await;
    let first = ask().await;
    let mut codes = vec![shop.code_for(CUSTOMER, &[]).await];
    for _ in 0..2 {
        ask().await.gives(200);
        let seen: Vec<&str> = codes.iter().map(String::as_str).collect();
        let code = shop.code_for(CUSTOMER, &seen).await;
        codes.push(code);
    }
    for _ in 0..3 {
        assert_eq!(seen(&ask().await), seen(&first));
    }
    never("a fourth code", async || shop.mails_to(CUSTOMER).into_iter().nth(3)).await;
    let body = json!({ "username": CUSTOMER, "confirmationCode": codes[2], "password": "a lamp of my own" });
    shop.visitor().post("/api/auth/confirm-forgot-password", &body).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_who_asks_for_codes_does_not_keep_the_owner_from_one() {
    let shop = proxied().await;
    let ask = async |from: &str| {
        let body = json!({ "username": CUSTOMER });
        shop.visitor().at(from).post("/api/auth/forgot-password", &body).await.gives(200);
    };
    // More requests than the daily limit of one client allows.
    for _ in 0..8 {
        for _ in 0..4 {
            ask("203.0.113.1").await;
        }
        shop.clock.advance(60 * MINUTE);
    }
    let old: Vec<String> = shop.mails_to(CUSTOMER).iter().filter_map(|mail| mail.code()).collect();
    assert!(old.len() <= 6, "{}", old.len());
    ask("198.51.100.1").await;
    let seen: Vec<&str> = old.iter().map(String::as_str).collect();
    let code = shop.code_for(CUSTOMER, &seen).await;
    let body = json!({ "username": CUSTOMER, "confirmationCode": code, "password": "a lamp of my own" });
    shop.visitor().at("198.51.100.1").post("/api/auth/confirm-forgot-password", &body).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stranger_who_guesses_passwords_locks_nobody_out_but_themselves() {
    let shop = proxied().await;
    let log_in = async |from: &str, password: &str| {
        let body = json!({ "username": CUSTOMER, "password": password });
        shop.visitor().at(from).post("/api/auth/login", &body).await
    };
    for _ in 0..10 {
        log_in("203.0.113.1", "not the password").await.refuses(401, "BadCredentials");
    }
    retry_after(&log_in("203.0.113.1", PASSWORD).await);
    log_in("198.51.100.1", PASSWORD).await.gives(200);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_has_logged_in_before_has_a_way_in_of_its_own_until_the_password_changes() {
    let shop = limited().await;
    let device = shop.logs_in(CUSTOMER, PASSWORD).await.gives(200)["device_token"].clone();
    let log_in = async |username: &str, password: &str, device: &Value| {
        let body = json!({ "username": username, "password": password, "device_token": device });
        shop.visitor().post("/api/auth/login", &body).await
    };
    // An attacker behind the same IP address exhausts its limits for this account and for all accounts.
    for number in 0..31 {
        let address = if number < 11 { CUSTOMER.to_owned() } else { format!("person{number}@example.com") };
        shop.logs_in(&address, "not the password").await;
    }
    retry_after(&shop.logs_in(CUSTOMER, PASSWORD).await);
    log_in(CUSTOMER, PASSWORD, &device).await.gives(200);

    // The device token is valid for its own account only, has its own guessing limit, and does not replace the
    // password.
    retry_after(&log_in(ADMIN, PASSWORD, &device).await);
    for nonsense in [json!("x.y"), json!("."), Value::Null] {
        retry_after(&log_in(CUSTOMER, PASSWORD, &nonsense).await);
    }
    for nonsense in [json!(7), json!(""), json!("x".repeat(101))] {
        log_in(CUSTOMER, PASSWORD, &nonsense).await.names(&["device_token"]);
    }
    for _ in 0..10 {
        log_in(CUSTOMER, "not the password", &device).await.refuses(401, "BadCredentials");
    }
    retry_after(&log_in(CUSTOMER, PASSWORD, &device).await);

    shop.clock.advance(3 * 60 * MINUTE);
    let response = log_in(CUSTOMER, PASSWORD, &device).await.gives(200);
    let newer = response["device_token"].clone();
    let person = Person::of(&shop.visitor(), &response);
    let change = json!({ "previousPassword": PASSWORD, "proposedPassword": "a lamp of my own" });
    person.post("/api/change-password", &change).await.gives(200);
    for _ in 0..31 {
        shop.logs_in(CUSTOMER, "not the password").await;
    }
    for unknown in [&device, &newer] {
        retry_after(&log_in(CUSTOMER, "a lamp of my own", unknown).await);
    }
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_client_with_wrong_codes_is_held_and_the_shop_does_not_grow_wary_of_the_others() {
    let shop = proxied().await;
    let enter = async |from: &str, number: usize| {
        let body = json!({ "username": format!("person{number}@example.com"), "code": "000000" });
        shop.visitor().at(from).post("/api/auth/confirm-email", &body).await
    };
    for minute in 0..9 {
        for number in 0..24 {
            let response = enter("203.0.113.1", minute * 24 + number).await;
            assert_eq!(response.status, if minute == 0 && number < 10 { 400 } else { 429 }, "{response}");
        }
        shop.clock.advance(MINUTE);
    }
    // During a detected attack the limit is three codes per client. Five are accepted, so none was detected.
    for number in 0..5 {
        enter("198.51.100.1", number).await.refuses(400, "CodeInvalid");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clients_of_one_ipv6_network_are_counted_together_as_well() {
    let shop = proxied().await;
    let enter = async |from: String| {
        let body = json!({ "username": "ada@example.com", "code": "000000" });
        shop.visitor().at(&from).post("/api/auth/confirm-email", &body).await
    };
    for number in 0..40 {
        enter(format!("2001:db8:1:{number:x}::1")).await.refuses(400, "CodeInvalid");
    }
    retry_after(&enter("2001:db8:1:ff::1".to_owned()).await);
    enter("2001:db8:2:ff::1".to_owned()).await.refuses(400, "CodeInvalid");
}

// invariant: load-shedding
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_use_writes_nothing() {
    let shop = limited().await;
    let log_in = async |number: i32| shop.logs_in(&format!("person{number}@example.com"), PASSWORD).await;
    for number in 0..30 {
        log_in(number).await.refuses(401, "BadCredentials");
    }
    let before = shop.inside().platform.db.writes();
    for number in 30..330 {
        retry_after(&log_in(number).await);
    }
    // Background tasks write meanwhile, so the count is not zero.
    let written = shop.inside().platform.db.writes() - before;
    assert!(written < 150, "{written} writes for 300 rejections");
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_that_one_process_lifts_ends_in_the_others_soon() {
    let shop = limited().await;
    let (second, there) = shop.another_process().await;
    for _ in 0..10 {
        shop.logs_in(CUSTOMER, "not the password").await.refuses(401, "BadCredentials");
    }
    let right = json!({ "username": CUSTOMER, "password": PASSWORD });
    retry_after(&there.post("/api/auth/login", &right).await);
    shop.tamper("DELETE FROM rate_limits").await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    there.post("/api/auth/login", &right).await.gives(200);
    second.stop().await;
}

/// Enters a wrong code for each of these accounts, each from a different network.
async fn enter_wrong_codes(shop: &TestShop, numbers: std::ops::Range<usize>) -> Vec<ApiResponse> {
    let visitor = shop.visitor();
    let first = numbers.start;
    together(numbers.len(), |offset| {
        let (visitor, number) = (visitor.clone(), first + offset);
        async move {
            let body = json!({ "username": format!("person{number}@example.com"), "code": "000000" });
            let from = format!("10.{}.{}.1", number / 250, number % 250);
            let request = visitor.request("POST", "/api/auth/confirm-email").header("x-forwarded-for", from);
            visitor.send(request.json(&body)).await
        }
    })
    .await
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_wrong_codes_over_all_accounts_alarm_the_shop_and_slow_guessing_down() {
    let vars = [
        ("SHOP_RATE_LIMITS", "on"),
        ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32"),
        ("SHOP_ORDERS_EMAIL", "owner@shop.example"),
    ];
    let shop = TestShop::open_with(&vars).await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    for round in 0..8 {
        for response in enter_wrong_codes(&shop, round * 25..(round + 1) * 25).await {
            response.refuses(400, "CodeInvalid");
        }
    }
    assert!(shop.mails_to("owner@shop.example").is_empty());

    // Attack mode: 20 codes per minute are still verified in total, and 3 per client.
    let responses = enter_wrong_codes(&shop, 200..230).await;
    let judged = responses.iter().filter(|response| response.status == 400).count();
    assert_eq!((judged, responses.len() - judged), (20, 10), "{responses:?}");
    assert!(responses.iter().filter(|response| response.status != 400).all(|response| retry_after(response) <= 60));
    shop.mail_to("owner@shop.example", "Possible code-guessing attack").await;

    shop.clock.advance(MINUTE);
    let confirm = json!({ "username": "ada@example.com", "code": code });
    shop.visitor().post("/api/auth/confirm-email", &confirm).await.gives(200);
    let one_client = async || {
        let body = json!({ "username": "bea@example.com", "code": "000000" });
        shop.visitor().post("/api/auth/confirm-email", &body).await
    };
    for _ in 0..2 {
        one_client().await.refuses(400, "CodeInvalid");
    }
    assert!(retry_after(&one_client().await) > 60);

    shop.clock.advance(10 * MINUTE);
    one_client().await.refuses(400, "CodeInvalid");
    assert_eq!(shop.mails_to("owner@shop.example").len(), 1);
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_hold_over_all_processes_of_a_shop() {
    let shop = limited().await;
    let second = Running::start(Config::from_vars(shop.vars()).unwrap(), shop.clock.clone()).await.unwrap();
    let there = Client::new(&format!("http://{}", second.addr));
    let body = json!({ "username": CUSTOMER, "password": "not the password" });
    for number in 0..10 {
        let client = if number % 2 == 0 { shop.visitor() } else { there.clone() };
        client.post("/api/auth/login", &body).await.refuses(401, "BadCredentials");
    }
    retry_after(&there.post("/api/auth/login", &body).await);
    retry_after(&shop.logs_in(CUSTOMER, PASSWORD).await);
    second.stop().await;
}
