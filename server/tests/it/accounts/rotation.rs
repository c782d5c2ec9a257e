//! Signing-key rotation: no session ends and no request fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;
use server::config::Config;
use server::start::Running;

use crate::configuration::{binary, complaint};
use crate::harness::{CUSTOMER, Client, Folder, PASSWORD, Person, TestShop, header_of, new_key, proof};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;

fn rotate_command(shop: &TestShop) -> std::process::Command {
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut command = binary(&std::env::temp_dir(), &vars);
    command.args(["keys", "rotate"]);
    command
}

fn rotate_keys(shop: &TestShop) {
    let output = rotate_command(shop).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

async fn published(client: &Client) -> Vec<String> {
    let set = client.get("/.well-known/jwks.json").await.gives(200);
    set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

fn kid(person: &Person) -> String {
    header_of(person.access_token())["kid"].as_str().unwrap().to_owned()
}

async fn refresh_session(client: &Client, refresh_token: &str) -> Person {
    let body = json!({ "refreshToken": refresh_token });
    Person::of(client, &client.signed_out().post("/api/auth/refresh-token", &body).await.gives(200))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_successor_is_published_then_signs_and_then_stands_alone_in_every_process() {
    let shop = TestShop::open().await;
    let (second, there) = shop.another_process().await;
    let ada = shop.customer().await;
    let old = kid(&ada);
    rotate_keys(&shop);
    for process in [shop.inside(), &second.shop] {
        server::accounts::refresh_keys(&process.accounts).await.unwrap();
    }
    let both = published(&shop.visitor()).await;
    assert!(both.len() == 2 && both[0] == old, "{both:?}");
    assert_eq!(published(&there).await, both);

    shop.clock.advance(6 * MINUTE);
    assert_eq!(kid(&shop.customer().await), old, "clients may still cache the previous key set");
    shop.clock.advance(MINUTE);
    let bea = shop.customer().await;
    assert_eq!(kid(&bea), both[1]);
    assert!(there.with_token(bea.access_token()).get("/api/auth/user").await.status == 200);
    assert!(ada.is_logged_in().await, "tokens of the older key are valid until they expire");

    shop.clock.advance(20 * MINUTE);
    assert_eq!(published(&shop.visitor()).await, both[1..]);
    assert_eq!(published(&there).await, both[1..]);
    second.stop().await;
}

// invariant: key-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_of_a_retired_key_is_refused_though_it_has_not_expired() {
    let shop = TestShop::open().await;
    let old = shop.signs_as_the_shop();
    rotate_keys(&shop);
    server::accounts::refresh_keys(&shop.inside().accounts).await.unwrap();
    let ada = shop.customer().await;
    shop.clock.advance(27 * MINUTE - 10 * SECOND);
    let now = shop.clock.now_ms() / SECOND;
    let token = old.changed(ada.access_token(), &[("exp", json!(now + 900)), ("iat", json!(now)), ("nbf", json!(now))]);
    ada.with_token(&token).get("/api/auth/user").await.gives(200);
    shop.clock.advance(15 * SECOND);
    ada.with_token(&token).get("/api/auth/user").await.refuses(401, "Unauthenticated");
}

// invariant: key-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_refused_while_the_key_is_rotated_under_load() {
    let shop = TestShop::open().await;
    let (second, there) = shop.another_process().await;
    let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let mut people = Vec::new();
    for number in 0..6 {
        let (mut person, stop, calls) = (shop.customer().await, stop.clone(), calls.clone());
        let (here, there) = (shop.visitor(), there.clone());
        people.push(tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                let client = if (number + calls.load(Ordering::Relaxed)) % 2 == 0 { &here } else { &there };
                for _ in 0..4 {
                    client.with_token(person.access_token()).get("/api/auth/user").await.gives(200);
                    calls.fetch_add(1, Ordering::Relaxed);
                }
                person = refresh_session(client, &person.refresh_token).await;
            }
            person
        }));
    }
    rotate_keys(&shop);
    // Longer than a rotation, in steps shorter than the lifetime of an access token. Each step waits for new requests of all
    // clients.
    for _ in 0..16 {
        let seen = calls.load(Ordering::Relaxed);
        for process in [shop.inside(), &second.shop] {
            server::accounts::refresh_keys(&process.accounts).await.unwrap();
        }
        crate::harness::eventually("calls", async || (calls.load(Ordering::Relaxed) > seen + 60).then_some(())).await;
        shop.clock.advance(2 * MINUTE);
    }
    stop.store(true, Ordering::Relaxed);
    let newest = published(&there).await;
    for person in people {
        let person = refresh_session(&there, &person.await.unwrap().refresh_token).await;
        assert_eq!(newest, [kid(&person)]);
    }
    second.stop().await;
}

// invariant: key-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn codes_proofs_and_spent_refresh_tokens_from_before_a_rotation_still_count() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow")]).await;
    rotate_keys(&shop);
    server::accounts::refresh_keys(&shop.inside().accounts).await.unwrap();
    shop.clock.advance(7 * MINUTE - 10 * SECOND);
    shop.signs_up("ada@example.com").await;
    let code = shop.code_for("ada@example.com", &[]).await;
    let bea = shop.customer().await;
    let first = refresh_session(&bea, &bea.refresh_token).await;
    let visitor = shop.visitor();
    let proof = proof(&visitor, "login").await;

    shop.clock.advance(15 * SECOND);
    assert_eq!(refresh_session(&bea, &bea.refresh_token).await.refresh_token, first.refresh_token);
    shop.confirms("ada@example.com", &code).await;
    let body = json!({ "username": CUSTOMER, "password": PASSWORD, "recaptchaToken": proof });
    let carl = Person::of(&visitor, &visitor.post("/api/auth/login", &body).await.gives(200));
    assert_ne!(kid(&carl), kid(&bea));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_rotation_ends_before_the_next_begins() {
    let shop = TestShop::open().await;
    rotate_keys(&shop);
    let line = complaint(rotate_command(&shop));
    assert!(line.contains("in progress until"), "{line}");
    assert_eq!(shop.count("SELECT COUNT(*) FROM signing_keys").await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_in_a_variable_gets_its_successor_by_being_given_both() {
    let old = new_key();
    let mut shop = TestShop::open_with(&[("SHOP_SIGNING_KEY", &old)]).await;
    let line = complaint(rotate_command(&shop));
    assert!(line.contains("SHOP_SIGNING_KEY") && line.contains("openssl genpkey"), "{line}");
    let ada = shop.customer().await;
    shop.restart_with(&[("SHOP_SIGNING_KEY", &format!("{old}{}", new_key()))]).await;
    assert_eq!(published(&shop.visitor()).await.len(), 2);
    assert!(shop.visitor().with_token(ada.access_token()).get("/api/auth/user").await.status == 200);
    shop.clock.advance(7 * MINUTE);
    assert_ne!(kid(&shop.customer().await), kid(&ada));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_was_not_given_the_successor_says_so_and_believes_its_tokens() {
    let shop = TestShop::open().await;
    let folder = Folder::new();
    let copy = folder.path().join("signing-key.pem");
    let vars: std::collections::BTreeMap<String, String> = shop.vars().collect();
    std::fs::copy(std::path::Path::new(&vars["SHOP_DATA_DIR"]).join("signing-key.pem"), &copy).unwrap();
    let vars = vars.into_iter().chain([("SHOP_SIGNING_KEY".to_owned(), copy.display().to_string())]);
    let far = Running::start(Config::from_vars(vars).unwrap(), shop.clock.clone()).await.unwrap();
    rotate_keys(&shop);
    server::accounts::refresh_keys(&shop.inside().accounts).await.unwrap();
    let message = server::accounts::refresh_keys(&far.shop.accounts).await.unwrap_err();
    assert!(message.contains("SHOP_SIGNING_KEY"), "{message}");
    shop.clock.advance(7 * MINUTE);
    let ada = shop.customer().await;
    let there = Client::new(&format!("http://{}", far.addr));
    there.with_token(ada.access_token()).get("/api/auth/user").await.gives(200);
    far.stop().await;
}
