//! Other payment providers: `STRIPE_API_BASE` may point to a minimal implementation of Stripe's API.

use serde_json::{Value, json};

use crate::harness::{BareStripe, Intent, Person, TestShop, eventually};

async fn shop_and_intent() -> (BareStripe, TestShop, Person, Intent) {
    let stripe = BareStripe::open().await;
    let shop = stripe.opens_shop().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 2)]).await;
    (stripe, shop, buyer, intent)
}

/// An event with only the fields that identify its payment.
fn bare_event(kind: &str, object: &Value) -> String {
    json!({ "id": format!("evt_{kind}"), "type": kind, "data": { "object": object } }).to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_light_is_bought_and_refunded_with_the_barest_of_answers() {
    let (stripe, shop, buyer, intent) = shop_and_intent().await;
    buyer.asks_for_order(&intent.id).await.refuses(402, "PaymentNotCompleted");
    stripe.takes(&intent.id);
    let order = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    let path = format!("/api/admin/order/{order}");
    let admin = shop.admin().await;
    assert_eq!(admin.get(&path).await.gives(200)["payment"]["status"], "paid");

    let refunded = admin.patch(&path, &json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(refunded["payment"], json!({ "status": "refunded", "refunded": 59.8, "dispute": "none" }));
    admin.patch(&path, &json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(stripe.refunds(), [(intent.id.clone(), 5980)]);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bare_events_make_an_order_and_tell_of_refunds() {
    let (stripe, shop, buyer, intent) = shop_and_intent().await;
    stripe.takes(&intent.id);
    shop.receives(&bare_event("payment_intent.succeeded", &json!({ "id": intent.id }))).await.gives(200);
    let payment = async |status: &str| {
        eventually(&format!("an order that is {status}"), async || {
            let orders = buyer.get("/api/user/orders").await.gives(200);
            let id = orders["orders"].get(0)?["id"].as_str()?.to_owned();
            let order = buyer.get(&format!("/api/orders/{id}")).await.gives(200);
            (order["payment"]["status"] == status).then(|| order["payment"]["refunded"].clone())
        })
        .await
    };
    payment("paid").await;
    let charge = json!({ "payment_intent": intent.id, "amount_refunded": 500 });
    shop.receives(&bare_event("charge.refunded", &charge)).await.gives(200);
    assert_eq!(payment("partially_refunded").await, json!(5.0));

    // A refund by an administrator covers the remaining amount.
    let order = shop.texts("SELECT id FROM orders").await.remove(0);
    let path = format!("/api/admin/order/{order}");
    shop.admin().await.patch(&path, &json!({ "status": "refunded" })).await.gives(200);
    assert_eq!(stripe.refunds(), [(intent.id.clone(), 5480)]);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disputes_follow_the_events_where_the_provider_cannot_be_asked_and_late_events_take_nothing_back() {
    let (stripe, shop, buyer, intent) = shop_and_intent().await;
    stripe.takes(&intent.id);
    let order = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    let mut number = 0;
    let mut hears = async |kind: &str, object: &Value| {
        number += 1;
        let body = json!({ "id": format!("evt_{number}"), "type": kind, "data": { "object": object } }).to_string();
        shop.receives(&body).await.gives(200);
        eventually("the event to be applied", async || {
            (shop.count("SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL").await == 0).then_some(())
        })
        .await;
        let payment = buyer.get(&format!("/api/orders/{order}")).await.gives(200)["payment"].clone();
        let word = |name: &str| payment[name].as_str().unwrap().to_owned();
        (word("dispute"), word("status"))
    };
    let is = |dispute: &str, status: &str| (dispute.to_owned(), status.to_owned());
    let dispute = |status: &str| json!({ "id": "dp_1", "payment_intent": intent.id, "status": status });
    let created = "charge.dispute.created";
    assert_eq!(hears(created, &dispute("warning_needs_response")).await, is("warning", "paid"));
    assert_eq!(hears("charge.dispute.closed", &dispute("warning_closed")).await, is("none", "paid"));
    assert_eq!(hears(created, &dispute("needs_response")).await, is("open", "disputed"));
    assert_eq!(hears("charge.dispute.updated", &dispute("warning_under_review")).await, is("open", "disputed"));
    let charge = json!({ "payment_intent": intent.id, "amount_refunded": 500 });
    assert_eq!(hears("charge.refunded", &charge).await, is("open", "disputed"));
    assert_eq!(hears("charge.dispute.closed", &dispute("won")).await, is("won", "partially_refunded"));
    assert_eq!(hears(created, &dispute("needs_response")).await, is("won", "partially_refunded"));
    assert_eq!(hears("charge.dispute.closed", &dispute("lost")).await, is("lost", "disputed"));
    let another = json!({ "id": "dp_2", "payment_intent": intent.id });
    assert_eq!(hears(created, &another).await, is("open", "disputed"), "a dispute without a status is open");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkout_that_is_replaced_or_runs_out_is_cancelled_there() {
    let (stripe, shop, buyer, intent) = shop_and_intent().await;
    let one = shop.light("Nudgelight One").await;
    let mut cart = Person::cart(&[(&one, 1)]);
    cart["replaces"] = json!(intent.id);
    let next = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    assert_eq!(stripe.status(&intent.id), "canceled");
    shop.clock.advance(900_000);
    shop.expires().await;
    assert_eq!(stripe.status(&next.id), "canceled");
    assert_eq!(shop.light("Nudgelight One").await.available, 120);

    let paid = shop.customer().await.starts_payment(&[(&one, 1)]).await;
    stripe.takes(&paid.id);
    shop.clock.advance(900_000);
    shop.expires().await;
    assert_eq!(shop.count_orders().await, 1, "the provider reports that it is too late to cancel");
    shop.audit().await;
}

// invariant: payment-mismatch
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_it_does_say_must_be_right() {
    let wrong = [
        json!({ "amount": 1 }),
        json!({ "amount_received": 1 }),
        json!({ "currency": "cad" }),
        json!({ "livemode": true }),
        json!({ "metadata": { "checkout_id": "another" } }),
        json!({ "latest_charge": { "amount_refunded": 1 } }),
    ];
    let stripe = BareStripe::open().await;
    let shop = stripe.opens_shop().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    for members in &wrong {
        let intent = buyer.starts_payment(&[(&one, 2)]).await;
        stripe.takes(&intent.id);
        stripe.shows(&intent.id, members);
        buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    }
    assert_eq!((shop.count_orders().await, stripe.refunds().len()), (0, wrong.len()));

    let right = json!({ "amount_received": 5980, "currency": "USD", "livemode": false, "metadata": {} });
    let intent = buyer.starts_payment(&[(&one, 2)]).await;
    stripe.takes(&intent.id);
    stripe.shows(&intent.id, &right);
    buyer.asks_for_order(&intent.id).await.gives(201);
    shop.audit().await;
}

// invariant: no-network-in-transactions
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_transaction_is_open_while_the_provider_is_asked() {
    let (stripe, shop, buyer, paid) = shop_and_intent().await;
    let one = shop.light("Nudgelight One").await;
    stripe.writes_before_it_answers(&shop);
    stripe.takes(&paid.id);
    let order = buyer.asks_for_order(&paid.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    let path = format!("/api/admin/order/{order}");
    shop.admin().await.patch(&path, &json!({ "status": "refunded", "restock": true })).await.gives(200);

    let first = buyer.starts_payment(&[(&one, 1)]).await;
    let mut cart = Person::cart(&[(&one, 2)]);
    cart["replaces"] = json!(first.id);
    let second = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    shop.clock.advance(900_000);
    shop.reconciles().await;
    shop.expires().await;
    assert_eq!((stripe.status(&first.id), stripe.status(&second.id)), ("canceled".to_owned(), "canceled".to_owned()));
    assert!(stripe.count_writes() >= 7, "{}", stripe.count_writes());
    shop.audit().await;
}
