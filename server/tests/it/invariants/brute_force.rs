//! Token reuse and code guessing, concurrently against two processes of one shop.

use std::collections::BTreeSet;

use rand::RngExt as _;
use serde_json::json;
use server::config::Config;
use server::start::Running;

use super::run::Runs;
use crate::harness::{Client, PASSWORD, TestShop, together};

/// Starts a second process of the same shop.
async fn second_process(shop: &TestShop) -> (Running, Client) {
    let running = Running::start(Config::from_vars(shop.vars()).unwrap(), shop.clock.clone()).await.unwrap();
    let client = Client::new(&format!("http://{}", running.addr));
    (running, client)
}

// invariant: refresh-token-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_token_used_at_two_processes_at_once_has_one_successor() {
    let shop = TestShop::open().await;
    let (other, there) = second_process(&shop).await;
    let mut runs = Runs::of("concurrent refreshes of a token at two processes", 3);
    let mut token = shop.customer().await.refresh_token;
    while let Some(mut rng) = runs.next() {
        let responses = together(rng.random_range(2..=30), |number| {
            let client = if number % 2 == 0 { shop.visitor() } else { there.clone() };
            let body = json!({ "refreshToken": token });
            async move { client.post("/api/auth/refresh-token", &body).await.gives(200) }
        })
        .await;
        let texts =
            |name: &str| responses.iter().map(|it| it[name].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>();
        let successors = texts("refreshToken");
        assert_eq!(successors.len(), 1);
        for access in texts("accessToken") {
            there.with_token(&access).get("/api/auth/user").await.gives(200);
        }
        let spent = std::mem::replace(&mut token, successors.into_iter().next().unwrap());
        if rng.random_bool(0.3) {
            // Reuse of the spent token after the grace period revokes the whole session.
            shop.clock.advance(21_000);
            let body = json!({ "refreshToken": spent });
            there.post("/api/auth/refresh-token", &body).await.refuses(401, "RefreshTokenInvalid");
            let body = json!({ "refreshToken": token });
            shop.visitor().post("/api/auth/refresh-token", &body).await.refuses(401, "RefreshTokenInvalid");
            token = shop.customer().await.refresh_token;
        }
    }
    other.stop().await;
}

// invariant: one-time-codes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_guesses_at_two_processes_at_once_fifteen_are_judged() {
    let shop = TestShop::open().await;
    let (other, there) = second_process(&shop).await;
    let mut runs = Runs::of("concurrent guesses of a code", 2);
    while let Some(mut rng) = runs.next() {
        let email = format!("ada{}@example.com", runs.seed());
        shop.signs_up(&email).await;
        let right = shop.code_for(&email, &[]).await;
        let wrong: Vec<String> = (0..rng.random_range(20..=60))
            .map(|_| format!("{:06}", rng.random_range(0..1_000_000)))
            .filter(|guess| *guess != right)
            .collect();
        together(wrong.len(), |number| {
            let client = if number % 2 == 0 { shop.visitor() } else { there.clone() };
            let body = json!({ "username": email, "code": wrong[number] });
            async move { client.post("/api/auth/confirm-email", &body).await.refuses(400, "CodeInvalid") }
        })
        .await;
        assert_eq!(shop.count("SELECT COUNT(*) FROM signups WHERE attempts_left > 0").await, 0);
        let body = json!({ "username": email, "code": right });
        there.post("/api/auth/confirm-email", &body).await.refuses(400, "CodeInvalid");
        shop.logs_in(&email, PASSWORD).await.refuses(401, "BadCredentials");
    }
    other.stop().await;
}
