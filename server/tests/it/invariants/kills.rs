//! Crash recovery: the process is killed during purchases and refunds, and restarted.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::json;
use server::mail::outbox;

use super::invariant::PaymentOutcome;
use super::run::Runs;
use crate::configuration::serve;
use crate::harness::{
    ADMIN, CUSTOMER, Client, Folder, Intent, Light, MailServer, PASSWORD, Person, Privacy, Stripe, TestShop, eventually,
};

/// Results that the shop acknowledged before it was killed.
#[derive(Default)]
struct Acknowledged {
    paid: Vec<String>,
    orders: Vec<String>,
    refunded: Vec<String>,
}

type SharedAcknowledged = Arc<Mutex<Acknowledged>>;

async fn logs_in(client: &Client, email: &str) -> Option<Person> {
    let body = json!({ "username": email, "password": PASSWORD, "recaptchaToken": "" });
    let response = client.sends_to_the_dying(client.request("POST", "/api/auth/login").json(&body)).await?;
    Some(Person::of(client, &response.gives(200)))
}

/// Buys until the server is gone.
async fn keep_buying(client: Client, stripe: Stripe, light: Light, acknowledged: SharedAcknowledged) -> Option<()> {
    let buyer = logs_in(&client, CUSTOMER).await?;
    loop {
        let request = buyer.request("POST", "/api/payments/create-intent").json(&Person::cart(&[(&light, 1)]));
        let response = buyer.sends_to_the_dying(request).await?;
        if response.status != 200 {
            // Concurrency limits may reject some of these requests.
            response.refusal();
            continue;
        }
        let intent = Intent::of(response.json());
        if !stripe.took(&intent, "pm_card_visa").await {
            return None;
        }
        acknowledged.lock().unwrap().paid.push(intent.id.clone());
        let request = buyer.request("POST", "/api/orders").json(&json!({ "paymentIntentId": intent.id }));
        let response = buyer.sends_to_the_dying(request).await?;
        if response.status < 300 {
            acknowledged.lock().unwrap().orders.push(response.json()["orderId"].as_str().unwrap().to_owned());
        }
    }
}

/// Refunds every second acknowledged order, and waits for more at the end.
async fn keep_refunding(client: Client, acknowledged: SharedAcknowledged) -> Option<()> {
    let admin = logs_in(&client, ADMIN).await?;
    let mut done = 0;
    loop {
        let next = acknowledged.lock().unwrap().orders.get(done).cloned();
        let Some(order) = next else {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        done += 2;
        let body = json!({ "status": "refunded", "restock": true });
        let request = admin.request("PATCH", &format!("/api/admin/order/{order}")).json(&body);
        if admin.sends_to_the_dying(request).await?.status == 200 {
            acknowledged.lock().unwrap().refunded.push(order);
        }
    }
}

/// Runs a process of the shop with six buying clients and one administrator, and kills it after a random time.
async fn run_until_killed(shop: &TestShop, stripe: &Stripe, light: &Light, rng: &mut StdRng) -> Acknowledged {
    let folder = Folder::new();
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
    let (client, acknowledged) = (Client::new(&url), SharedAcknowledged::default());
    let stripe = stripe.at(&client);
    let faults = json!({ "webhooks": { "drop_percent": rng.random_range(0..=100) } });
    stripe.misbehaves(&faults).await;
    let mut buyers = Vec::new();
    for _ in 0..6 {
        buyers.push(tokio::spawn(keep_buying(client.clone(), stripe.clone(), light.clone(), acknowledged.clone())));
    }
    let refunds = tokio::spawn(keep_refunding(client, acknowledged.clone()));
    tokio::time::sleep(Duration::from_millis(rng.random_range(100..1_500))).await;
    drop(process);
    for buyer in buyers {
        buyer.await.unwrap();
    }
    // After the last order this task would wait forever: no request of its own fails and ends it.
    refunds.abort();
    if let Err(error) = refunds.await {
        assert!(error.is_cancelled(), "{error}");
    }
    Arc::into_inner(acknowledged).unwrap().into_inner().unwrap()
}

/// Whether an order is refunded in full. None if it does not exist.
async fn is_fully_refunded(shop: &TestShop, order: &str) -> Option<bool> {
    let found: Option<(i64, i64)> = sqlx::query_as("SELECT total, refunded FROM orders WHERE id = $1")
        .bind(order)
        .fetch_optional(shop.inside().platform.db.read())
        .await
        .unwrap();
    found.map(|(total, refunded)| total == refunded)
}

// invariant: crash-recovery
// invariant: at-least-once-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_that_is_killed_loses_nothing_that_it_said_and_doubles_nothing() {
    let server = MailServer::start(Privacy::Never).await;
    let mut shop = TestShop::open_with(&[("SMTP_URL", server.url().as_str())]).await;
    let light = shop.adds_light("Deadly", 100_000).await;
    let mut runs = Runs::of("kill -9 during purchases", 2);
    let mut kills = 0;
    while let Some(mut rng) = runs.next() {
        let stripe = shop.stripe().await;
        shop.close().await;
        let acknowledged = run_until_killed(&shop, &stripe, &light, &mut rng).await;
        kills += 1;
        shop.restart().await;
        let stripe = shop.stripe().await;
        let moment = shop.moment();
        shop.settles(&stripe).await;
        for intent in &acknowledged.paid {
            assert_eq!(shop.payment_outcome(&stripe.intent(intent).await).await, PaymentOutcome::Ordered);
        }
        for order in &acknowledged.orders {
            assert!(is_fully_refunded(&shop, order).await.is_some(), "an acknowledged order is missing");
        }
        for order in &acknowledged.refunded {
            assert_eq!(is_fully_refunded(&shop, order).await, Some(true), "an acknowledged refund is missing");
        }
        shop.agrees_with(&stripe).await;
        // Emails that the killed process was sending are retried when their lease expires.
        shop.clock.advance(outbox::LEASE);
        eventually("all email to be sent", async || {
            let waiting = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL";
            (shop.count(waiting).await == 0).then_some(())
        })
        .await;
        shop.returns_to(&moment);
    }
    let mails = server.received_by(CUSTOMER);
    let texts: BTreeSet<&str> = mails.iter().map(|mail| mail.raw.as_str()).collect();
    let ids: BTreeSet<String> = mails.iter().map(|mail| mail.mail().message_id).collect();
    assert_eq!(texts.len(), ids.len(), "a resent email differs from the original");
    assert!(
        mails.len() <= texts.len() + kills,
        "{} emails, {} of them unique, {kills} kills",
        mails.len(),
        texts.len()
    );
    let written = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NOT NULL";
    assert!(texts.len() >= usize::try_from(shop.count(written).await).unwrap());
}
