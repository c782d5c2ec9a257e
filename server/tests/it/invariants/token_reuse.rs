//! Lost refresh responses: the process is killed after a refresh token is spent, before the client gets the successor.

use rand::RngExt as _;
use serde_json::{Value, json};

use super::run::Runs;
use crate::configuration::serve;
use crate::harness::{ApiResponse, Client, Folder, Link, TestShop, eventually};

const SPENT: &str = "SELECT COUNT(*) FROM refresh_tokens WHERE spent_at IS NOT NULL";
const DEVICES: usize = 12;

async fn refreshes(client: &Client, token: &str) -> Option<ApiResponse> {
    let body = json!({ "refreshToken": token });
    client.sends_to_the_dying(client.request("POST", "/api/auth/refresh-token").json(&body)).await
}

fn token_of(tokens: &Value) -> String {
    tokens["refreshToken"].as_str().unwrap().to_owned()
}

// invariant: refresh-token-rotation
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whose_successor_was_lost_with_the_process_gets_the_same_one_from_the_next() {
    let shop = TestShop::open().await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut tokens = Vec::new();
    for _ in 0..DEVICES {
        tokens.push(shop.customer().await.refresh_token);
    }
    let mut runs = Runs::of("kill -9 during a token refresh", 2);
    while let Some(mut rng) = runs.next() {
        let folder = Folder::new();
        let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
        let link = Link::to(url.replace("http://", "")).await;
        link.withholds_responses();
        let dying = Client::new(&format!("http://{}", link.address()));
        let before = shop.count(SPENT).await;
        let asked: Vec<_> = tokens
            .iter()
            .map(|token| {
                let (dying, token) = (dying.clone(), token.clone());
                tokio::spawn(async move { refreshes(&dying, &token).await })
            })
            .collect();
        let enough = before + i64::try_from(rng.random_range(1..=DEVICES)).unwrap();
        eventually("a token to be spent", async || (shop.count(SPENT).await >= enough).then_some(())).await;
        drop(process);
        drop(link);
        for (token, ask) in tokens.iter_mut().zip(asked) {
            assert!(ask.await.unwrap().is_none(), "a client got a response");
            // Each client retries with the spent token, gets the same successor every time, and continues with it.
            let successor = token_of(&refreshes(&shop.visitor(), token).await.unwrap().gives(200));
            let again = token_of(&refreshes(&shop.visitor(), token).await.unwrap().gives(200));
            assert_eq!(successor, again);
            *token = token_of(&refreshes(&shop.visitor(), &successor).await.unwrap().gives(200));
        }
    }
}
