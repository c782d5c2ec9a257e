use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{ApiResponse, CUSTOMER, Client, Person, TestShop, together};

const SECOND: i64 = 1_000;

async fn refresh(client: &Client, token: &str) -> ApiResponse {
    client.signed_out().post("/api/auth/refresh-token", &json!({ "refreshToken": token })).await
}

fn token_of(tokens: &Value) -> String {
    tokens["refreshToken"].as_str().unwrap().to_owned()
}

// spec: refreshToken | accessToken, refreshToken
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_gives_new_tokens_and_uses_up_the_old_one() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    let tokens = refresh(&ada, &ada.refresh_token).await.gives(200);
    assert_ne!(token_of(&tokens), ada.refresh_token);
    let renewed = Person::of(&ada, &tokens);
    assert!(renewed.is_logged_in().await);
    assert!(ada.is_logged_in().await, "the older access token is valid until it expires");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spent_refresh_token_gives_the_same_successor_for_twenty_seconds() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    let first = token_of(&refresh(&ada, &ada.refresh_token).await.gives(200));
    shop.clock.advance(19 * SECOND);
    let again = token_of(&refresh(&ada, &ada.refresh_token).await.gives(200));
    assert_eq!(first, again);
    refresh(&ada, &first).await.gives(200);
}

// invariant: refresh-token-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refresh_token_that_comes_back_later_ends_its_family_and_warns_its_owner() {
    let shop = TestShop::open().await;
    let (ada, elsewhere) = (shop.customer().await, shop.customer().await);
    let successor = token_of(&refresh(&ada, &ada.refresh_token).await.gives(200));
    shop.clock.advance(21 * SECOND);
    refresh(&ada, &ada.refresh_token).await.refuses(401, "RefreshTokenInvalid");
    refresh(&ada, &successor).await.refuses(401, "RefreshTokenInvalid");
    ada.get("/api/auth/user").await.refuses(401, "Unauthenticated");
    assert!(elsewhere.is_logged_in().await, "another login is another token family");
    shop.mail_to(CUSTOMER, "logged out").await;
}

// invariant: refresh-token-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_refreshes_at_once_give_one_successor_and_log_nobody_out() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    let responses = together(20, |_| {
        let ada = ada.clone();
        async move { refresh(&ada, &ada.refresh_token).await }
    })
    .await;
    let successors: BTreeSet<String> = responses.iter().map(|response| token_of(&response.gives(200))).collect();
    assert_eq!(successors.len(), 1);
    let successor = successors.first().unwrap();
    refresh(&ada, successor).await.gives(200);
}

// invariant: session-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_ends_after_thirty_days_however_often_it_was_renewed() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    let mut token = ada.refresh_token.clone();
    for _ in 0..29 {
        shop.clock.advance(24 * 3_600 * SECOND);
        token = token_of(&refresh(&ada, &token).await.gives(200));
    }
    shop.clock.advance(24 * 3_600 * SECOND);
    refresh(&ada, &token).await.refuses(401, "RefreshTokenInvalid");
}

// invariant: session-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_nobody_uses_ends_after_fourteen_days() {
    let shop = TestShop::open().await;
    let (ada, bea) = (shop.customer().await, shop.customer().await);
    shop.clock.advance(13 * 24 * 3_600 * SECOND);
    let renewed = token_of(&refresh(&ada, &ada.refresh_token).await.gives(200));
    shop.clock.advance(24 * 3_600 * SECOND);
    refresh(&bea, &bea.refresh_token).await.refuses(401, "RefreshTokenInvalid");
    shop.clock.advance(12 * 24 * 3_600 * SECOND);
    refresh(&ada, &renewed).await.gives(200);
}

// invariant: refresh-token-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_and_the_grace_of_a_spent_token_survive_a_restart() {
    let mut shop = TestShop::open().await;
    let ada = shop.customer().await;
    let successor = token_of(&refresh(&ada, &ada.refresh_token).await.gives(200));
    shop.restart().await;
    let visitor = shop.visitor();
    visitor.with_token(ada.access_token()).get("/api/auth/user").await.gives(200);
    assert_eq!(token_of(&refresh(&visitor, &ada.refresh_token).await.gives(200)), successor);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_refresh_token_is_refused() {
    let shop = TestShop::open().await;
    let ada = shop.customer().await;
    for token in [" ", "nothing", ada.access_token(), &"x".repeat(5_000)] {
        refresh(&ada, token).await.refuses(401, "RefreshTokenInvalid");
    }
    for token in [Value::Null, json!(""), json!(7), json!([]), json!("\u{0}")] {
        let body = json!({ "refreshToken": token });
        ada.post("/api/auth/logout", &body).await.names(&["refreshToken"]);
        ada.post("/api/auth/refresh-token", &body).await.names(&["refreshToken"]);
    }
}
