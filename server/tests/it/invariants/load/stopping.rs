//! Graceful shutdown under load.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::super::invariant::{PaymentOutcome, assert_status_in};
use super::super::run::Stretch;
use super::figure::time;
use super::load_generator::open_loop;
use super::server_process::ServerProcess;
use crate::harness::{ApiResponse, BEHIND_A_PROXY, Client, Intent, Light, Person, Stripe, TestShop};

/// Result of a request during shutdown: accepted requests get a response, later connections are rejected.
enum RequestOutcome {
    ApiResponse,
    Closed,
}

/// The shop waits this long for the first request of an accepted connection.
const FIRST_REQUEST: Duration = Duration::from_millis(500);

async fn send_request(request: reqwest::RequestBuilder) -> RequestOutcome {
    let began = Instant::now();
    match request.send().await {
        Ok(response) => {
            let answer = ApiResponse::of("a request during shutdown".to_owned(), response).await;
            assert!(answer.status < 500, "{answer}");
            RequestOutcome::ApiResponse
        }
        // On a busy machine, this client may have connected and sent its request only later.
        Err(error) if error.is_connect() || began.elapsed() >= FIRST_REQUEST => RequestOutcome::Closed,
        Err(error) => panic!("an accepted request got no response: {error:?}"),
    }
}

/// Buys until the server is gone, and records the paid intents.
async fn keep_buying(buyer: Client, stripe: Stripe, light: Light, paid: Arc<Mutex<Vec<String>>>) -> Option<()> {
    let cart = Person::cart(&[(&light, 1)]);
    loop {
        let request = buyer.request("POST", "/api/payments/create-intent").json(&cart);
        let quote = buyer.sends_to_the_dying(request).await?;
        assert_status_in(&quote, &[200, 429, 503]);
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
        assert_status_in(&order, &[200, 201, 503]);
    }
}

/// An idle keep-alive connection: opened, used once, left open.
async fn open_keep_alive(url: &str) -> TcpStream {
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
    let mut server_process = ServerProcess::spawn(&mut shop).await;
    let mut stretch = Stretch::of("requests during a graceful shutdown", 2);
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(open_keep_alive(&server_process.url).await);
    }
    let (paid, stopped) = (Arc::default(), Arc::new(AtomicBool::new(false)));
    let buyers: Vec<_> = (0..4)
        .map(|_| {
            let client = server_process.client.with_token(buyer.access_token());
            tokio::spawn(keep_buying(client, stripe.at(&server_process.client), light.clone(), Arc::clone(&paid)))
        })
        .collect();
    // One connection per request, so that some are always in the accept queue.
    let visits = tokio::spawn(open_loop(200, stretch.lasts.min(Duration::from_secs(20)), {
        let (url, stopped) = (server_process.url.clone(), stopped.clone());
        move |number| {
            let path = ["/api/products", "/api/config", "/products", "/api/bot-check"][number % 4];
            let (client, stopped) = (Client::new(&url), stopped.clone());
            async move {
                let outcome = send_request(client.request("GET", path)).await;
                let is_early = !stopped.load(Ordering::SeqCst);
                assert!(
                    !is_early || matches!(outcome, RequestOutcome::ApiResponse),
                    "connection rejected before the shutdown"
                );
                matches!(outcome, RequestOutcome::ApiResponse).then(Instant::now)
            }
        }
    }));
    tokio::time::sleep(stretch.lasts.min(Duration::from_secs(20)) / 2).await;
    stopped.store(true, Ordering::SeqCst);
    let signaled = Instant::now();
    server_process.terminate();
    assert!(server_process.wait_for_exit().await.success());
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
        assert_eq!(shop.payment_outcome(&stripe.intent(id).await).await, PaymentOutcome::Ordered);
    }
    shop.audit().await;
    time("shutdown under load, until the process ends", ended - signaled, 30_000);
    let last = answered.into_iter().max().unwrap_or(signaled).max(signaled);
    time("shutdown with 100 idle connections, after the last response", ended - last, 3_000);
}
