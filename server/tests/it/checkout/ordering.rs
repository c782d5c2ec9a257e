//! Idempotency: one order per payment, for any number of concurrent requests and webhook events.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::harness::{CUSTOMER, Intent, TestShop, event, eventually, product, together};

// spec: id, order_date, status, name (recipient), address (shipping), billing_address, tracking_number, subtotal, shipping_cost, tax, total
// spec: orderId
// spec: GET /api/orders/{id} (auth) | none | order
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_light_is_bought_the_whole_way_and_sent() {
    let shop = TestShop::open_with(&[("SHOP_BOT_CHECK", "pow"), ("SHOP_RATE_LIMITS", "on")]).await;
    let ada = shop.new_customer("ada@example.com").await;
    let (light, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = ada.starts_payment(&[(&light, 2)]).await;
    assert_eq!(intent.quote["total"], json!(59.80));
    stripe.takes(&intent, "pm_card_visa").await;
    let order_id = ada.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();

    let order = ada.get(&format!("/api/orders/{order_id}")).await.gives(200);
    let expected = [
        ("number", json!(1001)),
        ("status", json!("pending")),
        ("name", json!("Ada Lovelace")),
        ("subtotal", json!(49.98)),
        ("shipping_cost", json!(6.20)),
        ("tax", json!(3.62)),
        ("total", json!(59.80)),
        ("tracking_number", Value::Null),
        (
            "items",
            json!([{ "product_id": light.id, "product_name": "Nudgelight One", "quantity": 2, "price": 24.99,
                     "warranty_months": 12 }]),
        ),
    ];
    for (member, value) in expected {
        assert_eq!(order[member], value, "{member}");
    }
    let receipt = shop.mail_to("ada@example.com", "order 1001").await;
    assert!(receipt.text.contains("$59.80") && receipt.html.contains("$59.80"), "{}", receipt.text);

    let admin = shop.admin().await;
    let path = format!("/api/admin/order/{order_id}");
    let body = json!({ "status": "shipped", "tracking_number": "1Z999AA10123456784" });
    assert_eq!(admin.patch(&path, &body).await.gives(200)["status"], "shipped");
    let sent = shop.mail_to("ada@example.com", "has shipped").await;
    assert!(sent.text.contains("1Z999AA10123456784"), "{}", sent.text);
    assert_eq!(ada.get(&format!("/api/orders/{order_id}")).await.gives(200)["status"], "shipped");

    let nova_id = admin.adds(product().name("Nudgelight Nova").stock(3)).await.id;
    let stock = admin.patch(&format!("/api/products/{nova_id}/stock"), &json!({ "stock": 15, "was": 3 })).await;
    assert_eq!(stock.gives(200)["stock"], json!(15));
    assert_eq!(shop.light("Nudgelight One").await.stock, 118);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_call_that_makes_the_order_is_told_so_and_every_later_one_gets_the_same_order() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 1).await;
    let made = buyer.asks_for_order(&intent.id).await.gives(201);
    assert_eq!(buyer.asks_for_order(&intent.id).await.gives(200), made);
    assert_eq!(buyer.asks_for_order(&format!(" {} ", intent.id)).await.gives(200), made);
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await), (1, 1));
    shop.audit().await;
}

// invariant: exactly-once-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_calls_and_the_webhook_at_once_make_one_order_one_sale_and_one_receipt() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 3).await;
    let object = stripe.intent(&intent.id).await;
    let responses = together(60, |number| {
        let (buyer, id, visitor) = (buyer.clone(), intent.id.clone(), shop.visitor());
        let body = event(&format!("evt_{}", number % 5), "payment_intent.succeeded", &object);
        let signed = crate::harness::signature(shop.webhook_secret(), shop.now_seconds(), &body);
        async move {
            if number >= 50 {
                let post = visitor.request("POST", "/api/webhooks/stripe").header("stripe-signature", signed);
                visitor.send(post.body(body)).await.gives(200);
                return None;
            }
            Some(buyer.asks_for_order(&id).await)
        }
    })
    .await;
    let responses: Vec<_> = responses.into_iter().flatten().collect();
    let ids: BTreeSet<String> = responses.iter().map(|response| response.json()["orderId"].to_string()).collect();
    let made = responses.iter().filter(|response| response.status == 201).count();
    assert!(responses.iter().all(|response| matches!(response.status, 200 | 201)), "{responses:?}");
    assert!(ids.len() == 1 && made <= 1, "{ids:?}, made {made} times");
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await), (1, 1));
    assert_eq!(shop.light("Nudgelight One").await.stock, 117);
    shop.mail_to(CUSTOMER, "order 1001").await;
    assert_eq!(shop.mails_to(CUSTOMER).len(), 1);
    shop.audit().await;
}

// invariant: price-tampering
// invariant: object-level-authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_elses_intent_is_as_unknown_as_one_that_never_was() {
    let shop = TestShop::open().await;
    let (buyer, eve) = (shop.customer().await, shop.new_customer("eve@example.com").await);
    let one = shop.light("Nudgelight One").await;
    shop.stripe().await.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 1).await;
    let theirs = eve.asks_for_order(&intent.id).await;
    theirs.refuses(404, "NotFound");
    assert_eq!(theirs.essence(), eve.asks_for_order("pi_000000000000000000000000").await.essence());
    assert_eq!(shop.count_orders().await, 0);
    shop.admin().await.asks_for_order(&intent.id).await.refuses(404, "NotFound");
    buyer.asks_for_order(&intent.id).await.gives(201);
    assert_eq!(theirs.essence(), eve.asks_for_order(&intent.id).await.essence());
}

// invariant: price-tampering
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unpaid_intent_makes_no_order() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    buyer.asks_for_order(&intent.id).await.refuses(402, "PaymentNotCompleted");
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight One").await.stock), (0, 120));
    for nothing in ["", "  "] {
        buyer.asks_for_order(nothing).await.names(&["paymentIntentId"]);
    }
}

// invariant: order-snapshots
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_keeps_what_was_quoted_whatever_happens_to_the_product() {
    let shop = TestShop::open().await;
    let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let one = shop.light("Nudgelight One").await;
    let intent = buyer.starts_payment(&[(&one, 2)]).await;
    let edit = json!({
        "name": "Nudgelight Prime", "price": 99.00, "weight_pounds": 9, "active": false, "warranty_months": null,
    });
    admin.patch(&format!("/api/products/{}", one.id), &edit).await.gives(200);
    stripe.takes(&intent, "pm_card_visa").await;
    let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!((order["total"].clone(), order["items"][0]["price"].clone()), (json!(59.80), json!(24.99)));
    assert_eq!(order["items"][0]["product_name"], "Nudgelight One");
    assert_eq!(order["items"][0]["warranty_months"], json!(12));
    let receipt = shop.mail_to(CUSTOMER, "order 1001").await;
    for part in [&receipt.text, &receipt.html] {
        assert!(part.contains("Warranty: 1 year"), "{part}");
    }
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_numbered_one_after_the_other_however_they_arrive() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let mut intents: Vec<Intent> = Vec::new();
    for _ in 0..8 {
        intents.push(buyer.starts_payment(&[(&one, 1)]).await);
    }
    together(8, |number| {
        let (buyer, stripe, intent) = (buyer.clone(), stripe.clone(), intents[number].clone());
        async move {
            stripe.takes(&intent, "pm_card_visa").await;
            let response = buyer.asks_for_order(&intent.id).await;
            assert!(matches!(response.status, 200 | 201), "{response}");
        }
    })
    .await;
    let list = eventually("eight orders", async || {
        let list = buyer.get("/api/user/orders").await.gives(200);
        (list["total"] == json!(8)).then_some(list)
    })
    .await;
    let numbers: BTreeSet<i64> =
        list["orders"].as_array().unwrap().iter().filter_map(|order| order["number"].as_i64()).collect();
    assert_eq!(numbers, (1001..=1008).collect());
    shop.audit().await;
}
