//! The process is killed in the middle of everything, and started again.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::RngExt as _;
use rand::rngs::StdRng;
use serde_json::json;
use server::mail::outbox;

use super::invariant::End;
use super::run::Runs;
use crate::configuration::serve;
use crate::harness::{
    ADMIN, CUSTOMER, Client, Folder, Intent, Light, MailServer, PASSWORD, Person, Privacy, Stripe, TestShop, eventually,
};

/// What people were told before the shop died.
#[derive(Default)]
struct Told {
    paid: Vec<String>,
    orders: Vec<String>,
    refunded: Vec<String>,
}

type Memory = Arc<Mutex<Told>>;

async fn logs_in(client: &Client, email: &str) -> Option<Person> {
    let body = json!({ "username": email, "password": PASSWORD, "recaptchaToken": "" });
    let answer = client.sends_to_the_dying(client.request("POST", "/api/auth/login").json(&body)).await?;
    Some(Person::of(client, &answer.gives(200)))
}

/// Buys until the shop answers no more.
async fn buys_on(client: Client, stripe: Stripe, light: Light, told: Memory) -> Option<()> {
    let buyer = logs_in(&client, CUSTOMER).await?;
    loop {
        let request = buyer.request("POST", "/api/payments/create-intent").json(&Person::cart(&[(&light, 1)]));
        let answer = buyer.sends_to_the_dying(request).await?;
        if answer.status != 200 {
            // So many at once that some are told to come back.
            answer.refusal();
            continue;
        }
        let intent = Intent::of(answer.json());
        if !stripe.took(&intent, "pm_card_visa").await {
            return None;
        }
        told.lock().unwrap().paid.push(intent.id.clone());
        let request = buyer.request("POST", "/api/orders").json(&json!({ "paymentIntentId": intent.id }));
        let answer = buyer.sends_to_the_dying(request).await?;
        if answer.status < 300 {
            told.lock().unwrap().orders.push(answer.json()["orderId"].as_str().unwrap().to_owned());
        }
    }
}

/// Refunds every second order that somebody was told of.
async fn refunds_on(client: Client, told: Memory) -> Option<()> {
    let admin = logs_in(&client, ADMIN).await?;
    let mut done = 0;
    loop {
        let next = told.lock().unwrap().orders.get(done).cloned();
        let Some(order) = next else {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        done += 2;
        let body = json!({ "status": "refunded", "restock": true });
        let request = admin.request("PATCH", &format!("/api/admin/order/{order}")).json(&body);
        if admin.sends_to_the_dying(request).await?.status == 200 {
            told.lock().unwrap().refunded.push(order);
        }
    }
}

/// A process of the shop among many who buy and one who refunds, killed after a while. How long is chance's.
async fn lives_and_dies(shop: &TestShop, stripe: &Stripe, light: &Light, chance: &mut StdRng) -> Told {
    let folder = Folder::new();
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
    let (client, told) = (Client::new(&url), Memory::default());
    let stripe = stripe.at(&client);
    let unruly = json!({ "webhooks": { "drop_percent": chance.random_range(0..=100) } });
    stripe.misbehaves(&unruly).await;
    let mut tasks = Vec::new();
    for _ in 0..6 {
        tasks.push(tokio::spawn(buys_on(client.clone(), stripe.clone(), light.clone(), told.clone())));
    }
    tasks.push(tokio::spawn(refunds_on(client, told.clone())));
    tokio::time::sleep(Duration::from_millis(chance.random_range(100..1_500))).await;
    drop(process);
    for task in tasks {
        task.await.unwrap();
    }
    Arc::into_inner(told).unwrap().into_inner().unwrap()
}

/// Whether all of an order's money went back, if there is such an order.
async fn refunded_of(shop: &TestShop, order: &str) -> Option<bool> {
    let found: Option<(i64, i64)> = sqlx::query_as("SELECT total, refunded FROM orders WHERE id = $1")
        .bind(order)
        .fetch_optional(shop.inside().db.read())
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
    while let Some(mut chance) = runs.next() {
        let stripe = shop.stripe().await;
        shop.close().await;
        let told = lives_and_dies(&shop, &stripe, &light, &mut chance).await;
        kills += 1;
        shop.restart().await;
        let stripe = shop.stripe().await;
        let moment = shop.moment();
        shop.settles(&stripe).await;
        for intent in &told.paid {
            assert_eq!(shop.end_of(&stripe.intent(intent).await).await, End::Ordered);
        }
        for order in &told.orders {
            assert!(refunded_of(&shop, order).await.is_some(), "an order that somebody was told of is gone");
        }
        for order in &told.refunded {
            assert_eq!(refunded_of(&shop, order).await, Some(true), "a refund that somebody was told of is gone");
        }
        shop.agrees_with(&stripe).await;
        // What the dead one had in hand is taken up once nobody can be sending it any more.
        shop.clock.advance(outbox::LEASE);
        eventually("all mail", async || {
            let waiting = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL AND failed_at IS NULL";
            (shop.count(waiting).await == 0).then_some(())
        })
        .await;
        shop.returns_to(&moment);
    }
    let mails = server.received_by(CUSTOMER);
    let texts: BTreeSet<&str> = mails.iter().map(|mail| mail.raw.as_str()).collect();
    let ids: BTreeSet<String> = mails.iter().map(|mail| mail.mail().message_id).collect();
    assert_eq!(texts.len(), ids.len(), "a mail that comes again is the same, byte for byte");
    assert!(mails.len() <= texts.len() + kills, "{} mails, {} of them new, {kills} kills", mails.len(), texts.len());
    let written = "SELECT COUNT(*) FROM outbox WHERE sent_at IS NOT NULL";
    assert!(texts.len() >= usize::try_from(shop.count(written).await).unwrap());
}
