//! Replaced checkouts: returning to the address step does not reserve the items twice.

use serde_json::{Value, json};

use crate::harness::{ApiResponse, Intent, Light, Person, TestShop, eventually, montreal};

async fn replaces(
    buyer: &Person,
    old: &Intent,
    change: impl FnOnce(&mut Value),
    lines: &[(&Light, i64)],
) -> ApiResponse {
    let mut cart = Person::cart(lines);
    cart["replaces"] = json!(old.id);
    change(&mut cart);
    buyer.asks_to_pay(&cart).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unchanged_checkout_gets_the_same_intent_again() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let first = buyer.starts_payment(&[(&halo, 3)]).await;
    let again = replaces(&buyer, &first, |_| {}, &[(&halo, 3)]).await.gives(200);
    assert_eq!(again, first.quote);
    assert_eq!(shop.light("Nudgelight Halo").await.available, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_checkout_uses_the_goods_of_the_one_it_replaces() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let first = buyer.starts_payment(&[(&halo, 3)]).await;
    let second = Intent::of(replaces(&buyer, &first, |_| {}, &[(&halo, 4)]).await.gives(200));
    assert_ne!(second.id, first.id);
    assert_eq!(shop.light("Nudgelight Halo").await.available, 0);
    assert_eq!(stripe.intent(&first.id).await["status"], "canceled");
    buyer.asks_for_order(&first.id).await.refuses(409, "IntentExpired");
    stripe.takes(&second, "pm_card_visa").await;
    let response = buyer.asks_for_order(&second.id).await;
    assert!(matches!(response.status, 200 | 201), "{response}");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_intent_that_is_replaced_twice_at_once_has_one_successor() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let first = buyer.starts_payment(&[(&halo, 1)]).await;
    let lines = [(&halo, 2)];
    let (one, other) = tokio::join!(
        replaces(&buyer, &first, |_| {}, &lines),
        replaces(&buyer, &first, |cart| cart["shippingAddress"] = montreal(), &lines),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    // The later request is rejected, or it arrives after the first one finished and replaces nothing.
    assert!(matches!(statuses, [200, 200 | 409]), "{one} {other}");
    let successors = statuses.iter().filter(|status| **status == 200).count();
    let held = 4 - shop.light("Nudgelight Halo").await.available;
    assert_eq!(held, 2 * i64::try_from(successors).unwrap());
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_address_is_another_intent() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let first = buyer.starts_payment(&[(&halo, 1)]).await;
    let moved = replaces(&buyer, &first, |cart| cart["shippingAddress"] = montreal(), &[(&halo, 1)]).await;
    assert_ne!(moved.gives(200)["paymentIntent"]["id"], json!(first.id));
    assert_eq!(shop.light("Nudgelight Halo").await.available, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_price_that_has_moved_is_another_intent() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let first = buyer.starts_payment(&[(&halo, 1)]).await;
    let path = format!("/api/products/{}", halo.id);
    shop.admin().await.patch(&path, &json!({ "price": 44.00 })).await.gives(200);
    let second = replaces(&buyer, &first, |_| {}, &[(&halo, 1)]).await.gives(200);
    assert_ne!(second["paymentIntent"]["id"], json!(first.id));
    assert_eq!(second["subtotal"], json!(44.00));
    shop.audit().await;
}

// invariant: price-tampering
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_replaces_an_intent_of_somebody_else() {
    let shop = TestShop::open().await;
    let (buyer, eve) = (shop.customer().await, shop.new_customer("eve@example.com").await);
    let (halo, stripe) = (shop.light("Nudgelight Halo").await, shop.stripe().await);
    let first = buyer.starts_payment(&[(&halo, 3)]).await;
    let taken = replaces(&eve, &first, |_| {}, &[(&halo, 3)]).await;
    taken.refuses(409, "InsufficientStockError");
    let second = replaces(&eve, &first, |_| {}, &[(&halo, 1)]).await.gives(200);
    assert_ne!(second["paymentIntent"]["id"], json!(first.id));
    assert_ne!(stripe.intent(&first.id).await["status"], "canceled");
    assert_eq!(shop.light("Nudgelight Halo").await.available, 0);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paid_intent_is_not_replaced_but_becomes_its_order() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let paid = shop.paid_but_gone(&buyer, &halo, 1).await;
    let response = replaces(&buyer, &paid, |_| {}, &[(&halo, 2)]).await;
    let body = response.refuses(409, "IntentExpired");
    let order_id = buyer.asks_for_order(&paid.id).await.gives(200)["orderId"].clone();
    assert_eq!(body["details"]["orderId"], order_id);
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight Halo").await.available), (1, 3));
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replacement_that_fails_holds_nothing_back() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let first = buyer.starts_payment(&[(&halo, 3)]).await;
    let response = replaces(&buyer, &first, |_| {}, &[(&halo, 5)]).await;
    let body = response.refuses(409, "InsufficientStockError");
    assert_eq!(body["details"]["available"], json!(4), "items reserved by the old intent count as available");
    shop.audit().await;
}

/// The id of the order that the response of a rejected replacement names.
fn placed_order(response: &ApiResponse) -> String {
    let body = response.refuses(409, "IntentExpired");
    body["details"]["orderId"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
}

// invariant: exactly-once-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_intent_that_became_an_order_is_never_replaced_whoever_was_first_and_whatever_became_of_the_order() {
    let shop = TestShop::open().await;
    let (buyer, halo, admin) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.admin().await);
    for number in 1..=3 {
        let paid = shop.paid_but_gone(&buyer, &halo, 1).await;
        let order_id = match number {
            1 => buyer.asks_for_order(&paid.id).await.json()["orderId"].as_str().unwrap().to_owned(),
            _ => {
                eventually("the webhook's order", async || (shop.count_orders().await == number).then_some(())).await;
                shop.texts("SELECT id FROM orders ORDER BY number DESC LIMIT 1").await.remove(0)
            }
        };
        let path = format!("/api/admin/order/{order_id}");
        for status in ["pending", "shipped", "delivered", "refunded"] {
            admin.patch(&path, &json!({ "status": status })).await.gives(200);
            for quantity in [1, 2] {
                let response = replaces(&buyer, &paid, |_| {}, &[(&halo, quantity)]).await;
                assert_eq!(placed_order(&response), order_id, "{status}");
            }
        }
    }
    assert_eq!(shop.count("SELECT COUNT(*) FROM checkouts").await, 3, "no further checkout");
    let stranger = shop.new_customer("eve@example.com").await;
    let intent = shop.texts("SELECT payment_intent_id FROM orders LIMIT 1").await.remove(0);
    let mut cart = Person::cart(&[(&halo, 1)]);
    cart["replaces"] = json!(intent);
    stranger.asks_to_pay(&cart).await.gives(200);
    shop.audit().await;
}

// invariant: exactly-once-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unchanged_checkout_that_is_paid_becomes_its_order_instead_of_being_paid_again() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let paid = shop.paid_but_gone(&buyer, &halo, 1).await;
    let order_id = placed_order(&replaces(&buyer, &paid, |_| {}, &[(&halo, 1)]).await);
    assert_eq!(buyer.asks_for_order(&paid.id).await.gives(200)["orderId"], json!(order_id));
    shop.audit().await;
}
