//! Passkeys, with a software authenticator: add, log in, list, rename, remove.

use std::time::Duration;

use serde_json::{Value, json};

use super::second_factor::{ADA, command, grant_admin, log_in, production_shop};
use crate::harness::{
    ADMIN, Algorithm, ApiResponse, Authenticator, CUSTOMER, Client, PASSWORD, Person, TestShop, together,
};

const MINUTE: i64 = 60_000;

/// A ceremony in the browser: the token of the shop and the options for the authenticator.
pub struct Ceremony {
    pub token: Value,
    pub options: Value,
}

impl Ceremony {
    pub fn of(response: &ApiResponse) -> Self {
        let begun = response.gives(200);
        Self { token: begun["ceremony_token"].clone(), options: begun["options"].clone() }
    }

    pub async fn log_in(client: &Client) -> Self {
        Self::of(&client.post("/api/auth/passkey-login", &json!({})).await)
    }

    pub async fn add(person: &Client) -> Self {
        Self::of(&person.post("/api/auth/passkeys/start", &json!({})).await)
    }
}

pub async fn origin_of(client: &Client) -> String {
    client.get("/api/config").await.gives(200)["passkey_origin"].as_str().unwrap().to_owned()
}

pub async fn send_addition(person: &Client, token: &Value, credential: Value) -> ApiResponse {
    let body = json!({ "ceremony_token": token, "name": "Phone", "credential": credential });
    person.post("/api/auth/passkeys", &body).await
}

pub async fn send_login(client: &Client, token: &Value, credential: Value) -> ApiResponse {
    client.post("/api/auth/login-with-passkey", &json!({ "ceremony_token": token, "credential": credential })).await
}

/// Adds the authenticator's passkey to the account.
pub async fn add(person: &Client, authenticator: &mut Authenticator) -> ApiResponse {
    finish_addition(person, authenticator, &Ceremony::add(person).await).await
}

async fn finish_addition(person: &Client, authenticator: &mut Authenticator, ceremony: &Ceremony) -> ApiResponse {
    let attestation = authenticator.attestation(&origin_of(person).await, &ceremony.options);
    send_addition(person, &ceremony.token, attestation.json()).await
}

/// Logs in with the authenticator's passkey.
pub async fn log_in_with(client: &Client, authenticator: &mut Authenticator) -> ApiResponse {
    let ceremony = Ceremony::log_in(client).await;
    let credential = authenticator.signed(&origin_of(client).await, &ceremony.options);
    send_login(client, &ceremony.token, credential).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passkey_of_each_algorithm_is_added_and_logs_in_without_an_address() {
    let shop = TestShop::open().await;
    let customer = shop.customer().await;
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Rs256] {
        let mut authenticator = Authenticator::new(algorithm);
        let added = add(&customer, &mut authenticator).await.gives(201);
        assert_eq!((&added["name"], &added["last_used_at"]), (&json!("Phone"), &Value::Null));
        for _ in 0..2 {
            let tokens = log_in_with(&shop.visitor(), &mut authenticator).await.gives(200);
            let person = Person::of(&shop.visitor(), &tokens);
            assert_eq!(person.get("/api/auth/user").await.gives(200)["data"]["Username"], CUSTOMER);
            assert!(tokens["device_token"].is_string());
        }
    }
    let options = Ceremony::add(&customer).await.options;
    let offered: Vec<i64> =
        options["pubKeyCredParams"].as_array().unwrap().iter().map(|it| it["alg"].as_i64().unwrap()).collect();
    assert_eq!(offered, [-8, -7, -257]);
    assert_eq!(options["excludeCredentials"].as_array().unwrap().len(), 3);
    assert_eq!(options["authenticatorSelection"]["residentKey"], "required");
    assert_eq!(options["user"]["name"], CUSTOMER);
    assert_eq!(options["rp"], json!({ "id": "localhost", "name": "Nudgelight" }));
    customer.post("/api/auth/passkeys/start", &json!({ "totp": "" })).await.names(&["totp"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_has_names_and_the_last_use_and_an_email_reports_each_change() {
    let shop = TestShop::open().await;
    let customer = shop.customer().await;
    let mut phone = Authenticator::new(Algorithm::Es256);
    let id = add(&customer, &mut phone).await.gives(201)["id"].as_str().unwrap().to_owned();
    let mail = shop.mail_to(CUSTOMER, "A passkey was added").await;
    assert!(mail.text.contains("“Phone”") && mail.text.contains("/profile/settings"), "{}", mail.text);
    shop.clock.advance(MINUTE);
    log_in_with(&shop.visitor(), &mut phone).await.gives(200);

    let path = format!("/api/auth/passkeys/{id}");
    let renamed = customer.patch(&path, &json!({ "name": "  Ada’s phone " })).await.gives(200);
    assert_eq!(renamed["name"], "Ada’s phone");
    let list = customer.get("/api/auth/passkeys").await.gives(200);
    assert_eq!(list["passkeys"], json!([renamed]));
    assert!(renamed["last_used_at"].as_str() > renamed["created_at"].as_str(), "{renamed}");
    for name in ["", "  ", "two\nlines", &"x".repeat(61)] {
        customer.patch(&path, &json!({ "name": name })).await.names(&["name"]);
    }

    let stranger = shop.new_customer("eve@example.com").await;
    assert_eq!(stranger.get("/api/auth/passkeys").await.gives(200)["passkeys"], json!([]));
    stranger.patch(&path, &json!({ "name": "Mine" })).await.refuses(404, "NotFound");
    stranger.delete(&path).await.refuses(404, "NotFound");
    customer.delete(&path).await.gives(204);
    customer.delete(&path).await.refuses(404, "NotFound");
    let mail = shop.mail_to(CUSTOMER, "A passkey was removed").await;
    assert!(mail.text.contains("“Ada’s phone”"), "{}", mail.text);
    log_in_with(&shop.visitor(), &mut phone).await.refuses(400, "PasskeyInvalid");
    assert!(customer.is_logged_in().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_tabs_that_add_at_once_add_two_passkeys_and_one_device_adds_one() {
    let shop = TestShop::open().await;
    let customer = shop.customer().await;
    let origin = origin_of(&customer).await;
    let (first, second) = (Ceremony::add(&customer).await, Ceremony::add(&customer).await);
    let mut devices = [Authenticator::new(Algorithm::Es256), Authenticator::new(Algorithm::Es256)];
    let attestations = [
        (first.token, devices[0].attestation(&origin, &first.options).json()),
        (second.token, devices[1].attestation(&origin, &second.options).json()),
    ];
    let added = together(2, |number| {
        let (customer, (token, credential)) = (customer.clone(), attestations[number].clone());
        async move { send_addition(&customer, &token, credential).await.status }
    })
    .await;
    assert_eq!(added, [201, 201]);
    // The same device again, as if its browser ignored `excludeCredentials`.
    add(&customer, &mut devices[0]).await.refuses(400, "PasskeyInvalid");
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 2);
    for device in &mut devices {
        log_in_with(&shop.visitor(), device).await.gives(200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_has_at_most_twenty_passkeys() {
    let shop = TestShop::open().await;
    let customer = shop.customer().await;
    let pending = Ceremony::add(&customer).await;
    for _ in 0..20 {
        add(&customer, &mut Authenticator::new(Algorithm::EdDsa)).await.gives(201);
    }
    let full = customer.post("/api/auth/passkeys/start", &json!({})).await.refuses(400, "InvalidRequest");
    assert_eq!(full["error"], "You have 20 passkeys. Remove one to add another.");
    let mut late = Authenticator::new(Algorithm::EdDsa);
    finish_addition(&customer, &mut late, &pending).await.refuses(400, "InvalidRequest");
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_process_finishes_what_one_has_begun() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "http://localhost:3000")]).await;
    let customer = shop.customer().await;
    let (other, there) = shop.another_process().await;
    let mut phone = Authenticator::new(Algorithm::Es256);
    let ceremony = Ceremony::add(&customer).await;
    let customer_there = there.with_token(customer.access_token());
    finish_addition(&customer_there, &mut phone, &ceremony).await.gives(201);

    let ceremony = Ceremony::log_in(&shop.visitor()).await;
    let credential = phone.signed("http://localhost:3000", &ceremony.options);
    let clients = [shop.visitor(), there.clone()];
    let answers = together(6, |number| {
        let (client, token, credential) = (clients[number % 2].clone(), ceremony.token.clone(), credential.clone());
        async move { send_login(&client, &token, credential).await.status }
    })
    .await;
    assert_eq!(answers.iter().filter(|status| **status == 200).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 400).count(), 5, "{answers:?}");
    other.stop().await;
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrators_passkey_needs_the_app_once_and_then_replaces_password_and_app() {
    let shop = production_shop().await;
    let customer = shop.logged_in(ADA, PASSWORD).await;
    let mut before = Authenticator::new(Algorithm::Es256);
    add(&customer, &mut before).await.gives(201);
    log_in_with(&shop.visitor(), &mut before).await.gives(200);

    let app = grant_admin(&shop);
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 0);
    log_in_with(&shop.visitor(), &mut before).await.refuses(400, "PasskeyInvalid");
    let used = json!(app.code(&shop));
    let tokens = log_in(&shop, PASSWORD, used.clone()).await.gives(200);
    let admin = Person::of(&shop.visitor(), &tokens);
    let start = async |totp: Value| admin.post("/api/auth/passkeys/start", &json!({ "totp": totp })).await;
    start(Value::Null).await.refuses(401, "TotpRequired");
    // The code of the login counts once.
    start(used).await.refuses(401, "TotpRequired");
    shop.clock.advance(MINUTE);
    let ceremony = Ceremony::of(&start(json!(app.code(&shop))).await);
    assert_eq!(ceremony.options["authenticatorSelection"]["userVerification"], "required");

    let mut key = Authenticator::new(Algorithm::Es256);
    finish_addition(&admin, &mut key, &ceremony).await.gives(201);
    let person = Person::of(&shop.visitor(), &log_in_with(&shop.visitor(), &mut key).await.gives(200));
    person.get("/api/admin/orders").await.gives(200);
    key.verifies_user = false;
    log_in_with(&shop.visitor(), &mut key).await.refuses(400, "PasskeyInvalid");
    key.verifies_user = true;
    log_in_with(&shop.visitor(), &mut key).await.gives(200);

    shop.clock.advance(MINUTE);
    let ceremony = Ceremony::of(&start(json!(app.code(&shop))).await);
    let mut unverified = Authenticator::new(Algorithm::Es256);
    unverified.verifies_user = false;
    finish_addition(&admin, &mut unverified, &ceremony).await.refuses(400, "PasskeyInvalid");

    // A grant by a program that knows no passkeys leaves the row, which the new secret voids.
    let row = shop.texts("SELECT second_factor_hash FROM passkeys").await.remove(0);
    assert!(!row.is_empty());
    let again = shop.texts("SELECT totp_secret FROM users WHERE totp_secret IS NOT NULL").await.remove(0);
    grant_admin(&shop);
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 0);
    assert_ne!(shop.texts("SELECT totp_secret FROM users WHERE totp_secret IS NOT NULL").await, [again]);
}

/// As a program of the previous schema grants: without deleting passkeys.
// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passkey_from_before_the_grant_opens_no_administration_even_if_it_is_left() {
    let shop = production_shop().await;
    let customer = shop.logged_in(ADA, PASSWORD).await;
    let mut phone = Authenticator::new(Algorithm::Es256);
    add(&customer, &mut phone).await.gives(201);
    shop.tamper("CREATE TABLE kept AS SELECT * FROM passkeys").await;
    let app = grant_admin(&shop);
    shop.tamper("INSERT INTO passkeys SELECT * FROM kept").await;
    log_in_with(&shop.visitor(), &mut phone).await.refuses(400, "PasskeyInvalid");
    shop.tamper("DELETE FROM passkeys").await;
    shop.tamper("DROP TABLE kept").await;

    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, json!(app.code(&shop))).await.gives(200));
    shop.clock.advance(MINUTE);
    let start = admin.post("/api/auth/passkeys/start", &json!({ "totp": app.code(&shop) })).await;
    let mut key = Authenticator::new(Algorithm::Es256);
    finish_addition(&admin, &mut key, &Ceremony::of(&start)).await.gives(201);
    log_in_with(&shop.visitor(), &mut key).await.gives(200);
    shop.tamper("CREATE TABLE kept AS SELECT * FROM passkeys").await;
    grant_admin(&shop);
    shop.tamper("INSERT INTO passkeys SELECT * FROM kept").await;
    log_in_with(&shop.visitor(), &mut key).await.refuses(400, "PasskeyInvalid");
    // Without the right, the passkey logs in a customer.
    assert!(command(&shop, &["admin", "revoke", ADA]).output().unwrap().status.success());
    let person = Person::of(&shop.visitor(), &log_in_with(&shop.visitor(), &mut key).await.gives(200));
    person.get("/api/admin/orders").await.refuses(403, "Forbidden");
    shop.tamper("DROP TABLE kept").await;
}

/// A session that has ended adds no passkey, even if the request began before: its body may take seconds to arrive.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_ends_while_the_body_arrives_adds_no_passkey() {
    let shop = production_shop().await;
    let customer = shop.logged_in(ADA, PASSWORD).await;
    let ceremony = Ceremony::add(&customer).await;
    let attestation = Authenticator::new(Algorithm::Es256).attestation(&origin_of(&customer).await, &ceremony.options);
    let body =
        json!({ "ceremony_token": ceremony.token, "name": "Phone", "credential": attestation.json() }).to_string();
    let (first, rest) = body.split_at(body.len() / 2);
    let mut socket = shop.socket_from("127.0.0.1").await;
    let head = format!(
        "POST /api/auth/passkeys HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{first}",
        customer.access_token(),
        body.len(),
    );
    socket.says(&head).await;
    // If the shop reads the head later than this, it rejects the session at once.
    tokio::time::sleep(Duration::from_millis(500)).await;
    // As a program of the previous schema grants: the ceremony is left.
    shop.tamper("UPDATE sessions SET ended_at = 1").await;
    shop.tamper("UPDATE users SET is_admin = 1").await;
    socket.says(rest).await;
    assert_eq!(socket.hears().await, Some(401));
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkeys").await, 0);
}

// invariant: no-default-accounts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_passkey_that_was_added_in_a_demo_without_the_app_opens_no_administration_outside_it() {
    let mut shop = production_shop().await;
    grant_admin(&shop);
    shop.restart_with(&[("SHOP_DEMO", "1")]).await;
    let admin = shop.logged_in(ADA, PASSWORD).await;
    let mut key = Authenticator::new(Algorithm::Es256);
    add(&admin, &mut key).await.gives(201);
    log_in_with(&shop.visitor(), &mut key).await.gives(200);
    shop.restart_with(&[("SHOP_DEMO", "0")]).await;
    log_in_with(&shop.visitor(), &mut key).await.refuses(400, "PasskeyInvalid");
}

/// The library knows fewer names than there are email addresses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_address_can_have_a_passkey() {
    let shop = TestShop::open().await;
    for address in ["דנה@example.com", "o'brien+lamp@example.com"] {
        let customer = shop.new_customer(address).await;
        let ceremony = Ceremony::add(&customer).await;
        assert_eq!(ceremony.options["user"]["name"], address);
        finish_addition(&customer, &mut Authenticator::new(Algorithm::Es256), &ceremony).await.gives(201);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn adding_without_a_code_is_no_attempt_to_guess_one() {
    let shop = production_shop().await;
    let app = grant_admin(&shop);
    let admin = Person::of(&shop.visitor(), &log_in(&shop, PASSWORD, json!(app.code(&shop))).await.gives(200));
    for _ in 0..12 {
        admin.post("/api/auth/passkeys/start", &json!({})).await.refuses(401, "TotpRequired");
    }
    shop.clock.advance(MINUTE);
    admin.post("/api/auth/passkeys/start", &json!({ "totp": app.code(&shop) })).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_demo_the_administrator_needs_no_app() {
    let shop = TestShop::open().await;
    let admin = shop.logged_in(ADMIN, PASSWORD).await;
    let mut key = Authenticator::new(Algorithm::Es256);
    key.verifies_user = false;
    add(&admin, &mut key).await.gives(201);
    let person = Person::of(&shop.visitor(), &log_in_with(&shop.visitor(), &mut key).await.gives(200));
    person.get("/api/admin/orders").await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_at_an_ip_address_offers_no_passkeys() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://192.0.2.1")]).await;
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["passkey_origin"], Value::Null);
    let customer = shop.customer().await;
    shop.visitor().post("/api/auth/passkey-login", &json!({})).await.refuses(404, "NotFound");
    customer.post("/api/auth/passkeys/start", &json!({})).await.refuses(404, "NotFound");
    let token = json!("A".repeat(43));
    send_login(&shop.visitor(), &token, json!({})).await.refuses(404, "NotFound");
    send_addition(&customer, &token, json!({})).await.refuses(404, "NotFound");
    assert_eq!(customer.get("/api/auth/passkeys").await.gives(200)["passkeys"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ceremonies_are_limited_and_expired_ones_are_deleted() {
    let shop = TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await;
    let visitor = shop.visitor();
    for _ in 0..60 {
        Ceremony::log_in(&visitor).await;
    }
    let limited = visitor.post("/api/auth/passkey-login", &json!({})).await;
    limited.refuses(429, "TooManyRequests");
    assert!(limited.header("retry-after").is_some(), "{limited}");
    for _ in 0..30 {
        send_login(&visitor, &json!("A".repeat(43)), json!({})).await.refuses(400, "PasskeyExpired");
    }
    send_login(&visitor, &json!("A".repeat(43)), json!({})).await.refuses(429, "TooManyRequests");
    let customer = shop.customer().await;
    for _ in 0..20 {
        Ceremony::add(&customer).await;
    }
    customer.post("/api/auth/passkeys/start", &json!({})).await.refuses(429, "TooManyRequests");
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkey_ceremonies").await, 80);
    shop.clock.advance(5 * MINUTE);
    server::accounts::sweep(&shop.inside().platform.db, shop.clock.now_ms()).await.unwrap();
    assert_eq!(shop.count("SELECT COUNT(*) FROM passkey_ceremonies").await, 0);
}
