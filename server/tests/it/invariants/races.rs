//! Race conditions: concurrent requests for the same product, payment or order.

use std::collections::BTreeSet;

use rand::RngExt as _;
use serde_json::json;

use super::invariant::{PaymentOutcome, assert_status_in};
use super::run::Runs;
use crate::harness::{Intent, Light, Person, Stripe, TestShop, event, montreal, product, signature, together};

/// Adds a product with an existing session. `adds_light` would log in for each one.
async fn new_light(admin: &Person, number: usize, stock: i64) -> Light {
    admin.adds(product().name(format!("Contested {number}")).price(10.00).stock(stock)).await
}

/// A complete purchase. None if the quote is rejected.
async fn tries_to_buy(buyer: Person, stripe: Stripe, light: Light, quantity: i64) -> Option<i64> {
    let response = buyer.asks_to_pay(&Person::cart(&[(&light, quantity)])).await;
    if response.status != 200 {
        response.refuses(409, "InsufficientStockError");
        return None;
    }
    let intent = Intent::of(response.json());
    stripe.takes(&intent, "pm_card_visa").await;
    assert_status_in(&buyer.asks_for_order(&intent.id).await, &[200, 201]);
    Some(quantity)
}

// invariant: no-overselling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_buyers_of_the_last_lights_exactly_so_many_get_one() {
    let shop = TestShop::open().await;
    let (admin, stripe) = (shop.admin().await, shop.stripe().await);
    // One account per customer: the second open checkout of an account may reserve only half of what is left.
    let buyers = shop.new_customers(60).await;
    let mut runs = Runs::of("concurrent purchases of the last items", 3);
    while let Some(mut rng) = runs.next() {
        let stock = rng.random_range(1..=10);
        let light = new_light(&admin, runs.number(), stock).await;
        let wishes: Vec<i64> = (0..rng.random_range(10..=60)).map(|_| rng.random_range(1..=3)).collect();
        let bought = together(wishes.len(), |number| {
            tries_to_buy(buyers[number].clone(), stripe.clone(), light.clone(), wishes[number])
        })
        .await;
        let sold: i64 = bought.iter().flatten().sum();
        let after = shop.light(&light.name).await;
        assert_eq!((after.stock, after.available), (stock - sold, stock - sold), "{wishes:?}");
        // A rejected quantity must exceed the final stock.
        let refused = bought.iter().zip(&wishes).filter(|(bought, _)| bought.is_none());
        assert!(refused.clone().all(|(_, wish)| *wish > after.available), "{wishes:?} {bought:?}");
        shop.audit().await;
    }
}

// invariant: exactly-once-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browser_webhook_and_reconciler_at_once_make_one_order() {
    let shop = TestShop::open().await;
    let (admin, stripe) = (shop.admin().await, shop.stripe().await);
    let buyer = shop.customer().await;
    stripe.drops_webhooks().await;
    let mut runs = Runs::of("concurrent finalize by browser, webhook and reconciler", 3);
    while let Some(mut rng) = runs.next() {
        let light = new_light(&admin, runs.number(), 50).await;
        let quantity = rng.random_range(1..=3);
        let intent = shop.paid_but_gone(&buyer, &light, quantity).await;
        let object = stripe.intent(&intent.id).await;
        let browsers = rng.random_range(1..=30);
        let posts = rng.random_range(1..=30);
        // The reconciler ignores checkouts younger than ten seconds.
        shop.clock.advance(11_000);
        let asks = together(browsers + posts, |number| {
            let (buyer, id, visitor) = (buyer.clone(), intent.id.clone(), shop.visitor());
            let body = event(&format!("evt_{}_{}", runs.seed(), number % 7), "payment_intent.succeeded", &object);
            let header = signature(shop.webhook_secret(), shop.now_seconds(), &body);
            async move {
                if number < browsers {
                    return Some(buyer.asks_for_order(&id).await);
                }
                let post = visitor.request("POST", "/api/webhooks/stripe").header("stripe-signature", header);
                visitor.send(post.body(body)).await.gives(200);
                None
            }
        });
        let (responses, ()) = tokio::join!(asks, shop.reconciles());
        let responses: Vec<_> = responses.into_iter().flatten().collect();
        let orders: BTreeSet<String> =
            responses.iter().map(|response| response.json()["orderId"].to_string()).collect();
        assert!(responses.iter().all(|response| matches!(response.status, 200 | 201)), "{responses:?}");
        assert!(responses.iter().filter(|response| response.status == 201).count() <= 1, "{responses:?}");
        assert_eq!((orders.len(), shop.count_sales(&light).await), (1, 1));
        assert_eq!(shop.light(&light.name).await.stock, 50 - quantity);
        shop.clock.advance(-11_000);
        shop.audit().await;
    }
    let receipts = "SELECT COUNT(*) FROM outbox WHERE kind = 'receipt'";
    assert_eq!(shop.count(receipts).await, shop.count_orders().await);
}

// invariant: exactly-once-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkout_that_is_sent_twice_holds_and_buys_its_goods_once() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let mut runs = Runs::of("checkout changes during payment", 4);
    while let Some(mut rng) = runs.next() {
        let (admin, buyer) = (shop.admin().await, shop.customer().await);
        let light = new_light(&admin, runs.number(), 20).await;
        let first = buyer.starts_payment(&[(&light, 2)]).await;
        let changes = rng.random_range(1..=4);
        let pays = rng.random_bool(0.7);
        let replaced = together(changes + 1, |number| {
            let (buyer, stripe, first, light) = (buyer.clone(), stripe.clone(), first.clone(), light.clone());
            async move {
                if number == changes {
                    return if pays { Some(stripe.confirms(&first, "pm_card_visa").await) } else { None };
                }
                let mut cart = Person::cart(&[(&light, 2 + i64::try_from(number % 2).unwrap())]);
                cart["replaces"] = json!(first.id);
                if number % 3 == 2 {
                    cart["shippingAddress"] = montreal();
                }
                assert_status_in(&buyer.asks_to_pay(&cart).await, &[200, 409]);
                None
            }
        })
        .await;
        let paid = replaced.into_iter().flatten().any(|response| response.status == 200);
        shop.settles(&stripe).await;
        let outcomes = shop.agrees_with(&stripe).await;
        assert_eq!(shop.count_sales(&light).await, i64::from(paid), "{outcomes:?}");
        assert!(!outcomes.contains(&PaymentOutcome::Refunded), "refunded although in stock: {outcomes:?}");
        // Open checkouts expire and release their stock.
        shop.clock.advance(900_000);
        shop.expires().await;
        let after = shop.light(&light.name).await;
        assert_eq!((after.stock, after.available), if paid { (18, 18) } else { (20, 20) });
        shop.audit().await;
    }
}

// invariant: reservation-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_pays_while_the_time_runs_out_has_an_order_or_has_paid_nothing() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Contested", 100_000).await;
    let mut runs = Runs::of("payments at reservation expiry", 4);
    while let Some(mut rng) = runs.next() {
        let buyer = shop.customer().await;
        let before = shop.light("Contested").await.available;
        let quantity = rng.random_range(1..=5);
        let intent = buyer.starts_payment(&[(&light, quantity)]).await;
        shop.clock.advance(900_000);
        let buyer = shop.customer().await;
        let later = std::time::Duration::from_micros(rng.random_range(0..8_000));
        let (payment, (), ()) = tokio::join!(
            stripe.confirms(&intent, "pm_card_visa"),
            async {
                tokio::time::sleep(later).await;
                shop.expires().await;
            },
            shop.reconciles(),
        );
        let response = buyer.asks_for_order(&intent.id).await;
        if payment.status == 200 {
            assert_status_in(&response, &[200, 201]);
        } else {
            response.refuses(409, "IntentExpired");
        }
        let sold = if payment.status == 200 { quantity } else { 0 };
        assert_eq!(shop.light("Contested").await.available, before - sold);
        shop.audit().await;
        shop.clock.advance(-900_000);
    }
}

// invariant: lost-updates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_by_two_administrators_and_sales_at_once_all_stay() {
    let shop = TestShop::open().await;
    let (admin, buyer, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
    let mut runs = Runs::of("stock edits during sales", 3);
    while let Some(mut rng) = runs.next() {
        let light = new_light(&admin, runs.number(), 200).await;
        let path = format!("/api/products/{}/stock", light.id);
        let counts: Vec<Option<i64>> =
            (0..rng.random_range(5..=15)).map(|_| rng.random_bool(0.6).then(|| rng.random_range(-3..=9))).collect();
        let changes = together(counts.len(), |number| {
            let (admin, path, count) = (admin.clone(), path.clone(), counts[number]);
            let (buyer, stripe, light) = (buyer.clone(), stripe.clone(), light.clone());
            async move {
                let Some(change) = count else {
                    return -tries_to_buy(buyer, stripe, light, 2).await.unwrap();
                };
                // `was` may be outdated; only the difference is applied.
                let body = json!({ "stock": 200 + change, "was": 200 });
                admin.patch(&path, &body).await.gives(200);
                change
            }
        })
        .await;
        assert_eq!(shop.light(&light.name).await.stock, 200 + changes.iter().sum::<i64>(), "{counts:?}");
        shop.audit().await;
    }
}
