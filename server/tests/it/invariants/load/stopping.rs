//! Told to stop in the middle of everything.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::super::invariant::{End, is_one_of};
use super::super::run::Stretch;
use super::figure::time;
use super::flow::at_pace;
use super::outside::Outside;
use crate::harness::{Answer, BEHIND_A_PROXY, Client, Intent, Light, Person, Stripe, TestShop};

/// Who comes too late finds the door closed; whoever got in is answered.
enum Heard {
    Answer,
    Closed,
}

async fn asks(request: reqwest::RequestBuilder) -> Heard {
    match request.send().await {
        Ok(response) => {
            let answer = Answer::of("a call while the shop stops".to_owned(), response).await;
            assert!(answer.status < 500, "{answer}");
            Heard::Answer
        }
        Err(error) if error.is_connect() => Heard::Closed,
        Err(error) => panic!("a request that was taken was not answered: {error:?}"),
    }
}

/// Buys until the shop answers no more; gives what was paid.
async fn buys_on(buyer: Client, stripe: Stripe, light: Light, paid: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let cart = Person::cart(&[(&light, 1)]);
    loop {
        let request = buyer.request("POST", "/api/payments/create-intent").json(&cart);
        let quote = buyer.sends_to_the_dying(request).await?;
        is_one_of(&quote, &[200, 429, 503]);
        if quote.status != 200 {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        }
        let intent = Intent::of(quote.json());
        if !stripe.took(&intent, "pm_card_visa").await {
            return None;
        }
        paid.lock().unwrap().push(intent.id.clone());
        let request = buyer.request("POST", "/api/orders").json(&json!({ "paymentIntentId": intent.id }));
        let order = buyer.sends_to_the_dying(request).await?;
        is_one_of(&order, &[200, 201, 503]);
    }
}

/// A connection that was used once and stays open.
async fn lingers(url: &str) -> TcpStream {
    let mut stream = TcpStream::connect(url.replace("http://", "")).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n").await.unwrap();
    let mut answer = [0; 1_024];
    assert!(stream.read(&mut answer).await.unwrap() > 0);
    stream
}

// invariant: graceful-shutdown
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_that_is_told_to_stop_answers_whoever_got_in_and_finishes_every_purchase() {
    let mut shop = TestShop::open_with(&[BEHIND_A_PROXY]).await;
    let light = shop.adds_light("Last One Out", 100_000).await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let mut outside = Outside::goes_on_with(&mut shop).await;
    let mut stretch = Stretch::of("requests during a graceful shutdown", 2);
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(lingers(&outside.url).await);
    }
    let (paid, stopped) = (Arc::default(), Arc::new(AtomicBool::new(false)));
    let buyers: Vec<_> = (0..4)
        .map(|_| {
            let client = outside.client.with_token(buyer.access_token());
            tokio::spawn(buys_on(client, stripe.at(&outside.client), light.clone(), Arc::clone(&paid)))
        })
        .collect();
    // Each with a connection of its own, so that some stand in the queue at any moment.
    let visits = tokio::spawn(at_pace(200, stretch.lasts.min(Duration::from_secs(20)), {
        let (url, stopped) = (outside.url.clone(), stopped.clone());
        move |number| {
            let path = ["/api/products", "/api/config", "/products", "/api/bot-check"][number % 4];
            let (client, stopped) = (Client::new(&url), stopped.clone());
            async move {
                let heard = asks(client.request("GET", path)).await;
                let is_early = !stopped.load(Ordering::SeqCst);
                assert!(!is_early || matches!(heard, Heard::Answer), "closed before it was told to");
                matches!(heard, Heard::Answer).then(Instant::now)
            }
        }
    }));
    tokio::time::sleep(stretch.lasts.min(Duration::from_secs(20)) / 2).await;
    stopped.store(true, Ordering::SeqCst);
    let told = Instant::now();
    outside.is_told_to_stop();
    assert!(outside.ends().await.success());
    let ended = Instant::now();
    for buyer in buyers {
        buyer.await.unwrap();
    }
    let answered: Vec<Instant> = visits.await.unwrap().into_iter().filter_map(|visit| visit.result).collect();
    stretch.done = answered.len();
    drop(idle);

    shop.restart().await;
    let stripe = shop.stripe().await;
    shop.settles(&stripe).await;
    let paid = paid.lock().unwrap().clone();
    for id in &paid {
        assert_eq!(shop.end_of(&stripe.intent(id).await).await, End::Ordered);
    }
    shop.audit().await;
    time("shutdown under load, until the process ends", ended - told, 30_000);
    let last = answered.into_iter().max().unwrap_or(told).max(told);
    time("shutdown with 100 idle connections, after the last response", ended - last, 3_000);
}
