//! Two-factor authentication (TOTP): required for administrators outside of demo mode.

use serde_json::{Value, json};

use crate::configuration::{binary, complaint};
use crate::harness::{ApiResponse, NO_DEMO, PASSWORD, Person, TestShop, proof, together};

const ADA: &str = "ada@example.com";
const STEP: i64 = 30_000;

/// A shop outside of demo mode, with one customer.
async fn production_shop() -> TestShop {
    let shop = TestShop::open_with(&[&NO_DEMO[..], &[("SHOP_NAME", "Lampshop")]].concat()).await;
    shop.signs_up(ADA).await;
    let code = shop.code_for(ADA, &[]).await;
    shop.confirms(ADA, &code).await;
    shop
}

fn command(shop: &TestShop, arguments: &[&str]) -> std::process::Command {
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut command = binary(&std::env::temp_dir(), &vars);
    command.args(arguments);
    command
}

/// The authenticator app of a new administrator.
struct Authenticator(totp_rs::Totp);

fn grant_admin(shop: &TestShop) -> Authenticator {
    let output = command(shop, &["admin", "grant", ADA]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let address = said.lines().find(|line| line.starts_with("otpauth://totp/Lampshop:")).unwrap();
    let totp = totp_rs::Totp::from_url(address).unwrap();
    assert!(said.lines().any(|line| line == totp.secret().to_base32()), "{said}");
    Authenticator(totp)
}

impl Authenticator {
    fn code(&self, shop: &TestShop) -> String {
        self.code_at(shop.clock.now_ms())
    }

    fn code_at(&self, now_ms: i64) -> String {
        self.0.generate(u64::try_from(now_ms / 1_000).unwrap()).to_string()
    }
}

async fn log_in(shop: &TestShop, password: &str, totp: Value) -> ApiResponse {
    let visitor = shop.visitor();
    let body = json!({
        "username": ADA, "password": password, "recaptchaToken": proof(&visitor, "login").await, "totp": totp,
    });
    visitor.post("/api/auth/login", &body).await
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_logs_in_with_password_and_code_and_a_customer_with_the_password() {
    let shop = production_shop().await;
    let before = shop.logged_in(ADA, PASSWORD).await;
    let app = grant_admin(&shop);
    assert!(!before.is_logged_in().await, "a session without a second factor has no administrator rights");

    let asked = shop.logs_in(ADA, PASSWORD).await.refuses(401, "TotpRequired");
    assert_eq!(asked["error"], "Enter the code from your authenticator app.");
    log_in(&shop, PASSWORD, json!(" ")).await.refuses(401, "TotpRequired");
    log_in(&shop, "not the password", json!(app.code(&shop))).await.refuses(401, "BadCredentials");
    log_in(&shop, "not the password", Value::Null).await.refuses(401, "BadCredentials");
    let response = log_in(&shop, PASSWORD, json!(app.code(&shop))).await;
    let admin = Person::of(&shop.visitor(), &response.gives(200));
    admin.get("/api/admin/orders").await.gives(200);
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_counts_once_and_no_older_one_after_it() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let (code, next) = (app.code(&shop), app.code_at(shop.clock.now_ms() + STEP));
    log_in(&shop, PASSWORD, json!(next)).await.gives(200);
    for used in [&next, &code] {
        let body = log_in(&shop, PASSWORD, json!(used)).await.refuses(401, "TotpRequired");
        assert!(body["error"].as_str().unwrap().contains("was already used"), "{body}");
    }
    shop.clock.advance(2 * STEP);
    log_in(&shop, PASSWORD, json!(app.code(&shop))).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_code_opens_one_of_many_log_ins_at_once() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let (visitor, code) = (shop.visitor(), app.code(&shop));
    let mut proofs = Vec::new();
    for _ in 0..6 {
        proofs.push(proof(&visitor, "login").await);
    }
    let responses = together(6, |number| {
        let (visitor, code, proof) = (visitor.clone(), code.clone(), proofs[number].clone());
        async move {
            let body = json!({ "username": ADA, "password": PASSWORD, "recaptchaToken": proof, "totp": code });
            visitor.post("/api/auth/login", &body).await.status
        }
    })
    .await;
    assert_eq!(responses.iter().filter(|status| **status == 200).count(), 1, "{responses:?}");
    // A busy shop hashes fewer passwords.
    assert_eq!(responses.iter().filter(|status| matches!(status, 401 | 503)).count(), 5, "{responses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn codes_are_guessed_no_faster_than_passwords() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let right = app.code(&shop);
    let wrong = format!("{:06}", (right.parse::<u32>().unwrap() + 1) % 1_000_000);
    for _ in 0..10 {
        log_in(&shop, PASSWORD, json!(wrong)).await.refuses(401, "TotpRequired");
    }
    log_in(&shop, PASSWORD, json!(right)).await.refuses(429, "TooManyRequests");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn granting_again_makes_a_new_secret_and_revoking_drops_it() {
    let shop = production_shop().await;
    let (lost, found) = (grant_admin(&shop), grant_admin(&shop));
    shop.clock.advance(STEP);
    log_in(&shop, PASSWORD, json!(lost.code(&shop))).await.refuses(401, "TotpRequired");
    log_in(&shop, PASSWORD, json!(found.code(&shop))).await.gives(200);

    assert!(command(&shop, &["admin", "revoke", ADA]).status().unwrap().success());
    shop.logs_in(ADA, PASSWORD).await.gives(200);
    assert_eq!(shop.count("SELECT COUNT(*) FROM users WHERE totp_secret IS NOT NULL").await, 0);
    complaint(command(&shop, &["admin", "grant", "nobody@example.com"]));
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_without_an_authenticator_is_not_let_in() {
    let shop = production_shop().await;
    shop.tamper("UPDATE users SET is_admin = 1").await;
    log_in(&shop, PASSWORD, json!("123456")).await.refuses(401, "TotpRequired");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_secret_is_sealed_in_the_database_and_outlives_the_key_that_sealed_it() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let sealed = shop.texts("SELECT totp_secret FROM users").await;
    assert!(!sealed[0].contains(&app.0.secret().to_base32()), "{sealed:?}");

    assert!(command(&shop, &["keys", "rotate"]).status().unwrap().success());
    shop.clock.advance(7 * 60_000);
    server::accounts::refresh_keys(&shop.inside().accounts).await.unwrap();
    assert_ne!(shop.texts("SELECT totp_secret FROM users").await, sealed, "the secret is encrypted with the new key");
    shop.clock.advance(60 * 60_000);
    log_in(&shop, PASSWORD, json!(app.code(&shop))).await.gives(200);
}

// invariant: password-policy
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrators_password_has_fifteen_characters() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let response = log_in(&shop, PASSWORD, json!(app.code(&shop))).await;
    let admin = Person::of(&shop.visitor(), &response.gives(200));
    let change = async |proposed: &str| {
        let body = json!({ "previousPassword": PASSWORD, "proposedPassword": proposed });
        admin.post("/api/change-password", &body).await
    };
    change("fourteen signs").await.names(&["proposedPassword"]);
    change("fifteen letters").await.gives(200);

    let username = json!({ "username": ADA });
    let used = shop.mails_to(ADA)[0].code().unwrap();
    shop.visitor().post("/api/auth/forgot-password", &username).await.gives(200);
    let code = shop.code_for(ADA, &[&used]).await;
    let reset = async |password: &str| {
        let body = json!({ "username": ADA, "confirmationCode": code, "password": password });
        shop.visitor().post("/api/auth/confirm-forgot-password", &body).await
    };
    reset("fourteen signs").await.names(&["password"]);
    reset("fifteen letters again").await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_code_is_text_and_nothing_else() {
    let shop = production_shop().await;
    for totp in [json!(123456), json!(["123456"]), json!({}), json!(true)] {
        log_in(&shop, PASSWORD, totp).await.names(&["totp"]);
    }
}
