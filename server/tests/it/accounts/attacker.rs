//! Account takeover and lockout, with random sequences of requests by a victim and an attacker. The attacker cannot
//! learn whether an account exists, log in to it, or lock the owner out.

use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::privacy::seen;
use crate::harness::{ApiResponse, Client, PASSWORD, Person, TestShop, eventually};
use crate::invariants::run::Runs;

const MINUTE: i64 = 60_000;
/// Most requests in one sequence.
const MAX_STEPS: usize = 6;
/// Sequences that run concurrently, each with its own accounts and IP addresses.
const CONCURRENT_CASES: usize = 6;
const STRANGER_PASSWORD: &str = "what a stranger likes";
const NEW_PASSWORD: &str = "a lamp of her own";

#[derive(Clone, Copy, Debug)]
enum Actor {
    Victim,
    Stranger,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    SignUp,
    LogIn,
    GuessPassword,
    GuessCode,
    Resend,
    RequestLoginCode,
    GuessLoginCode,
    Forgot,
    GuessReset,
}

type Step = (Actor, Action);

const ALL: [Action; 9] = [
    Action::SignUp,
    Action::LogIn,
    Action::GuessPassword,
    Action::GuessCode,
    Action::Resend,
    Action::RequestLoginCode,
    Action::GuessLoginCode,
    Action::Forgot,
    Action::GuessReset,
];

/// A random sequence of at most [`MAX_STEPS`] requests.
fn random_steps(rng: &mut StdRng, actions: &[Action]) -> Vec<Step> {
    let one = |rng: &mut StdRng| {
        let actor = if rng.random_bool(0.5) { Actor::Victim } else { Actor::Stranger };
        (actor, actions[rng.random_range(0..actions.len())])
    };
    (0..rng.random_range(1..=MAX_STEPS)).map(|_| one(rng)).collect()
}

fn request_for(action: Action, address: &str, password: &str, device: &Value) -> (&'static str, Value) {
    match action {
        Action::SignUp => ("/api/auth/signup", json!({ "email": address, "password": password })),
        Action::LogIn => {
            ("/api/auth/login", json!({ "username": address, "password": password, "device_token": device }))
        }
        Action::GuessPassword => {
            ("/api/auth/login", json!({ "username": address, "password": "not the password", "device_token": device }))
        }
        Action::GuessCode => ("/api/auth/confirm-email", json!({ "username": address, "code": "no code" })),
        Action::Resend => ("/api/auth/resend-code", json!({ "username": address })),
        Action::RequestLoginCode => (
            "/api/auth/login-code",
            json!({ "username": address, "login_token": "A".repeat(43), "device_token": device }),
        ),
        Action::GuessLoginCode => (
            "/api/auth/login-with-code",
            json!({ "username": address, "code": "no code", "login_token": "A".repeat(43) }),
        ),
        Action::Forgot => ("/api/auth/forgot-password", json!({ "username": address, "device_token": device })),
        Action::GuessReset => (
            "/api/auth/confirm-forgot-password",
            json!({
                "username": address, "confirmationCode": "no code", "password": NEW_PASSWORD, "device_token": device,
            }),
        ),
    }
}

async fn shop() -> TestShop {
    TestShop::open_with(&[("SHOP_RATE_LIMITS", "on"), ("SHOP_TRUSTED_PROXIES", "127.0.0.1/32")]).await
}

/// An IP address that is unique to this role in this case of this run.
fn address(run: usize, case: usize, role: usize) -> String {
    format!("10.{}.{}.{}", run / 250, run % 250, 1 + case * 10 + role)
}

fn codes(shop: &TestShop, email: &str) -> Vec<String> {
    shop.mails_to(email).iter().rev().filter_map(|mail| mail.code()).collect()
}

/// Retries while the shop is overloaded (503), because many cases hash passwords at once.
async fn post_with_retry(client: &Client, path: &str, body: &Value) -> ApiResponse {
    loop {
        let response = client.post(path, body).await;
        if response.status != 503 {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Waits until the outbox has sent every email.
async fn wait_for_emails(shop: &TestShop) {
    eventually("an empty outbox", async || {
        (shop.count("SELECT COUNT(*) FROM outbox WHERE message <> ''").await == 0).then_some(())
    })
    .await;
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_order_of_calls_tells_a_stranger_whether_an_address_has_an_account() {
    let shop = shop().await;
    let mut runs = Runs::of("sign-up requests of a victim and an attacker, interleaved", 3);
    while let Some(mut rng) = runs.next() {
        let number = runs.number();
        let cases = (0..CONCURRENT_CASES).map(|case| {
            let (shop, steps) = (&shop, random_steps(&mut rng, &ALL));
            async move {
                let known = format!("known{number}-{case}@example.com");
                let unknown = format!("nobody{number}-{case}@example.com");
                let waiting = format!("waiting{number}-{case}@example.com");
                // The owners use another IP address than either actor below.
                let owner = shop.visitor().at(&address(number, case, 9));
                for email in [&known, &waiting] {
                    let (path, body) = request_for(Action::SignUp, email, PASSWORD, &Value::Null);
                    post_with_retry(&owner, path, &body).await.gives(201);
                }
                let code = shop.code_for(&known, &[]).await;
                let confirm = json!({ "username": known, "code": code });
                post_with_retry(&owner, "/api/auth/confirm-email", &confirm).await.gives(200);

                let mut all = Vec::new();
                for (place, email) in [&known, &unknown, &waiting].into_iter().enumerate() {
                    let victim = shop.visitor().at(&address(number, case, place * 2));
                    let stranger = shop.visitor().at(&address(number, case, place * 2 + 1));
                    let mut responses = Vec::new();
                    for (actor, action) in &steps {
                        match actor {
                            Actor::Victim => {
                                let (path, body) = request_for(*action, email, PASSWORD, &Value::Null);
                                post_with_retry(&victim, path, &body).await;
                            }
                            Actor::Stranger => {
                                let (path, body) = request_for(*action, email, STRANGER_PASSWORD, &Value::Null);
                                responses.push(seen(&post_with_retry(&stranger, path, &body).await));
                            }
                        }
                    }
                    all.push(responses);
                }
                assert_eq!(all[0], all[1], "with and without an account: {steps:?}");
                assert_eq!(all[2], all[1], "with an unconfirmed sign-up and without an account: {steps:?}");
            }
        });
        futures_util::future::join_all(cases).await;
        // The window of the wrong-code limit ends, so that later runs do not count as an attack.
        shop.clock.advance(11 * MINUTE);
    }
}

/// Confirms the victim's account with the emailed codes, newest first. Signs up before, if the sequence did not.
async fn confirm_account(shop: &TestShop, victim: &Client, email: &str, steps: &[Step]) {
    let has_signed_up = steps.iter().any(|step| matches!(step, (Actor::Victim, Action::SignUp)));
    if !has_signed_up {
        let (path, body) = request_for(Action::SignUp, email, PASSWORD, &Value::Null);
        post_with_retry(victim, path, &body).await.gives(201);
    }
    for _ in 0..2 {
        wait_for_emails(shop).await;
        for code in codes(shop, email) {
            let body = json!({ "username": email, "code": code });
            if post_with_retry(victim, "/api/auth/confirm-email", &body).await.status == 200 {
                return;
            }
        }
        // The victim's own attempts may have used up the code.
        let (path, body) = request_for(Action::Resend, email, PASSWORD, &Value::Null);
        post_with_retry(victim, path, &body).await.gives(200);
    }
    panic!("the victim cannot confirm after {steps:?}");
}

// invariant: account-enumeration
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_order_of_calls_a_victim_opens_the_account_with_her_own_password_and_a_stranger_does_not() {
    let actions = [
        Action::SignUp,
        Action::LogIn,
        Action::GuessCode,
        Action::Resend,
        Action::RequestLoginCode,
        Action::GuessLoginCode,
        Action::Forgot,
    ];
    let shop = shop().await;
    let mut runs = Runs::of("request sequences before an account is confirmed", 3);
    while let Some(mut rng) = runs.next() {
        let number = runs.number();
        let cases = (0..CONCURRENT_CASES).map(|case| {
            let (shop, steps) = (&shop, random_steps(&mut rng, &actions));
            async move {
                let email = format!("ada{number}-{case}@example.com");
                let victim = shop.visitor().at(&address(number, case, 0));
                let stranger = shop.visitor().at(&address(number, case, 1));
                for (actor, action) in &steps {
                    let (client, password) = match actor {
                        Actor::Victim => (&victim, PASSWORD),
                        Actor::Stranger => (&stranger, STRANGER_PASSWORD),
                    };
                    let (path, body) = request_for(*action, &email, password, &Value::Null);
                    post_with_retry(client, path, &body).await;
                }
                confirm_account(shop, &victim, &email, &steps).await;
                let log_in = async |client: &Client, password: &str| {
                    let (path, body) = request_for(Action::LogIn, &email, password, &Value::Null);
                    post_with_retry(client, path, &body).await
                };
                assert_eq!(log_in(&victim, PASSWORD).await.status, 200, "{steps:?}");
                assert_eq!(log_in(&stranger, STRANGER_PASSWORD).await.status, 401, "{steps:?}");
            }
        });
        futures_util::future::join_all(cases).await;
        shop.clock.advance(11 * MINUTE);
    }
}

async fn take_step((actor, action): Step, (victim, stranger): (&Client, &Client), email: &str, device: &Value) {
    match actor {
        Actor::Victim => {
            let (path, body) = request_for(action, email, PASSWORD, device);
            post_with_retry(victim, path, &body).await;
        }
        // Eleven repetitions exceed the limits of one client for one account.
        Actor::Stranger => {
            let (path, body) = request_for(action, email, STRANGER_PASSWORD, &Value::Null);
            for _ in 0..11 {
                post_with_retry(stranger, path, &body).await;
            }
        }
    }
}

// invariant: brute-force
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_order_of_calls_a_victim_gets_in_by_her_browser_and_by_a_reset() {
    let shop = shop().await;
    let mut runs = Runs::of("request sequences before an account owner logs in again", 3);
    while let Some(mut rng) = runs.next() {
        let number = runs.number();
        let cases = (0..CONCURRENT_CASES).map(|case| {
            let (shop, steps, is_shared) = (&shop, random_steps(&mut rng, &ALL), rng.random_bool(0.5));
            async move {
                let email = format!("ada{number}-{case}@example.com");
                let victim = shop.visitor().at(&address(number, case, 0));
                // The attacker may share the victim's IP address (NAT).
                let stranger = shop.visitor().at(&address(number, case, usize::from(!is_shared)));
                let (path, body) = request_for(Action::SignUp, &email, PASSWORD, &Value::Null);
                let elsewhere = shop.visitor().at(&address(number, case, 9));
                post_with_retry(&elsewhere, path, &body).await.gives(201);
                let code = shop.code_for(&email, &[]).await;
                post_with_retry(&elsewhere, "/api/auth/confirm-email", &json!({ "username": email, "code": code }))
                    .await
                    .gives(200);
                let (path, body) = request_for(Action::LogIn, &email, PASSWORD, &Value::Null);
                let device = post_with_retry(&victim, path, &body).await.gives(200)["device_token"].clone();
                for step in &steps {
                    take_step(*step, (&victim, &stranger), &email, &device).await;
                }
                let (path, body) = request_for(Action::LogIn, &email, PASSWORD, &device);
                let response = post_with_retry(&victim, path, &body).await;
                assert_eq!(response.status, 200, "{steps:?}: {response}");
                let device = response.json()["device_token"].clone();

                let resets_before = steps.iter().filter(|step| matches!(step, (Actor::Victim, Action::Forgot))).count();
                if resets_before < 3 {
                    let (path, body) = request_for(Action::Forgot, &email, PASSWORD, &device);
                    post_with_retry(&victim, path, &body).await.gives(200);
                }
                wait_for_emails(shop).await;
                let code = &codes(shop, &email)[0];
                let body = json!({
                    "username": email, "confirmationCode": code, "password": NEW_PASSWORD, "device_token": device,
                });
                let response = post_with_retry(&victim, "/api/auth/confirm-forgot-password", &body).await;
                assert_eq!(response.status, 200, "{steps:?}: {response}");
                let (path, body) = request_for(Action::LogIn, &email, NEW_PASSWORD, &Value::Null);
                let newcomer = shop.visitor().at(&address(number, case, 5));
                let person = Person::of(&newcomer, &post_with_retry(&newcomer, path, &body).await.gives(200));
                assert!(person.is_logged_in().await);
            }
        });
        futures_util::future::join_all(cases).await;
        // The window of the wrong-code limit ends, so that later runs do not count as an attack.
        shop.clock.advance(11 * MINUTE);
    }
}
