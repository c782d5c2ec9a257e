//! Fair share: limits on quotes and reserved stock per account, so that others can buy as well.

use serde_json::json;

use crate::harness::{ApiResponse, Intent, Light, Person, TestShop, montreal, together};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;

async fn limited() -> TestShop {
    TestShop::open_with(&[("SHOP_RATE_LIMITS", "on")]).await
}

/// Requests the same quote again, which returns the open payment intent.
async fn requests_same_quote(buyer: &Person, intent: &Intent, light: &Light) -> ApiResponse {
    let mut cart = Person::cart(&[(light, 1)]);
    cart["replaces"] = json!(intent.id);
    buyer.asks_to_pay(&cart).await
}

/// Replaces the intent. The address alternates, because an unchanged quote would return the same intent.
async fn replaces(buyer: &Person, intent: &Intent, light: &Light, quantity: i64, round: i64) -> ApiResponse {
    let mut cart = Person::cart(&[(light, quantity)]);
    if round % 2 == 0 {
        cart["shippingAddress"] = montreal();
    }
    cart["replaces"] = json!(intent.id);
    buyer.asks_to_pay(&cart).await
}

fn retry_after(response: &ApiResponse) -> i64 {
    response.refuses(429, "TooManyRequests");
    response.header("retry-after").unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_asks_for_thirty_quotes_a_minute() {
    let shop = limited().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    for _ in 1..30 {
        requests_same_quote(&buyer, &intent, &one).await.gives(200);
    }
    assert!(retry_after(&requests_same_quote(&buyer, &intent, &one).await) <= 60);
    shop.clock.advance(MINUTE);
    requests_same_quote(&buyer, &intent, &one).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_asks_for_three_hundred_quotes_a_day() {
    let shop = limited().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    for number in 1..300 {
        if number % 30 == 0 {
            shop.clock.advance(MINUTE);
        }
        requests_same_quote(&buyer, &intent, &one).await.gives(200);
    }
    shop.clock.advance(MINUTE);
    assert!(retry_after(&requests_same_quote(&buyer, &intent, &one).await) > 3_600);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_asks_for_sixty_quotes_a_minute_whatever_its_accounts() {
    let shop = limited().await;
    let one = shop.light("Nudgelight One").await;
    let buyers = shop.new_customers(3).await;
    for buyer in &buyers[..2] {
        let intent = buyer.starts_payment(&[(&one, 1)]).await;
        for _ in 1..30 {
            requests_same_quote(buyer, &intent, &one).await.gives(200);
        }
    }
    assert!(retry_after(&buyers[2].asks_to_pay(&Person::cart(&[(&one, 1)])).await) <= 60);
    shop.clock.advance(MINUTE);
    buyers[2].starts_payment(&[(&one, 1)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chain_of_replacements_holds_goods_for_twice_the_reservation_and_then_others_get_them() {
    let shop = TestShop::open_with(&[("SHOP_RESERVATION_SECONDS", "60")]).await;
    let (hoarder, other) = (shop.customer().await, shop.new_customer("ada@example.com").await);
    let halo = shop.light("Nudgelight Halo").await;
    let began = shop.clock.now_ms();
    let mut intent = hoarder.starts_payment(&[(&halo, 4)]).await;
    for round in 0..5 {
        shop.clock.advance(20 * SECOND);
        let quote = replaces(&hoarder, &intent, &halo, 4, round).await.gives(200);
        let expires_at: jiff::Timestamp = quote["expires_at"].as_str().unwrap().parse().unwrap();
        // The test clock advances in real time as well, hence the tolerance.
        let held = expires_at.as_millisecond() - began;
        assert!(held <= 120 * SECOND + 10 * SECOND, "reserved for {held} ms");
        intent = Intent::of(quote);
        shop.expires().await;
        other.asks_to_pay(&Person::cart(&[(&halo, 1)])).await.refuses(409, "InsufficientStockError");
    }
    shop.clock.advance(20 * SECOND);
    replaces(&hoarder, &intent, &halo, 4, 0).await.refuses(409, "IntentExpired");
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4, "the reserved items are available again");

    // An account that reserved all stock must leave half of it to others for a while, in a new checkout as well.
    for _ in 0..2 {
        let body = replaces(&hoarder, &intent, &halo, 4, 0).await.refuses(409, "InsufficientStockError");
        assert_eq!(body["details"], json!({ "product": "Nudgelight Halo", "available": 2, "requested": 4 }));
    }
    hoarder.starts_payment(&[(&halo, 2)]).await;
    let bought = other.buys(&shop.stripe().await, &halo, 2).await;
    assert!(!bought.is_empty());
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_one_goes_to_somebody_else_when_its_chain_is_over() {
    let shop = TestShop::open_with(&[("SHOP_RESERVATION_SECONDS", "60")]).await;
    let (hoarder, light) = (shop.customer().await, shop.adds_light("The Last One", 1).await);
    let intent = hoarder.starts_payment(&[(&light, 1)]).await;
    shop.clock.advance(50 * SECOND);
    let intent = Intent::of(replaces(&hoarder, &intent, &light, 1, 0).await.gives(200));
    shop.clock.advance(60 * SECOND);
    shop.expires().await;
    // Reserved for less than twice the reservation time, so the account may reserve it again.
    let again = hoarder.starts_payment(&[(&light, 1)]).await;
    assert_ne!(again.id, intent.id);
    shop.clock.advance(60 * SECOND);
    shop.expires().await;
    for _ in 0..3 {
        hoarder.asks_to_pay(&Person::cart(&[(&light, 1)])).await.refuses(409, "InsufficientStockError");
    }
    let other = shop.new_customer("ada@example.com").await;
    let intent = other.starts_payment(&[(&light, 1)]).await;
    shop.clock.advance(60 * SECOND);
    shop.expires().await;
    assert_eq!(shop.stripe().await.intent(&intent.id).await["status"], "canceled");
    // The other account did not buy, and the pause is over, so the first account may reserve the item again.
    let hoarder = shop.customer().await;
    hoarder.starts_payment(&[(&light, 1)]).await;
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_open_checkout_takes_what_there_is_and_the_others_together_half_of_what_is_left() {
    let shop = TestShop::open().await;
    let (buyer, light) = (shop.customer().await, shop.adds_light("Shared", 11).await);
    buyer.starts_payment(&[(&light, 2)]).await;
    buyer.starts_payment(&[(&light, 3)]).await;
    let body = buyer.asks_to_pay(&Person::cart(&[(&light, 2)])).await.refuses(409, "InsufficientStockError");
    assert_eq!(body["details"], json!({ "product": "Shared", "available": 1, "requested": 2 }));
    buyer.starts_payment(&[(&light, 1)]).await;
    let body = buyer.asks_to_pay(&Person::cart(&[(&light, 1)])).await.refuses(409, "InsufficientStockError");
    assert_eq!(body["details"]["available"], json!(0));
    let other = shop.new_customer("ada@example.com").await;
    other.starts_payment(&[(&light, 5)]).await;
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_checkout_for_something_else_counts_as_the_first() {
    let shop = TestShop::open().await;
    let (buyer, halo, one) =
        (shop.customer().await, shop.light("Nudgelight Halo").await, shop.light("Nudgelight One").await);
    buyer.starts_payment(&[(&one, 1)]).await;
    buyer.asks_to_pay(&Person::cart(&[(&halo, 3)])).await.refuses(409, "InsufficientStockError");
    buyer.starts_payment(&[(&halo, 2)]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_do_the_others_take_more_than_half_when_all_are_asked_for_at_once() {
    let shop = TestShop::open().await;
    let (buyer, light) = (shop.customer().await, shop.adds_light("Much Wanted", 13).await);
    buyer.starts_payment(&[(&light, 1)]).await;
    let responses = together(12, |_| {
        let (buyer, cart) = (buyer.clone(), Person::cart(&[(&light, 1)]));
        async move { buyer.asks_to_pay(&cart).await }
    })
    .await;
    let made = responses.iter().filter(|response| response.status == 200).count();
    assert!((1..=6).contains(&made), "{made} of 12 that are left");
    for refused in responses.iter().filter(|response| response.status != 200) {
        assert!(matches!(refused.status, 409 | 503), "{refused}");
    }
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_correction_of_the_first_checkout_stays_the_first_whatever_else_is_open() {
    let shop = TestShop::open().await;
    let (buyer, scarce) = (shop.customer().await, shop.adds_light("Four Of These", 4).await);
    let first = buyer.starts_payment(&[(&scarce, 3)]).await;
    let one = shop.light("Nudgelight One").await;
    buyer.starts_payment(&[(&one, 1)]).await;
    replaces(&buyer, &first, &scarce, 3, 0).await.gives(200);
    assert_eq!(shop.light(&scarce.name).await.available, 1);
}
