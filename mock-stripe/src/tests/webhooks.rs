//! Webhooks: signed, readable by Stripe's own library, and delivered until they are accepted.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Router, routing::post};
use serde_json::json;
use stripe_webhook::{EventObject, Webhook};
use tokio_util::sync::CancellationToken;

use super::Account;
use crate::webhook_sender::WebhookSender;

type Received = Arc<Mutex<Vec<(String, String)>>>;

/// A shop that rejects the first `rejections` deliveries and records the body and signature of the others.
struct Receiver {
    endpoint: String,
    received: Received,
}

async fn receive(
    State((received, rejections)): State<(Received, Arc<Mutex<u32>>)>,
    headers: HeaderMap,
    body: String,
) -> StatusCode {
    let mut left = rejections.lock().unwrap();
    if *left > 0 {
        *left -= 1;
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    let signature = headers["stripe-signature"].to_str().unwrap().to_owned();
    received.lock().unwrap().push((body, signature));
    StatusCode::OK
}

impl Receiver {
    async fn open(rejections: u32) -> Self {
        let received = Received::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}/hook", listener.local_addr().unwrap());
        let app = Router::new()
            .route("/hook", post(receive))
            .with_state((received.clone(), Arc::new(Mutex::new(rejections))));
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { endpoint, received }
    }

    fn sender(&self, account: &Account) -> WebhookSender {
        WebhookSender::new(&account.inside, self.endpoint.clone(), account.keys.webhook_secret.clone())
    }

    /// The types received so far, sorted: no order is promised.
    fn types(&self) -> Vec<String> {
        let mut types: Vec<String> = self
            .received
            .lock()
            .unwrap()
            .iter()
            .map(|(body, _)| {
                serde_json::from_str::<serde_json::Value>(body).unwrap()["type"].as_str().unwrap().to_owned()
            })
            .collect();
        types.sort();
        types
    }
}

#[tokio::test]
async fn every_event_of_a_payment_is_signed_and_readable() {
    let account = Account::open().await;
    let receiver = Receiver::open(0).await;
    let intent = account.intent_of(1000).await;
    account.confirm(&intent, "payment_method=pm_card_chargeDeclined").await;
    account.confirm(&intent, "payment_method=pm_card_visa").await;
    let refund = account.post("/v1/refunds", &format!("payment_intent={}", intent.id)).await.body;
    account.post(&format!("/v1/refunds/{}", refund["id"].as_str().unwrap()), "metadata[a]=1").await;
    let other = account.intent_of(1000).await;
    account.confirm(&other, "payment_method=pm_card_threeDSecure2Required").await;
    account.post(&format!("/v1/payment_intents/{}/cancel", other.id), "").await;

    let mut sender = receiver.sender(&account);
    while sender.deliver_batch().await.unwrap() > 0 {}
    assert_eq!(
        receiver.types(),
        [
            "charge.failed",
            "charge.refunded",
            "charge.succeeded",
            "payment_intent.canceled",
            "payment_intent.created",
            "payment_intent.created",
            "payment_intent.payment_failed",
            "payment_intent.requires_action",
            "payment_intent.succeeded",
            "refund.created",
            "refund.updated",
        ]
    );
    for (body, signature) in receiver.received.lock().unwrap().iter() {
        let event = Webhook::construct_event(body, signature, &account.keys.webhook_secret).unwrap();
        if let EventObject::ChargeRefunded(charge) = event.data.object {
            assert_eq!(charge.amount_refunded, 1000);
        }
        assert!(Webhook::construct_event(body, signature, "whsec_other").is_err());
    }
}

#[tokio::test]
async fn a_post_that_is_refused_comes_again_later_with_a_fresh_signature() {
    let account = Account::open().await;
    let receiver = Receiver::open(1).await;
    account.intent_of(1000).await;
    let mut sender = receiver.sender(&account);
    assert_eq!(sender.deliver_batch().await.unwrap(), 1);
    assert_eq!(sender.deliver_batch().await.unwrap(), 0, "not before its time");
    account.clock.advance(2_000);
    assert_eq!(sender.deliver_batch().await.unwrap(), 1);
    assert_eq!(sender.deliver_batch().await.unwrap(), 0, "taken once");
    assert_eq!(receiver.types(), ["payment_intent.created"]);
}

#[tokio::test]
async fn a_new_event_wakes_the_courier_and_stopping_ends_it() {
    let account = Account::open().await;
    let receiver = Receiver::open(0).await;
    let stop = CancellationToken::new();
    let running = tokio::spawn(receiver.sender(&account).run(stop.clone()));
    tokio::time::sleep(Duration::from_millis(100)).await;
    account.intent_of(1000).await;
    tokio::time::timeout(Duration::from_secs(5), async {
        while receiver.types().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .unwrap();
    stop.cancel();
    tokio::time::timeout(Duration::from_secs(5), running).await.unwrap().unwrap();
}

#[tokio::test]
async fn two_couriers_share_the_queue_without_posting_twice() {
    let account = Account::open().await;
    let receiver = Receiver::open(0).await;
    for _ in 0..20 {
        account.intent_of(1000).await;
    }
    let (one, two) = (receiver.sender(&account), receiver.sender(&account));
    let drain = async |mut sender: WebhookSender| while sender.deliver_batch().await.unwrap() > 0 {};
    tokio::join!(drain(one), drain(two));
    assert_eq!(receiver.types().len(), 20);
}

#[tokio::test]
async fn told_so_it_drops_doubles_and_delays() {
    let account = Account::open().await;
    let receiver = Receiver::open(0).await;
    let mut sender = receiver.sender(&account);
    account.control(json!({"webhooks": {"drop_percent": 100, "types": ["payment_intent.created"]}})).await;
    let intent = account.intent_of(1000).await;
    account.control(json!({"webhooks": {"double_percent": 100, "delay_ms": 5000}})).await;
    account.confirm(&intent, "payment_method=pm_card_visa").await;
    assert_eq!(sender.deliver_batch().await.unwrap(), 0, "delayed");
    account.clock.advance(6_000);
    while sender.deliver_batch().await.unwrap() > 0 {}
    assert_eq!(
        receiver.types(),
        ["charge.succeeded", "charge.succeeded", "payment_intent.succeeded", "payment_intent.succeeded"]
    );
}
