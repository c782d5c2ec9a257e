//! Stock reservations: from the quote on, no item can be sold twice.

use serde_json::json;

use crate::harness::{Intent, Person, TestShop, together};

const SECOND: i64 = 1_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_are_refused_with_what_there_is() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let body = buyer.asks_to_pay(&Person::cart(&[(&halo, 5)])).await.refuses(409, "InsufficientStockError");
    assert_eq!(body["error"], "Insufficient stock for Nudgelight Halo. Available: 4, Requested: 5");
    assert_eq!(body["details"], json!({ "product": "Nudgelight Halo", "available": 4, "requested": 5 }));
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quote_holds_its_goods_and_a_cart_that_fails_holds_none() {
    let shop = TestShop::open().await;
    let (buyer, halo, one) =
        (shop.customer().await, shop.light("Nudgelight Halo").await, shop.light("Nudgelight One").await);
    buyer.starts_payment(&[(&one, 3), (&halo, 3)]).await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 1);
    buyer.asks_to_pay(&Person::cart(&[(&one, 1), (&halo, 2)])).await.refuses(409, "InsufficientStockError");
    assert_eq!(shop.light("Nudgelight One").await.available, 117);
    shop.audit().await;
}

// invariant: no-overselling
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_buyers_of_five_lights_buy_exactly_five() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.adds_light("Last Five", 5).await, shop.stripe().await);
    let buyers = shop.new_customers(20).await;
    let responses = together(20, |number| {
        let (buyer, light, stripe) = (buyers[number].clone(), light.clone(), stripe.clone());
        async move {
            let response = buyer.asks_to_pay(&Person::cart(&[(&light, 1)])).await;
            if response.status != 200 {
                response.refuses(409, "InsufficientStockError");
                return None;
            }
            let intent = Intent::of(response.json());
            stripe.takes(&intent, "pm_card_visa").await;
            Some(buyer.asks_for_order(&intent.id).await)
        }
    })
    .await;
    let ordered: Vec<_> = responses.into_iter().flatten().collect();
    assert!(ordered.iter().all(|response| matches!(response.status, 200 | 201)), "{ordered:?}");
    assert_eq!((ordered.len(), shop.count_orders().await), (5, 5));
    let after = shop.light("Last Five").await;
    assert_eq!((after.stock, after.available), (0, 0));
    shop.audit().await;
}

// invariant: reservation-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unpaid_intent_expires_is_cancelled_and_gives_its_goods_back() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&halo, 3)]).await;
    shop.clock.advance(895 * SECOND);
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 1, "not yet");
    shop.clock.advance(5 * SECOND);
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
    assert_eq!(stripe.intent(&intent.id).await["status"], "canceled");
    let refused = stripe.confirms(&intent, "pm_card_visa").await;
    assert_eq!(refused.status, 400, "{refused}");
    let buyer = shop.customer().await;
    buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn looking_after_an_open_payment_does_not_put_off_its_expiry() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    buyer.starts_payment(&[(&halo, 3)]).await;
    shop.clock.advance(899 * SECOND);
    shop.reconciles().await;
    shop.clock.advance(SECOND);
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_long_goods_are_held_is_the_shopkeepers_choice() {
    let shop = TestShop::open_with(&[("SHOP_RESERVATION_SECONDS", "60")]).await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    buyer.starts_payment(&[(&halo, 4)]).await;
    shop.clock.advance(60 * SECOND);
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
}

// invariant: reservation-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_paid_in_the_last_second_gets_an_order_and_not_an_expiry() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    // The payment's webhook event is dropped, so expiry has to ask the provider.
    shop.stripe().await.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &halo, 2).await;
    shop.clock.advance(900 * SECOND);
    shop.expires().await;
    let buyer = shop.customer().await;
    buyer.asks_for_order(&intent.id).await.gives(200);
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight Halo").await.stock), (1, 2));
    shop.audit().await;
}

// invariant: reservation-expiry
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paying_and_expiring_at_once_ends_in_an_order_or_in_nothing() {
    let shop = TestShop::open().await;
    let (light, stripe) = (shop.adds_light("Contested", 100).await, shop.stripe().await);
    let buyer = shop.customer().await;
    for _ in 0..10 {
        let intent = buyer.starts_payment(&[(&light, 1)]).await;
        shop.clock.advance(900 * SECOND - 1);
        let (payment, ()) = tokio::join!(stripe.confirms(&intent, "pm_card_visa"), async {
            shop.clock.advance(1);
            shop.expires().await;
        });
        let buyer = shop.customer().await;
        let response = buyer.asks_for_order(&intent.id).await;
        if payment.status == 200 {
            assert!(matches!(response.status, 200 | 201), "paid: {response}");
        } else {
            response.refuses(409, "IntentExpired");
        }
        shop.clock.advance(-900 * SECOND);
    }
    let after = shop.light("Contested").await;
    assert_eq!((after.stock, after.available), (100 - shop.count_orders().await, 100 - shop.count_orders().await));
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_holds_at_most_twenty_open_intents() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    for _ in 0..20 {
        buyer.starts_payment(&[(&one, 1)]).await;
    }
    let response = buyer.asks_to_pay(&Person::cart(&[(&one, 1)])).await;
    response.refuses(429, "TooManyRequests");
    assert!(response.header("retry-after").is_some());
    shop.admin().await.starts_payment(&[(&one, 1)]).await;
    assert_eq!(shop.light("Nudgelight One").await.available, 120 - 21);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_does_an_account_that_asks_for_all_of_them_at_once() {
    let shop = TestShop::open().await;
    let (buyer, light) = (shop.customer().await, shop.adds_light("Much Wanted", 100).await);
    let responses = together(40, |_| {
        let (buyer, cart) = (buyer.clone(), Person::cart(&[(&light, 1)]));
        async move { buyer.asks_to_pay(&cart).await }
    })
    .await;
    let made = responses.iter().filter(|response| response.status == 200).count();
    assert!(made <= 20, "{made} intents are open");
    for refused in responses.iter().filter(|response| response.status != 200) {
        // Requests that wait too long for the account's lock get 503.
        assert!(matches!(refused.status, 429 | 503), "{refused}");
        refused.refusal();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_longer_sold_cannot_be_quoted() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let path = format!("/api/products/{}", one.id);
    shop.admin().await.patch(&path, &json!({ "active": false })).await.gives(200);
    buyer.asks_to_pay(&Person::cart(&[(&one, 1)])).await.names(&["items"]);
    let mut unknown = Person::cart(&[(&one, 1)]);
    unknown["items"][0]["product_id"] = json!("nothing");
    buyer.asks_to_pay(&unknown).await.names(&["items"]);
}
