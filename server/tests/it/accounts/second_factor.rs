//! Two-factor authentication (TOTP): required for administrators outside of demo mode.

use std::time::Duration;

use serde_json::{Value, json};

use crate::configuration::{binary, complaint};
use crate::harness::{ApiResponse, NO_DEMO, PASSWORD, Person, TestShop, proof, together};

pub const ADA: &str = "ada@example.com";
const STEP: i64 = 30_000;

/// A shop outside of demo mode, with one customer.
pub async fn production_shop() -> TestShop {
    let shop = TestShop::open_with(&[&NO_DEMO[..], &[("SHOP_NAME", "Lampshop")]].concat()).await;
    shop.signs_up(ADA).await;
    let code = shop.code_for(ADA, &[]).await;
    shop.confirms(ADA, &code).await;
    shop
}

pub fn command(shop: &TestShop, arguments: &[&str]) -> std::process::Command {
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut command = binary(&std::env::temp_dir(), &vars);
    command.args(arguments);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_login_with_a_password_alone_fails_if_its_account_becomes_an_administrator_meanwhile() {
    let shop = production_shop().await;
    let grant = shop.inside().platform.db.write((), |tx, ()| {
        Box::pin(async move {
            sqlx::query("UPDATE users SET is_admin = 1").execute(tx).await?;
            // The login has verified the password, and waits for this transaction to begin its session.
            tokio::time::sleep(Duration::from_millis(700)).await;
            Ok(())
        })
    });
    let log_in_meanwhile = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        log_in(&shop, PASSWORD, Value::Null).await
    };
    let (granted, response) = tokio::join!(grant, log_in_meanwhile);
    granted.unwrap();
    assert_eq!(response.status, 401, "{response}");
}

/// The authenticator app of a new administrator.
pub struct Authenticator(totp_rs::Totp);

/// Grants the right, and returns the token of the link for the browser, too.
fn grant_admin_with_link(shop: &TestShop) -> (Authenticator, String) {
    let output = command(shop, &["admin", "grant", ADA]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}");
    let address = said.lines().find(|line| line.starts_with("otpauth://totp/Lampshop:")).unwrap();
    let totp = totp_rs::Totp::from_url(address).unwrap();
    assert!(said.lines().any(|line| line == totp.secret().to_base32()), "{said}");
    let link = said.lines().find(|line| line.contains("/second-factor#")).unwrap();
    assert!(link.starts_with("http"), "{link}");
    (Authenticator(totp), link.split_once('#').unwrap().1.to_owned())
}

pub fn grant_admin(shop: &TestShop) -> Authenticator {
    grant_admin_with_link(shop).0
}

impl Authenticator {
    pub fn code(&self, shop: &TestShop) -> String {
        self.code_at(shop.clock.now_ms())
    }

    fn code_at(&self, now_ms: i64) -> String {
        self.0.generate(u64::try_from(now_ms / 1_000).unwrap()).to_string()
    }
}

pub async fn log_in(shop: &TestShop, password: &str, totp: Value) -> ApiResponse {
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

async fn set_up(shop: &TestShop, token: &str) -> ApiResponse {
    shop.visitor().post("/api/auth/second-factor", &json!({ "setup_token": token })).await
}

async fn confirm(shop: &TestShop, token: &str, code: &str) -> ApiResponse {
    let body = json!({ "setup_token": token, "totp": code });
    shop.visitor().post("/api/auth/second-factor/confirm", &body).await
}

fn codes(response: &ApiResponse) -> Vec<String> {
    let codes = response.gives(200)["recovery_codes"].as_array().unwrap().clone();
    codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect()
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_link_shows_the_secret_of_the_command_and_gives_ten_recovery_codes_for_one_code_once() {
    let shop = production_shop().await;
    let (app, token) = grant_admin_with_link(&shop);
    for _ in 0..2 {
        let setup = set_up(&shop, &token).await.gives(200);
        assert_eq!((&setup["email"], &setup["secret"]), (&json!(ADA), &json!(app.0.secret().to_base32())));
        assert!(setup["qr_code"].as_str().unwrap().starts_with("<svg"), "{setup}");
        assert!(setup["url"].as_str().unwrap().starts_with("otpauth://totp/Lampshop:"), "{setup}");
    }
    confirm(&shop, &token, "000000").await.refuses(400, "CodeInvalid");
    confirm(&shop, &token, "").await.refuses(400, "CodeInvalid");
    let code = app.code(&shop);
    let given = codes(&confirm(&shop, &token, &code).await);
    assert_eq!(given.len(), 10);
    shop.mail_to(ADA, "Two-factor authentication").await;
    for again in [confirm(&shop, &token, &code).await, set_up(&shop, &token).await] {
        let said = again.refuses(400, "CodeExpired");
        assert!(said["error"].as_str().unwrap().contains("admin grant"), "{said}");
    }
    let stored = shop.texts("SELECT code_hash FROM recovery_codes").await;
    assert!(stored.len() == 10 && given.iter().all(|code| !stored.contains(code)));
    log_in(&shop, PASSWORD, json!(code)).await.gives(200);
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recovery_code_takes_the_place_of_the_app_once_and_only_with_the_password() {
    let shop = production_shop().await;
    let (app, token) = grant_admin_with_link(&shop);
    let given = codes(&confirm(&shop, &token, &app.code(&shop)).await);
    log_in(&shop, "not the password", json!(given[0])).await.refuses(401, "BadCredentials");
    let typed = given[0].to_lowercase().replace('-', " ");
    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, json!(typed)).await.gives(200));
    admin.get("/api/admin/orders").await.gives(200);
    let mail = shop.mail_to(ADA, "recovery code").await;
    assert!(mail.text.contains("You have 9 recovery codes left."), "{}", mail.text);
    for used in [&given[0], "AAAA-AAAA-AAAA-AAAA"] {
        log_in(&shop, PASSWORD, json!(used)).await.refuses(401, "TotpRequired");
    }
    log_in(&shop, PASSWORD, json!(given[1])).await.gives(200);
    // A new grant voids the codes that are left, and the one before it does not come back.
    let (_, token) = grant_admin_with_link(&shop);
    log_in(&shop, PASSWORD, json!(given[2])).await.refuses(401, "TotpRequired");
    set_up(&shop, &token).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_lasts_fifteen_minutes_and_ends_with_the_next_grant_or_without_the_right() {
    let shop = production_shop().await;
    let (_, first) = grant_admin_with_link(&shop);
    let (_, second) = grant_admin_with_link(&shop);
    set_up(&shop, &first).await.refuses(400, "CodeExpired");
    set_up(&shop, &second).await.gives(200);
    shop.clock.advance(15 * 60_000);
    set_up(&shop, &second).await.refuses(400, "CodeExpired");

    let (app, third) = grant_admin_with_link(&shop);
    let revoked = command(&shop, &["admin", "revoke", ADA]).output().unwrap();
    assert!(revoked.status.success());
    set_up(&shop, &third).await.refuses(400, "CodeExpired");
    confirm(&shop, &third, &app.code(&shop)).await.refuses(400, "CodeExpired");
    for token in ["", "nothing", &"A".repeat(43), &"A".repeat(500)] {
        assert_eq!(set_up(&shop, token).await.status, 400);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_tabs_that_finish_at_once_one_gets_the_codes() {
    let shop = production_shop().await;
    let (app, token) = grant_admin_with_link(&shop);
    let (visitor, code) = (shop.visitor(), app.code(&shop));
    let responses = together(6, |_| {
        let (visitor, body) = (visitor.clone(), json!({ "setup_token": token, "totp": code }));
        async move { visitor.post("/api/auth/second-factor/confirm", &body).await.status }
    })
    .await;
    assert_eq!(responses.iter().filter(|status| **status == 200).count(), 1, "{responses:?}");
    assert_eq!(shop.count("SELECT COUNT(*) FROM recovery_codes").await, 10);
}

async fn replace_codes(admin: &Person, code: &str) -> ApiResponse {
    admin.post("/api/auth/recovery-codes", &json!({ "totp": code })).await
}

async fn codes_left(person: &Person) -> Option<String> {
    let user = person.get("/api/auth/user").await.gives(200);
    let attributes = user["data"]["UserAttributes"].as_array().unwrap().clone();
    let left = attributes.iter().find(|attribute| attribute["Name"] == "recovery_codes_left")?;
    Some(left["Value"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_recovery_codes_take_a_code_of_the_app_and_the_place_of_the_earlier_ones() {
    let shop = production_shop().await;
    let (app, token) = grant_admin_with_link(&shop);
    let given = codes(&confirm(&shop, &token, &app.code(&shop)).await);
    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, json!(given[0])).await.gives(200));
    assert_eq!(codes_left(&admin).await.as_deref(), Some("9"));
    for nonsense in ["", "12345", "AAAA-AAAA-AAAA-AAA", "two lamps"] {
        replace_codes(&admin, nonsense).await.names(&["totp"]);
    }
    for wrong in ["000000", &given[0], "AAAA-AAAA-AAAA-AAAA"] {
        replace_codes(&admin, wrong).await.refuses(401, "TotpRequired");
    }
    assert!(admin.is_logged_in().await && codes_left(&admin).await.as_deref() == Some("9"));

    let code = app.code(&shop);
    let replaced = codes(&replace_codes(&admin, &code).await);
    assert_eq!((replaced.len(), codes_left(&admin).await.as_deref()), (10, Some("10")));
    shop.mail_to(ADA, "recovery codes at Lampshop were replaced").await;
    replace_codes(&admin, &code).await.refuses(401, "TotpRequired");
    log_in(&shop, PASSWORD, json!(given[1])).await.refuses(401, "TotpRequired");
    // With a lost phone, a recovery code does it.
    let again = codes(&replace_codes(&admin, &replaced[0]).await);
    log_in(&shop, PASSWORD, json!(replaced[1])).await.refuses(401, "TotpRequired");
    log_in(&shop, PASSWORD, json!(again[9])).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recovery_codes_are_for_accounts_with_a_second_factor_and_their_code_is_not_guessed() {
    let shop = production_shop().await;
    let customer = shop.logged_in(ADA, PASSWORD).await;
    assert_eq!(codes_left(&customer).await, None);
    replace_codes(&customer, "123456").await.refuses(404, "NotFound");
    let app = grant_admin(&shop);
    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, json!(app.code(&shop))).await.gives(200));
    assert_eq!(codes_left(&admin).await.as_deref(), Some("0"));
    shop.clock.advance(2 * STEP);
    let right = app.code(&shop);
    let wrong = format!("{:06}", (right.parse::<u32>().unwrap() + 1) % 1_000_000);
    for _ in 0..10 {
        replace_codes(&admin, &wrong).await.refuses(401, "TotpRequired");
    }
    replace_codes(&admin, &right).await.refuses(429, "TooManyRequests");
    assert_eq!(shop.count("SELECT COUNT(*) FROM recovery_codes").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_replacements_at_once_one_gets_codes() {
    let shop = production_shop().await;
    let (app, token) = grant_admin_with_link(&shop);
    let given = codes(&confirm(&shop, &token, &app.code(&shop)).await);
    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, json!(given[0])).await.gives(200));
    let code = app.code(&shop);
    let responses = together(6, |_| {
        let (admin, code) = (admin.clone(), code.clone());
        async move { replace_codes(&admin, &code).await.status }
    })
    .await;
    assert_eq!(responses.iter().filter(|status| **status == 200).count(), 1, "{responses:?}");
    assert_eq!(shop.count("SELECT COUNT(*) FROM recovery_codes").await, 10);
}
