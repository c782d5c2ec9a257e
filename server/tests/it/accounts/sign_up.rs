use serde_json::{Value, json};
use sha2::Digest as _;

use crate::harness::{CUSTOMER, PASSWORD, TestShop, eventually, proof, solve};

// spec: email, password, recaptchaToken | message
// spec: username, password, recaptchaToken | accessToken, refreshToken
// spec: POST /api/auth/confirm-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_signs_up_with_a_proof_of_work_confirms_by_mail_and_logs_in() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow"), ("SHOP_RATE_LIMITS", "on")]).await;
    let visitor = shop.visitor();
    let sign_up = json!({
        "email": " Ada@Example.com ", "password": PASSWORD, "recaptchaToken": proof(&visitor, "signup").await,
    });
    let answer = visitor.post("/api/auth/signup", &sign_up).await.gives(201);
    assert!(answer["message"].as_str().is_some_and(|message| !message.is_empty()), "{answer}");

    let early = shop.logs_in("ada@example.com", PASSWORD).await;
    early.refuses(401, "BadCredentials");

    let mail = shop.mail_to("Ada@Example.com", "code").await;
    let code = mail.code().unwrap();
    assert!(mail.subject.contains(&code), "{}", mail.subject);
    assert!(mail.html.contains(&code), "{}", mail.html);
    shop.confirms("ada@example.com", &code).await;

    let ada = shop.logged_in("ADA@example.com", PASSWORD).await;
    let user = ada.get("/api/auth/user").await.gives(200);
    let attributes = user["data"]["UserAttributes"].as_array().unwrap();
    let value = |name: &str| attributes.iter().find(|one| one["Name"] == name).map(|one| one["Value"].clone());
    assert_eq!(value("email"), Some(json!("Ada@Example.com")));
    assert_eq!(value("email_verified"), Some(json!("true")));
    assert!(value("sub").is_some_and(|sub| sub.is_string()));
    assert!(user["data"]["Username"].is_string());
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_proof_of_work_is_rejected_before_anything_is_written() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow"), ("SHOP_RATE_LIMITS", "on")]).await;
    let visitor = shop.visitor();
    let for_login = proof(&visitor, "login").await;
    let body = |proof: &Value| {
        json!({
            "email": "ada@example.com", "username": "ada@example.com", "password": PASSWORD, "recaptchaToken": proof,
        })
    };
    for wrong in [Value::Null, json!("bm90aGluZw=="), for_login.clone()] {
        visitor.post("/api/auth/signup", &body(&wrong)).await.refuses(400, "BotCheckFailed");
    }
    visitor.post("/api/auth/login", &body(&json!("bm90aGluZw=="))).await.refuses(400, "BotCheckFailed");
    assert_eq!(shop.count("SELECT COUNT(*) FROM rate_limits").await, 0);
    assert_eq!(shop.count("SELECT COUNT(*) FROM used_bot_challenges").await, 0);
    visitor.post("/api/auth/login", &body(&for_login)).await.refuses(401, "BadCredentials");
    assert!(shop.count("SELECT COUNT(*) FROM rate_limits").await > 0);
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_of_work_counts_once_for_its_own_action_and_for_two_minutes() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await;
    let visitor = shop.visitor();
    let log_in = async |proof: &Value| {
        let body = json!({ "username": "ada@example.com", "password": PASSWORD, "recaptchaToken": proof });
        visitor.post("/api/auth/login", &body).await
    };
    let fresh = proof(&visitor, "login").await;
    log_in(&fresh).await.refuses(401, "BadCredentials");
    log_in(&fresh).await.refuses(400, "BotCheckFailed");

    let for_signup = proof(&visitor, "signup").await;
    log_in(&for_signup).await.refuses(400, "BotCheckFailed");

    let late = proof(&visitor, "login").await;
    shop.clock.advance(2 * 60_000);
    log_in(&late).await.refuses(400, "BotCheckFailed");

    for nothing in [Value::Null, json!(""), json!("bm90aGluZw=="), json!(7), json!({})] {
        log_in(&nothing).await.refuses(400, "BotCheckFailed");
    }
}

// invariant: bot-check
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_that_was_not_worked_for_is_refused() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await;
    let visitor = shop.visitor();
    let easy = json!({
        "algorithm": "SHA-256", "maxnumber": 10, "signature": "0".repeat(64), "salt": "salt.login?expires=9999999999&",
        // SHA-256 of the salt followed by the number 0.
        "challenge": hex::encode(sha2::Sha256::digest("salt.login?expires=9999999999&0")),
    });
    let body = json!({ "username": "ada@example.com", "password": PASSWORD, "recaptchaToken": solve(&easy) });
    visitor.post("/api/auth/login", &body).await.refuses(400, "BotCheckFailed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_takes_more_work_while_very_many_come_and_never_more_than_four_times_as_much() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await;
    let visitor = shop.visitor();
    let work = async || visitor.get("/api/bot-check?action=signup").await.gives(200)["maxnumber"].as_u64().unwrap();
    let usual = work().await;
    // The start of a minute, so that all visits count toward the same one. Only one of them is a real request.
    let now_ms = || shop.clock.now_ms();
    shop.clock.advance(60_000 - now_ms() % 60_000);
    let come = |many: u32| (0..many).for_each(|_| shop.inside().accounts.bot_check.count(now_ms()));
    come(239);
    assert_eq!(work().await, usual);
    shop.logs_in(CUSTOMER, PASSWORD).await.gives(200);
    assert_eq!(work().await, 2 * usual);
    come(1_000);
    assert_eq!(work().await, 4 * usual);
    shop.clock.advance(2 * 60_000);
    assert_eq!(work().await, usual);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_challenge_is_given_for_a_known_action_alone() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await;
    let visitor = shop.visitor();
    visitor.get("/api/bot-check?action=checkout").await.names(&["action"]);
    visitor.get("/api/bot-check").await.names(&["action"]);
    let one = visitor.get("/api/bot-check?action=login").await.gives(200);
    let other = visitor.get("/api/bot-check?action=login").await.gives(200);
    assert_ne!(one["challenge"], other["challenge"]);
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_code_that_is_entered_decides_which_password_counts_and_the_others_die_with_it() {
    for entered in [0, 1] {
        let shop = TestShop::open().await;
        let visitor = shop.visitor();
        let passwords = ["the first password", "the second password"];
        let mut codes: Vec<String> = Vec::new();
        for password in passwords {
            let body = json!({ "email": "ada@example.com", "password": password });
            visitor.post("/api/auth/signup", &body).await.gives(201);
            let seen: Vec<&str> = codes.iter().map(String::as_str).collect();
            let code = shop.code_for("ada@example.com", &seen).await;
            codes.push(code);
        }
        let confirm = |code: &str| json!({ "username": "ada@example.com", "code": code });
        visitor.post("/api/auth/confirm-email", &confirm(&codes[entered])).await.gives(200);
        visitor.post("/api/auth/confirm-email", &confirm(&codes[1 - entered])).await.refuses(400, "CodeInvalid");
        shop.logs_in("ada@example.com", passwords[entered]).await.gives(200);
        shop.logs_in("ada@example.com", passwords[1 - entered]).await.refuses(401, "BadCredentials");
    }
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_who_signed_up_here_does_not_confirm_a_strangers_password_by_taking_the_newest_mail() {
    let shop = TestShop::open_with(&[("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let (ada, stranger) = (shop.visitor().at("198.51.100.1"), shop.visitor().at("203.0.113.1"));
    let sign_up = |password: &str| json!({ "email": "ada@example.com", "password": password });
    ada.post("/api/auth/signup", &sign_up("a password of her own")).await.gives(201);
    let own = shop.code_for("ada@example.com", &[]).await;
    stranger.post("/api/auth/signup", &sign_up("what a stranger likes")).await.gives(201);
    let newest = shop.code_for("ada@example.com", &[&own]).await;

    let confirm = |code: &str| json!({ "username": "ada@example.com", "code": code });
    ada.post("/api/auth/confirm-email", &confirm(&newest)).await.refuses(400, "CodeInvalid");
    ada.post("/api/auth/confirm-email", &confirm(&own)).await.gives(200);
    shop.logs_in("ada@example.com", "a password of her own").await.gives(200);
    shop.logs_in("ada@example.com", "what a stranger likes").await.refuses(401, "BadCredentials");
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_several_have_signed_up_a_client_that_has_not_confirms_none_of_them() {
    let shop = TestShop::open_with(&[("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let at = |from: &str| shop.visitor().at(from);
    let sign_up = |password: &str| json!({ "email": "ada@example.com", "password": password });
    at("198.51.100.1").post("/api/auth/signup", &sign_up("a password of her own")).await.gives(201);
    let own = shop.code_for("ada@example.com", &[]).await;
    at("203.0.113.1").post("/api/auth/signup", &sign_up("what a stranger likes")).await.gives(201);
    let theirs = shop.code_for("ada@example.com", &[&own]).await;

    // Another network: with several pending sign-ups, the shop cannot tell to which one this client belongs.
    let elsewhere = at("192.0.2.1");
    elsewhere.post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
    for code in [&theirs, &own] {
        let body = json!({ "username": "ada@example.com", "code": code });
        elsewhere.post("/api/auth/confirm-email", &body).await.refuses(400, "CodeInvalid");
    }
    elsewhere.post("/api/auth/signup", &sign_up("another of her own")).await.gives(201);
    let newest = shop.code_for("ada@example.com", &[&own, &theirs]).await;
    assert_eq!(shop.mails_to("ada@example.com").len(), 3, "resending sent no email");
    let body = json!({ "username": "ada@example.com", "code": newest });
    elsewhere.post("/api/auth/confirm-email", &body).await.gives(200);
    shop.logs_in("ada@example.com", "another of her own").await.gives(200);
    shop.logs_in("ada@example.com", "what a stranger likes").await.refuses(401, "BadCredentials");
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_has_three_sign_ups_and_one_client_cannot_take_them_all() {
    let shop = TestShop::open_with(&[("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await;
    let sign_up = async |from: &str, password: &str| {
        let body = json!({ "email": "ada@example.com", "password": password, "login_token": "A".repeat(43) });
        shop.visitor().at(from).post("/api/auth/signup", &body).await.gives(201)
    };
    let first = sign_up("203.0.113.1", "what a stranger likes").await;
    for _ in 0..4 {
        assert_eq!(
            sign_up("203.0.113.1", "what a stranger likes").await,
            first,
            "the response does not reveal the limit"
        );
    }
    assert_eq!(shop.count("SELECT COUNT(*) FROM signups").await, 3);
    sign_up("198.51.100.1", "a password of her own").await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM signups").await, 3);

    // Another sign-up by the attacker must not replace hers.
    sign_up("203.0.113.1", "what a stranger likes").await;
    let ada = shop.visitor().at("198.51.100.1");
    ada.post("/api/auth/resend-code", &json!({ "username": "ada@example.com" })).await.gives(200);
    let mails = eventually("three emails for the attacker's sign-ups and two for hers", async || {
        let mails = shop.mails_to("ada@example.com");
        (mails.len() == 5).then_some(mails)
    })
    .await;
    let body = json!({ "username": "ada@example.com", "code": mails[4].code() });
    ada.post("/api/auth/confirm-email", &body).await.gives(200);
    shop.logs_in("ada@example.com", "a password of her own").await.gives(200);
}

// invariant: mass-assignment
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_up_cannot_make_itself_an_administrator() {
    let shop = TestShop::open().await;
    let body = json!({
        "email": "eve@example.com", "password": PASSWORD, "groups": ["Admin"], "is_admin": 1, "role": "Admin",
        "confirmed": true, "email_verified": true,
    });
    shop.visitor().post("/api/auth/signup", &body).await.gives(201);
    shop.logs_in("eve@example.com", PASSWORD).await.refuses(401, "BadCredentials");
    let code = shop.code_for("eve@example.com", &[]).await;
    shop.confirms("eve@example.com", &code).await;
    let eve = shop.logged_in("eve@example.com", PASSWORD).await;
    eve.get("/api/admin/orders").await.refuses(403, "Forbidden");
}
