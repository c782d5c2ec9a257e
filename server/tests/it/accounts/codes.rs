use serde_json::{Value, json};

use crate::harness::{Answer, Client, TestShop, together};

const MINUTE: i64 = 60_000;

async fn confirm(client: &Client, code: &str) -> Answer {
    client.post("/api/auth/confirm-email", &json!({ "username": "ada@example.com", "code": code })).await
}

/// Another code than this one.
fn wrong(code: &str) -> String {
    let number: u32 = code.parse().unwrap();
    format!("{:06}", (number + 1) % 1_000_000)
}

// rule 23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_judged_five_times_and_then_even_the_right_one_fails() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    for _ in 0..5 {
        confirm(&shop.visitor(), &wrong(&code)).await.refuses(400, "CodeInvalid");
    }
    confirm(&shop.visitor(), &code).await.refuses(400, "CodeInvalid");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_wrong_guesses_leave_the_right_code_good() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    for _ in 0..4 {
        confirm(&shop.visitor(), &wrong(&code)).await.refuses(400, "CodeInvalid");
    }
    confirm(&shop.visitor(), &code).await.gives(200);
}

// rule 23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_guesses_at_once_are_no_more_than_five() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    let (visitor, guess) = (shop.visitor(), wrong(&code));
    let answers = together(100, |_| {
        let (visitor, guess) = (visitor.clone(), guess.clone());
        async move { confirm(&visitor, &guess).await }
    })
    .await;
    // Whoever comes while too many wait is told to come back, and has guessed nothing.
    for answer in answers.iter().filter(|answer| answer.status != 503) {
        answer.refuses(400, "CodeInvalid");
    }
    assert_eq!(shop.count("SELECT tries_left FROM codes").await, 0);
    confirm(&visitor, &code).await.refuses(400, "CodeInvalid");
}

// rule 23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_used_once_by_many_who_use_it_at_once() {
    let shop = TestShop::open().await;
    shop.new_customer("ada@example.com").await;
    let visitor = shop.visitor();
    visitor.post("/api/auth/forgot-password", &json!({ "username": "ada@example.com" })).await.gives(200);
    let used = shop.mails_to("ada@example.com")[0].code().unwrap();
    let code = shop.code_for("ada@example.com", &[&used]).await;
    let answers = together(20, |number| {
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
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 1, "{answers:?}");
}

// rule 23
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
    // One in a million sign-ups gives both the same code.
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

// rule 23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asking_for_another_code_gives_no_further_guesses_but_always_one() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let first = shop.code_for("ada@example.com", &[]).await;
    for _ in 0..3 {
        confirm(&shop.visitor(), &wrong(&first)).await.refuses(400, "CodeInvalid");
    }
    let resend = async |seen: &[&str]| {
        shop.visitor().post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
        shop.code_for("ada@example.com", seen).await
    };
    let tries = async || shop.count("SELECT tries_left FROM codes").await;
    let second = resend(&[&first]).await;
    assert_eq!(tries().await, 2);
    for _ in 0..2 {
        confirm(&shop.visitor(), &wrong(&second)).await.refuses(400, "CodeInvalid");
    }
    confirm(&shop.visitor(), &second).await.refuses(400, "CodeInvalid");
    let third = resend(&[&first, &second]).await;
    assert_eq!(tries().await, 1);
    confirm(&shop.visitor(), &third).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_asked_for_after_the_last_one_has_expired_has_five_tries() {
    let shop = TestShop::open().await;
    shop.signs_up("ada@example.com").await;
    let first = shop.code_for("ada@example.com", &[]).await;
    confirm(&shop.visitor(), &wrong(&first)).await.refuses(400, "CodeInvalid");
    shop.clock.advance(10 * MINUTE);
    shop.visitor().post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
    assert_eq!(shop.count("SELECT tries_left FROM codes").await, 5);
}

// rule 23
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_stands_no_more_than_fifty_guesses_a_day_whatever_is_asked_for() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    let mut judged = 0;
    // An attacker with as many addresses as they like, who comes back every quarter of an hour.
    for visit in 0..(24 * 4) {
        let visitor = shop.visitor();
        let from = format!("198.51.100.{visit}");
        let call = async |path: &str, body: Value| {
            visitor.send(visitor.request("POST", path).header("x-forwarded-for", &from).json(&body)).await
        };
        call("/api/auth/resend-code", json!({ "username": "ada@example.com" })).await;
        let before = shop.count("SELECT tries_left FROM codes").await;
        for _ in 0..before {
            let guess = json!({ "username": "ada@example.com", "code": wrong(&code) });
            // The guess may happen to be the newest code, once in a million.
            call("/api/auth/confirm-email", guess).await;
        }
        judged += before - shop.count("SELECT tries_left FROM codes").await;
        shop.clock.advance(15 * MINUTE - 1);
    }
    assert!((5..=50).contains(&judged), "{judged}");
}
