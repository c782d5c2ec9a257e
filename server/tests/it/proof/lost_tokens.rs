//! A process that is killed when a refresh token is spent and nobody has its successor yet.

use rand::RngExt as _;
use serde_json::{Value, json};

use super::trials::Trials;
use crate::configuration::serve;
use crate::harness::{Answer, Client, Folder, Link, TestShop, eventually};

const SPENT: &str = "SELECT COUNT(*) FROM refresh_tokens WHERE spent_at IS NOT NULL";
const DEVICES: usize = 12;

async fn refreshes(client: &Client, token: &str) -> Option<Answer> {
    let body = json!({ "refreshToken": token });
    client.sends_to_the_dying(client.request("POST", "/api/auth/refresh-token").json(&body)).await
}

fn token_of(tokens: &Value) -> String {
    tokens["refreshToken"].as_str().unwrap().to_owned()
}

// rule 29
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whose_successor_was_lost_with_the_process_gets_the_same_one_from_the_next() {
    let shop = TestShop::open().await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut tokens = Vec::new();
    for _ in 0..DEVICES {
        tokens.push(shop.customer().await.refresh_token);
    }
    let mut trials = Trials::of("kill -9 between a refresh and its answer", 2);
    let mut lost = 0;
    while let Some(mut chance) = trials.next() {
        let folder = Folder::new();
        let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
        let link = Link::to(url.replace("http://", "")).await;
        let dying = Client::new(&format!("http://{}", link.address()));
        let before = shop.count(SPENT).await;
        let asked: Vec<_> = tokens
            .iter()
            .map(|token| {
                let (dying, token) = (dying.clone(), token.clone());
                tokio::spawn(async move { refreshes(&dying, &token).await })
            })
            .collect();
        let enough = before + chance.random_range(1..=4);
        eventually("a token to be spent", async || (shop.count(SPENT).await >= enough).then_some(())).await;
        link.silences_what_is_open();
        drop(process);
        drop(link);
        let spent = shop.count(SPENT).await - before;
        let mut answered = 0;
        for (token, ask) in tokens.iter_mut().zip(asked) {
            let told = ask.await.unwrap().map(|answer| token_of(&answer.gives(200)));
            // The browser asks again as if nothing had been.
            let successor = token_of(&refreshes(&shop.visitor(), token).await.unwrap().gives(200));
            if let Some(told) = told {
                assert_eq!(told, successor);
                answered += 1;
            }
            *token = successor;
        }
        lost += spent - answered;
    }
    println!("successors that were lost with their process: {lost}");
    assert!(lost > 0, "no process was killed at the right moment");
}
