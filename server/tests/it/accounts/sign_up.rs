use serde_json::{Value, json};

use crate::harness::{PASSWORD, TestShop, proof, solve};

// spec 107: message
// spec 108: accessToken, refreshToken
// spec 110: POST /api/auth/confirm-email
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
    early.refuses(403, "EmailNotConfirmed");

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

// rule 34
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

// rule 34
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proof_that_was_not_worked_for_is_refused() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await;
    let visitor = shop.visitor();
    let easy = json!({
        "algorithm": "SHA-256", "maxnumber": 10, "signature": "0".repeat(64), "salt": "salt.login?expires=9999999999&",
        // The SHA-256 of the salt and the number 0.
        "challenge": sha256_hex("salt.login?expires=9999999999&0"),
    });
    let body = json!({ "username": "ada@example.com", "password": PASSWORD, "recaptchaToken": solve(&easy) });
    visitor.post("/api/auth/login", &body).await.refuses(400, "BotCheckFailed");
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_up_again_before_confirming_takes_the_newer_password_and_code() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let sign_up = async |password: &str| {
        let body = json!({ "email": "ada@example.com", "password": password });
        visitor.post("/api/auth/signup", &body).await.gives(201);
    };
    sign_up("the first password").await;
    let old = shop.code_for("ada@example.com", &[]).await;
    sign_up("the second password").await;
    let new = shop.code_for("ada@example.com", &[&old]).await;

    let confirm = |code: &str| json!({ "username": "ada@example.com", "code": code });
    visitor.post("/api/auth/confirm-email", &confirm(&old)).await.refuses(400, "CodeInvalid");
    visitor.post("/api/auth/confirm-email", &confirm(&new)).await.gives(200);
    shop.logs_in("ada@example.com", "the first password").await.refuses(401, "BadCredentials");
    shop.logs_in("ada@example.com", "the second password").await.gives(200);
}

// rule 33
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sign_up_cannot_make_itself_an_administrator() {
    let shop = TestShop::open().await;
    let body = json!({
        "email": "eve@example.com", "password": PASSWORD, "groups": ["Admin"], "is_admin": 1, "role": "Admin",
        "confirmed": true, "email_verified": true,
    });
    shop.visitor().post("/api/auth/signup", &body).await.gives(201);
    shop.logs_in("eve@example.com", PASSWORD).await.refuses(403, "EmailNotConfirmed");
    let code = shop.code_for("eve@example.com", &[]).await;
    shop.confirms("eve@example.com", &code).await;
    let eve = shop.logged_in("eve@example.com", PASSWORD).await;
    eve.get("/api/admin/orders").await.refuses(403, "Forbidden");
}

fn sha256_hex(text: &str) -> String {
    use sha2::Digest as _;
    sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
