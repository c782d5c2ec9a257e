//! Webhook events: signed, processed once, and never trusted about amounts.

use serde_json::json;
use server::checkout::webhook::SUBSCRIBED;

use crate::harness::{TestShop, event, eventually, signature, together};

const UNKNOWN: &str = "customer.created";

async fn stored(shop: &TestShop) -> i64 {
    // Excludes the events of mock Stripe itself.
    shop.count("SELECT COUNT(*) FROM webhook_events WHERE id LIKE 'evt_hand%'").await
}

// invariant: webhook-signatures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_with_a_forged_signature_is_refused_and_not_stored() {
    let shop = TestShop::open().await;
    let body = event("evt_hand1", UNKNOWN, &json!({ "id": "cus_1", "object": "customer" }));
    let (now, secret) = (shop.now_seconds(), shop.webhook_secret());
    let good = signature(secret, now, &body);
    let digest = good.split("v1=").nth(1).unwrap();
    let other_body = signature(secret, now, &body.replace("cus_1", "cus_2"));
    let forged = [
        String::new(),
        "nonsense".to_owned(),
        format!("t={now}"),
        format!("v1={digest}"),
        format!("t={now},v1="),
        format!("t={now},v0={digest}"),
        format!("t=0,v1={digest}"),
        format!("t={},v1={digest}", now + 1),
        format!("t={now},v1={}", digest.to_uppercase().replace(char::is_alphabetic, "0")),
        format!("t={now},v1={}", &digest[..62]),
        format!("t=-{now},v1={digest}"),
        format!("t=99999999999999999999,v1={digest}"),
        signature("", now, &body),
        signature("whsec_another", now, &body),
        signature(secret, now, ""),
        other_body,
    ];
    for header in forged {
        shop.receives_signed(&body, &header).await.refuses(400, "InvalidRequest");
    }
    let visitor = shop.visitor();
    let unsigned = visitor.request("POST", "/api/webhooks/stripe").body(body);
    visitor.send(unsigned).await.refuses(400, "InvalidRequest");
    assert_eq!(stored(&shop).await, 0);
}

// invariant: webhook-signatures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signature_is_good_for_five_minutes_either_way() {
    let shop = TestShop::open().await;
    let ages = [(1, 299, 200), (2, 301, 400), (3, 86_400, 400), (4, -290, 200), (5, -310, 400), (6, -86_400, 400)];
    for (number, age, status) in ages {
        let body = event(&format!("evt_hand{number}"), UNKNOWN, &json!({ "object": "customer" }));
        let header = signature(shop.webhook_secret(), shop.now_seconds() - age, &body);
        assert_eq!(shop.receives_signed(&body, &header).await.status, status, "{age} seconds old");
    }
}

// invariant: webhook-signatures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_good_signature_among_several_is_enough() {
    let shop = TestShop::open().await;
    let body = event("evt_hand1", UNKNOWN, &json!({ "object": "customer" }));
    let (now, secret) = (shop.now_seconds(), shop.webhook_secret());
    let old = signature("whsec_before_rotation", now, &body);
    let new = signature(secret, now, &body);
    let both = format!("{old},{}", new.split_once(',').unwrap().1);
    shop.receives_signed(&body, &both).await.gives(200);
}

// invariant: webhook-signatures
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_secret_is_changed_the_old_and_the_new_one_are_good() {
    let shop = TestShop::open_with(&[
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_old, whsec_new"),
    ])
    .await;
    let mut number = 0;
    for (secret, status) in [
        ("whsec_old", 200),
        ("whsec_new", 200),
        ("whsec_other", 400),
        ("whsec_old, whsec_new", 400),
        ("", 400),
        (" whsec_new", 400),
    ] {
        number += 1;
        let body = event(&format!("evt_hand{number}"), UNKNOWN, &json!({ "object": "customer" }));
        let header = signature(secret, shop.now_seconds(), &body);
        assert_eq!(shop.receives_signed(&body, &header).await.status, status, "{secret}");
    }
    let body = event("evt_hand9", UNKNOWN, &json!({ "object": "customer" }));
    let (old, new) =
        (signature("whsec_old", shop.now_seconds(), &body), signature("whsec_new", shop.now_seconds(), &body));
    let both = format!("{old},{}", new.split_once(',').unwrap().1);
    shop.receives_signed(&body, &both).await.gives(200);
    assert_eq!(stored(&shop).await, 3);
}

// invariant: verify-before-parse
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_event_is_stored_once_and_answered_each_time() {
    let shop = TestShop::open().await;
    let body = event("evt_hand1", UNKNOWN, &json!({ "id": "cus_1", "object": "customer" }));
    for _ in 0..3 {
        shop.receives(&body).await.gives(200);
    }
    assert_eq!(stored(&shop).await, 1);
    eventually("the event to be processed", async || {
        let open = "SELECT COUNT(*) FROM webhook_events WHERE id LIKE 'evt_hand%' AND applied_at IS NULL";
        (shop.count(open).await == 0).then_some(())
    })
    .await;
}

// invariant: verify-before-parse
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signed_body_that_is_no_event_is_refused() {
    let shop = TestShop::open().await;
    for body in [
        "",
        "{}",
        "[]",
        "null",
        "{\"id\":1}",
        "not json",
        &event("evt_hand1", "a\0b", &json!({})),
        "{\"id\":\"evt_hand1\",\"type\":\"x\"}",
    ] {
        let response = shop.receives(body).await;
        assert_eq!(response.status, 400, "{body}");
        response.refusal();
    }
    assert_eq!(stored(&shop).await, 0);
}

// invariant: request-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_may_be_half_a_mebibyte_and_not_a_byte_more() {
    let shop = TestShop::open().await;
    let padded = |length: usize| {
        let body = event("evt_hand1", UNKNOWN, &json!({ "object": "customer" }));
        format!("{body}{}", " ".repeat(length - body.len()))
    };
    shop.receives(&padded(512 * 1024)).await.gives(200);
    shop.receives(&padded(512 * 1024 + 1)).await.refuses(413, "BodyTooLarge");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_lies_about_a_payment_makes_no_order() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    let mut object = shop.stripe().await.intent(&intent.id).await;
    object["status"] = json!("succeeded");
    object["amount_received"] = object["amount"].clone();
    shop.receives(&event("evt_hand1", "payment_intent.succeeded", &object)).await.gives(200);
    shop.expires().await;
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight One").await.available), (0, 119));
    buyer.asks_for_order(&intent.id).await.refuses(402, "PaymentNotCompleted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_about_a_payment_that_is_not_ours_is_taken_and_left_alone() {
    let shop = TestShop::open().await;
    let object = json!({ "id": "pi_somebody_elses", "object": "payment_intent", "status": "succeeded" });
    for (number, kind) in
        ["payment_intent.succeeded", "payment_intent.canceled", "charge.refunded", "charge.dispute.created"]
            .into_iter()
            .enumerate()
    {
        shop.receives(&event(&format!("evt_hand{number}"), kind, &object)).await.gives(200);
    }
    eventually("the events to be processed", async || {
        let open = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL";
        (shop.count(open).await == 0).then_some(())
    })
    .await;
    assert_eq!(shop.count_orders().await, 0);
}

// invariant: out-of-order-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_in_any_order_and_number_end_in_the_same_order() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 1).await;
    let object = stripe.intent(&intent.id).await;
    let kinds = [
        "payment_intent.payment_failed",
        "payment_intent.created",
        "payment_intent.succeeded",
        "payment_intent.requires_action",
        "payment_intent.succeeded",
        "payment_intent.canceled",
    ];
    together(kinds.len(), |number| {
        let body = event(&format!("evt_hand{number}"), kinds[number], &object);
        let header = signature(shop.webhook_secret(), shop.now_seconds(), &body);
        let visitor = shop.visitor();
        async move {
            let post = visitor.request("POST", "/api/webhooks/stripe").header("stripe-signature", header);
            visitor.send(post.body(body)).await.gives(200);
        }
    })
    .await;
    let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!((order["status"].as_str(), order["payment"]["status"].as_str()), (Some("pending"), Some("paid")));
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await), (1, 1));
    shop.audit().await;
}

// invariant: out-of-order-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_that_overtakes_its_payment_is_not_lost() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 1).await;
    let dispute = json!({ "id": "dp_1", "object": "dispute", "payment_intent": intent.id });
    shop.is_disputed_as("dp_1", &intent.id).await;
    shop.receives(&event("evt_hand1", "charge.dispute.created", &dispute)).await.gives(200);
    let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    eventually("the dispute", async || {
        let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
        (order["payment"]["status"] == "disputed").then_some(())
    })
    .await;
    shop.audit().await;
}

// invariant: exactly-once-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_cannot_be_noted_as_dealt_with_leaves_nothing_of_what_it_leads_to() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let events_about = |intent: &str| {
        [
            ("payment_intent.succeeded", json!({ "id": intent, "object": "payment_intent" })),
            ("charge.dispute.created", json!({ "id": "dp_1", "object": "dispute", "payment_intent": intent })),
        ]
    };
    for (kind, object) in events_about("pi_somebody_elses") {
        shop.receives(&event(&format!("evt_hand_{kind}"), kind, &object)).await.gives(200);
    }
    let waiting = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NULL";
    eventually("the first events to be processed", async || (shop.count(waiting).await == 0).then_some(())).await;

    // The unique index makes marking a second event as processed fail, like a crash at that moment.
    shop.tamper("CREATE UNIQUE INDEX one_of_a_kind ON webhook_events (type) WHERE applied_at IS NOT NULL").await;
    let paid = shop.paid_but_gone(&buyer, &one, 1).await;
    let disputed = shop.paid_but_gone(&buyer, &one, 1).await;
    let order_id = buyer.asks_for_order(&disputed.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    shop.is_disputed_as("dp_1", &disputed.id).await;
    let [(kind, object), _] = events_about(&paid.id);
    shop.receives(&event("evt_hand_paid", kind, &object)).await.gives(200);
    let [_, (kind, object)] = events_about(&disputed.id);
    shop.receives(&event("evt_hand_disputed", kind, &object)).await.gives(200);
    shop.clock.advance(9_000);
    shop.expires().await;
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!(order["payment"]["status"], "paid", "{order}");
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await, shop.count(waiting).await), (1, 1, 2));
    shop.audit().await;

    shop.tamper("DROP INDEX one_of_a_kind").await;
    eventually("both events to be processed", async || {
        shop.clock.advance(60_000);
        shop.expires().await;
        (shop.count(waiting).await == 0).then_some(())
    })
    .await;
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!(order["payment"]["status"], "disputed", "{order}");
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await), (2, 2));
    shop.audit().await;
}

#[test]
fn the_guide_names_the_events_that_the_shop_subscribes_to() {
    let guide = include_str!("../../../docs/guide/stripe.md");
    let line = guide.lines().find(|line| line.starts_with("- Events: ")).unwrap();
    let named: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
    assert_eq!(named, SUBSCRIBED);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_is_told_of_by_one_event() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    buyer.buys(&stripe, &one, 1).await;
    eventually("the event", async || {
        let applied = "SELECT COUNT(*) FROM webhook_events WHERE applied_at IS NOT NULL";
        (shop.count(applied).await == 1).then_some(())
    })
    .await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM mock_stripe_events").await, 1);
}
