use serde_json::{Value, json};

use crate::harness::{ApiResponse, Client, TestShop, together};

const MINUTE: i64 = 60_000;

async fn confirm(client: &Client, code: &str) -> ApiResponse {
    client.post("/api/auth/confirm-email", &json!({ "username": "ada@example.com", "code": code })).await
}

/// An invalid code that differs from this one.
fn wrong(code: &str) -> String {
    let number: u32 = code.parse().unwrap();
    format!("{:06}", (number + 1) % 1_000_000)
}

/// A shop with rate limits behind a trusted proxy, so that each client has its own IP address.
async fn limited() -> TestShop {
    TestShop::open_with(&[("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_has_five_tries_for_a_code_and_another_client_has_its_own() {
    let shop = limited().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    let stranger = shop.visitor().at("203.0.113.1");
    for _ in 0..5 {
        confirm(&stranger, &wrong(&code)).await.refuses(400, "CodeInvalid");
    }
    confirm(&stranger, &code).await.refuses(400, "CodeInvalid");
    assert_eq!(shop.count("SELECT attempts_left FROM signups").await, 10, "uncompared codes use up no attempt");
    confirm(&shop.visitor().at("198.51.100.1"), &code).await.gives(200);
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_stands_fifteen_tries_of_all_clients_and_then_even_the_right_one_fails() {
    for (tries, is_good) in [(14, true), (15, false)] {
        let shop = TestShop::open().await;
        shop.signs_up("ada@example.com").await;
        let code = shop.code_for("ada@example.com", &[]).await;
        for _ in 0..tries {
            confirm(&shop.visitor(), &wrong(&code)).await.refuses(400, "CodeInvalid");
        }
        let response = confirm(&shop.visitor(), &code).await;
        assert_eq!(response.status, if is_good { 200 } else { 400 }, "{response}");
    }
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_guesses_at_once_are_no_more_than_five_of_one_client_and_fifteen_of_many() {
    for (limits, most) in [("on", 5), ("off", 15)] {
        let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", limits)]).await;
        shop.signs_up("ada@example.com").await;
        let code = shop.code_for("ada@example.com", &[]).await;
        let (visitor, guess) = (shop.visitor(), wrong(&code));
        let responses = together(100, |_| {
            let (visitor, guess) = (visitor.clone(), guess.clone());
            async move { confirm(&visitor, &guess).await }
        })
        .await;
        for response in responses.iter().filter(|response| !matches!(response.status, 429 | 503)) {
            response.refuses(400, "CodeInvalid");
        }
        // A busy shop rejects some of them before it compares their code.
        for _ in 0..most {
            confirm(&visitor, &guess).await;
        }
        let compared = 15 - shop.count("SELECT attempts_left FROM signups").await;
        assert!(compared == most || (limits == "on" && compared < most), "{compared} of {most} codes compared");
        assert_ne!(confirm(&visitor, &code).await.status, 200);
    }
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_used_once_by_many_who_use_it_at_once() {
    let shop = TestShop::open().await;
    shop.new_customer("ada@example.com").await;
    let visitor = shop.visitor();
    visitor.post("/api/auth/forgot-password", &json!({ "username": "ada@example.com" })).await.gives(200);
    let used = shop.mails_to("ada@example.com")[0].code().unwrap();
    let code = shop.code_for("ada@example.com", &[&used]).await;
    let responses = together(20, |number| {
        let (visitor, code) = (visitor.clone(), code.clone());
        async move {
            let body = json!({
                "username": "ada@example.com", "confirmationCode": code,
                "password": format!("a new password {number}"),
            });
            visitor.post("/api/auth/confirm-forgot-password", &body).await
        }
    })
    .await;
    let done = responses.iter().filter(|response| response.status == 200).count();
    assert_eq!(done, 1, "{responses:?}");
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_lasts_ten_minutes_and_only_the_right_one_is_called_expired() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    shop.clock.advance(10 * MINUTE);
    confirm(&shop.visitor(), &wrong(&code)).await.refuses(400, "CodeInvalid");
    confirm(&shop.visitor(), &code).await.refuses(400, "CodeExpired");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_resent_code_replaces_the_one_before() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let old = shop.code_for("ada@example.com", &[]).await;
    shop.visitor().post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
    let new = shop.code_for("ada@example.com", &[&old]).await;
    confirm(&shop.visitor(), &old).await.refuses(400, "CodeInvalid");
    confirm(&shop.visitor(), &new).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_for_one_purpose_is_worthless_for_the_other() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    let reset = json!({
        "username": "ada@example.com", "confirmationCode": code, "password": "another password",
    });
    shop.visitor().post("/api/auth/confirm-forgot-password", &reset).await.refuses(400, "CodeInvalid");
    confirm(&shop.visitor(), &code).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_of_one_person_is_worthless_for_another() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    shop.signs_up("bea@example.com").await;
    let of_bea = shop.code_for("bea@example.com", &[]).await;
    let of_ada = shop.code_for("ada@example.com", &[]).await;
    // Both sign-ups get the same random code with a probability of one in a million.
    if of_ada != of_bea {
        confirm(&shop.visitor(), &of_bea).await.refuses(400, "CodeInvalid");
    }
    confirm(&shop.visitor(), &of_ada).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_text_and_nothing_else() {
    let shop = TestShop::open().await;
    for code in [json!(123456), Value::Null, json!(["123456"]), json!({})] {
        let body = json!({ "username": "ada@example.com", "code": code });
        shop.visitor().post("/api/auth/confirm-email", &body).await.names(&["code"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_code_has_tries_of_its_own() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let first = shop.code_for("ada@example.com", &[]).await;
    for _ in 0..15 {
        confirm(&shop.visitor(), &wrong(&first)).await.refuses(400, "CodeInvalid");
    }
    shop.visitor().post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
    let second = shop.code_for("ada@example.com", &[&first]).await;
    confirm(&shop.visitor(), &second).await.gives(200);
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_stands_no_more_than_fifty_guesses_a_day_whatever_is_asked_for() {
    let shop = limited().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    let mut judged = 0;
    let tries = async || {
        shop.count("SELECT attempts_left FROM signups").await
            + shop.count("SELECT CAST(COALESCE(SUM(attempts_left), 0) AS BIGINT) FROM login_codes").await
    };
    // An attacker with a new IP address every hour.
    for visit in 0..24 {
        let visitor = shop.visitor().at(&format!("203.0.113.{visit}"));
        visitor.post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
        let asked = visitor.post("/api/auth/login-code", &json!({ "username": "ada@example.com" })).await.gives(200);
        let login = json!({
            "username": "ada@example.com", "code": wrong(&code), "login_token": asked["login_token"],
        });
        let before = tries().await;
        for _ in 0..4 {
            // This guess equals the latest code with a probability of one in a million.
            confirm(&visitor, &wrong(&code)).await.refuses(400, "CodeInvalid");
            visitor.post("/api/auth/login-with-code", &login).await.refuses(400, "CodeInvalid");
        }
        judged += before - tries().await;
        shop.clock.advance(60 * MINUTE - 1);
    }
    assert_eq!(judged, 50);

    // The daily limit expires, so the owner can confirm the account.
    shop.clock.advance(60 * MINUTE);
    let ada = shop.visitor().at("198.51.100.1");
    let seen: Vec<String> = shop.mails_to("ada@example.com").iter().filter_map(|mail| mail.code()).collect();
    ada.post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
    let seen: Vec<&str> = seen.iter().map(String::as_str).collect();
    confirm(&ada, &shop.code_for("ada@example.com", &seen).await).await.gives(200);
}
