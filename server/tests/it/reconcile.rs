//! Reconciliation: every payment becomes an order or is refunded, even after lost events, crashes and outages.

use std::process::Output;

use serde_json::json;
use server::checkout::reconcile::run_once;

use crate::configuration::{binary, run_to_end};
use crate::harness::{BareStripe, CUSTOMER, Intent, Person, TestShop, event, eventually};

const SECOND: i64 = 1_000;

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_dies_after_paying_gets_its_order_from_the_webhook() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = shop.paid_but_gone(&buyer, &one, 2).await;
    let order = eventually("the webhook's order", async || {
        buyer.get("/api/user/orders").await.gives(200)["orders"].get(0).cloned()
    })
    .await;
    assert_eq!((order["total"].clone(), order["status"].as_str()), (json!(59.80), Some("pending")));
    shop.mail_to(CUSTOMER, "order 1001").await;
    assert_eq!(buyer.asks_for_order(&intent.id).await.gives(200)["orderId"], order["id"]);
    shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_browser_and_webhook_the_reconciler_makes_the_order() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    shop.stripe().await.drops_webhooks().await;
    shop.paid_but_gone(&buyer, &one, 1).await;
    shop.clock.advance(9 * SECOND);
    shop.reconciles().await;
    assert_eq!(shop.count_orders().await, 0, "the browser may still request it");
    shop.clock.advance(2 * SECOND);
    shop.reconciles().await;
    assert_eq!(shop.count_orders().await, 1);
    shop.mail_to(CUSTOMER, "order 1001").await;
    shop.reconciles().await;
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await), (1, 1));
    shop.audit().await;
}

// invariant: payment-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_that_was_down_finds_the_payments_it_missed_when_it_starts() {
    let mut shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    shop.stripe().await.drops_webhooks().await;
    shop.paid_but_gone(&buyer, &one, 1).await;
    shop.clock.advance(60 * SECOND);
    shop.restart().await;
    eventually("the order", async || (shop.count_orders().await == 1).then_some(())).await;
    shop.mail_to(CUSTOMER, "order 1001").await;
    shop.audit().await;
}

// invariant: out-of-order-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webhooks_that_come_twice_late_and_in_any_order_make_one_order_each() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let unruly = json!({ "webhooks": { "double_percent": 100, "reorder_ms": 400 } });
    stripe.misbehaves(&unruly).await;
    for _ in 0..5 {
        shop.paid_but_gone(&buyer, &one, 1).await;
    }
    eventually("five orders", async || (shop.count_orders().await == 5).then_some(())).await;
    eventually("every event", async || {
        let waiting = "SELECT COUNT(*) FROM mock_stripe_deliveries WHERE state = 'pending'";
        (shop.count(waiting).await == 0).then_some(())
    })
    .await;
    assert_eq!((shop.count_orders().await, shop.count_sales(&one).await), (5, 5));
    assert_eq!(shop.light("Nudgelight One").await.stock, 115);
    shop.audit().await;
}

// invariant: exactly-once-events
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_that_could_not_be_applied_is_applied_later() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    // The shop receives the event, but requests to the provider fail.
    let deaf = json!({ "calls": [{ "method": "GET", "path": "/v1/payment_intents", "times": 1_000, "action": { "fail": { "status": 500 } } }] });
    stripe.misbehaves(&deaf).await;
    stripe.takes(&intent, "pm_card_visa").await;
    eventually("the event", async || {
        let stored = "SELECT COUNT(*) FROM webhook_events WHERE type = 'payment_intent.succeeded'";
        (shop.count(stored).await == 1).then_some(())
    })
    .await;
    buyer.asks_for_order(&intent.id).await.refuses(503, "PaymentProviderUnavailable");
    assert_eq!(shop.count_orders().await, 0);
    stripe.behaves().await;
    shop.clock.advance(60 * SECOND);
    eventually("the order", async || {
        shop.expires().await;
        (shop.count_orders().await == 1).then_some(())
    })
    .await;
    shop.audit().await;
}

// invariant: provider-outage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_is_down_holds_no_stock_and_says_when_to_come_back() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    for (path, code) in [("/v1/tax", "TaxUnavailable"), ("/v1/payment_intents", "PaymentProviderUnavailable")] {
        let down = json!({ "calls": [{ "path": path, "times": 100, "action": { "fail": { "status": 503 } } }] });
        stripe.misbehaves(&down).await;
        let response = buyer.asks_to_pay(&Person::cart(&[(&halo, 2)])).await;
        response.refuses(503, code);
        assert!(response.header("retry-after").is_some(), "{response}");
        assert_eq!(shop.light("Nudgelight Halo").await.available, 4, "{path}");
        stripe.behaves().await;
    }
    buyer.starts_payment(&[(&halo, 4)]).await;
    shop.audit().await;
}

// invariant: provider-outage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_hangs_is_given_up_on_within_its_budget() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let hung = json!({ "calls": [{ "path": "/v1/tax", "times": 100, "action": { "hang": { "ms": 8_000 } } }] });
    stripe.misbehaves(&hung).await;
    let begun = std::time::Instant::now();
    buyer.asks_to_pay(&Person::cart(&[(&halo, 1)])).await.refuses(503, "TaxUnavailable");
    assert!(begun.elapsed().as_millis() < 7_000, "{:?}", begun.elapsed());
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
}

// invariant: idempotency-keys
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_was_lost_is_asked_for_again_and_nothing_is_done_twice() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let lost = json!({ "calls": [{ "method": "POST", "path": "/v1/payment_intents", "times": 1, "action": { "lose_answer": { "ms": 0 } } }] });
    stripe.misbehaves(&lost).await;
    let intent = Intent::of(buyer.asks_to_pay(&Person::cart(&[(&one, 1)])).await.gives(200));
    let list = stripe.as_shop("GET", "/v1/payment_intents", &[]).await.gives(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(list["data"][0]["id"], json!(intent.id));
}

// invariant: reservation-expiry
// invariant: clock-skew
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goods_stay_held_until_the_provider_has_cancelled_the_payment() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&halo, 3)]).await;
    let down = json!({ "calls": [{ "path": "/v1/payment_intents", "times": 1_000, "action": { "fail": { "status": 500 } } }] });
    stripe.misbehaves(&down).await;
    shop.clock.advance(900 * SECOND);
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 1, "the customer may still pay");
    stripe.behaves().await;
    stripe.takes(&intent, "pm_card_visa").await;
    eventually("the order", async || (shop.count_orders().await == 1).then_some(())).await;
    assert_eq!(shop.light("Nudgelight Halo").await.stock, 1);
    shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_no_event_told_of_is_found_at_the_provider() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 2).await;
    let order_id = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    for amount in ["1000", "250"] {
        let fields = [("payment_intent", intent.id.as_str()), ("amount", amount)];
        stripe.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
    }
    shop.reconciles().await;
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    let payment = &order["payment"];
    assert_eq!((&payment["status"], &payment["refunded"]), (&json!("partially_refunded"), &json!(12.5)));
    shop.mail_to(CUSTOMER, "Refund for").await;
    shop.reconciles().await;
    assert_eq!(shop.mails_to(CUSTOMER).len(), 2, "the receipt and one refund email");
    shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refunds_that_no_event_told_of_are_found_however_many_came_after_them() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let (first, second) = (buyer.buys(&stripe, &one, 1).await, buyer.buys(&stripe, &one, 3).await);
    stripe.drops_webhooks().await;
    refunds(&shop, &first, 100).await;
    for _ in 0..130 {
        refunds(&shop, &second, 1).await;
    }
    shop.reconciles().await;
    assert_eq!((refunded(&shop, &first).await, refunded(&shop, &second).await), (100, 130));

    // A smaller refund than the ones before, and days later.
    shop.clock.advance(5 * 86_400 * SECOND);
    shop.reconciles().await;
    refunds(&shop, &first, 50).await;
    shop.reconciles().await;
    assert_eq!((refunded(&shop, &first).await, refunded(&shop, &second).await), (150, 130));
    shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_fails_without_an_event_is_found_and_told_of_once() {
    let mut shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", OWNER)]).await;
    let (buyer, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = buyer.starts_payment(&[(&shop.light("Nudgelight One").await, 1)]).await;
    stripe.takes(&intent, "pm_card_refundFail").await;
    let order_id = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    refunds(&shop, &order_id, 100).await;
    shop.reconciles().await;
    assert_eq!(refunded(&shop, &order_id).await, 100, "the refund has not failed yet");

    shop.clock.advance(60 * SECOND);
    let path = format!("/api/admin/order/{order_id}");
    let order = eventually("the refund to fail", async || {
        shop.reconciles().await;
        let order = admin.get(&path).await.gives(200);
        (order["alerts"][0]["kind"] == "refund_failed").then_some(order)
    })
    .await;
    assert_eq!(order["payment"]["refunded"], json!(0.0), "{order}");
    shop.mail_to(OWNER, "Alert: Order 1001").await;
    let resolve = format!("/api/admin/alerts/{}/resolve", order["alerts"][0]["id"].as_str().unwrap());
    admin.post(&resolve, &json!({})).await.gives(204);
    shop.reconciles().await;
    shop.restart().await;
    shop.reconciles().await;
    let open = shop.count("SELECT COUNT(*) FROM alerts WHERE resolved_at IS NULL").await;
    assert_eq!(open, 0, "the alert is resolved");
    shop.audit().await;
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_refunded_while_the_provider_could_not_be_asked_is_found_once_it_can() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let order = buyer.buys(&stripe, &one, 1).await;
    stripe.drops_webhooks().await;
    shop.reconciles().await;
    refunds(&shop, &order, 100).await;
    // An outage, and then revoked API keys.
    for status in [500, 401, 403] {
        let action = json!({ "fail": { "status": status } });
        let calls = json!([{ "method": "GET", "path": "/v1/refunds", "times": 1_000, "action": action }]);
        stripe.misbehaves(&json!({ "calls": calls })).await;
        for _ in 0..4 {
            shop.clock.advance(86_400 * SECOND);
            shop.reconciles().await;
        }
    }
    assert_eq!(refunded(&shop, &order).await, 0);
    stripe.behaves().await;
    shop.clock.advance(86_400 * SECOND);
    shop.reconciles().await;
    assert_eq!(refunded(&shop, &order).await, 100);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_that_no_event_told_of_is_found_however_many_came_after_it() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    stripe.takes(&intent, "pm_card_createDispute").await;
    buyer.asks_for_order(&intent.id).await.gives(201);
    // More than one page of disputes about other payments of the same account.
    shop.tamper(
        "INSERT INTO mock_stripe_objects (id, kind, created_at, document)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 130)
         SELECT 'dp_other' || n, kind, created_at + n,
             REPLACE(REPLACE(document, id, 'dp_other' || n), (SELECT payment_intent_id FROM orders), 'pi_other' || n)
         FROM mock_stripe_objects, numbers WHERE kind = 'dispute'",
    )
    .await;
    shop.reconciles().await;
    assert_eq!(shop.texts("SELECT dispute FROM orders").await, ["open"]);
    shop.audit().await;
}

/// Refunds in the provider's dashboard.
async fn refunds(shop: &TestShop, order_id: &str, cents: i64) {
    let intent_id: String = sqlx::query_scalar("SELECT payment_intent_id FROM orders WHERE id = $1")
        .bind(order_id)
        .fetch_one(shop.inside().platform.db.read())
        .await
        .unwrap();
    let amount = cents.to_string();
    let fields = [("payment_intent", intent_id.as_str()), ("amount", amount.as_str())];
    shop.stripe().await.as_shop("POST", "/v1/refunds", &fields).await.gives(200);
}

/// The refunded cents according to the shop.
async fn refunded(shop: &TestShop, order_id: &str) -> i64 {
    sqlx::query_scalar("SELECT refunded FROM orders WHERE id = $1")
        .bind(order_id)
        .fetch_one(shop.inside().platform.db.read())
        .await
        .unwrap()
}

const OWNER: &str = "owner@example.com";

/// Deletes the payment at the provider, as when test data is deleted or the API keys of another account are set.
async fn delete_at_provider(shop: &TestShop, intent: &Intent) {
    shop.tamper(format!("DELETE FROM mock_stripe_objects WHERE id = '{}'", intent.id)).await;
}

fn run(shop: &TestShop, arguments: &[&str]) -> Output {
    let vars: Vec<(String, String)> = shop.vars().collect();
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut command = binary(&std::env::temp_dir(), &vars);
    command.args(arguments);
    run_to_end(command)
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// `None` while the checkout is open, or after it has become an order.
async fn closed_reason(shop: &TestShop, intent: &Intent) -> Option<String> {
    sqlx::query_scalar("SELECT closed_reason FROM checkouts WHERE payment_intent_id = $1")
        .bind(&intent.id)
        .fetch_one(shop.inside().platform.db.read())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_the_provider_does_not_know_ends_when_its_reservation_expires() {
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", OWNER)]).await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let intent = buyer.starts_payment(&[(&halo, 3)]).await;
    delete_at_provider(&shop, &intent).await;
    buyer.asks_for_order(&intent.id).await.refuses(503, "PaymentProviderUnavailable");
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 1, "the customer may still be paying");

    shop.clock.advance(901 * SECOND);
    shop.expires().await;
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
    assert_eq!(closed_reason(&shop, &intent).await.as_deref(), Some("unknown_intent"));
    let buyer = shop.customer().await;
    for _ in 0..2 {
        let refused = buyer.asks_for_order(&intent.id).await;
        let message = refused.refuses(409, "IntentExpired")["error"].as_str().unwrap().to_owned();
        assert!(message.contains("couldn’t find this payment"), "{message}");
    }

    // The alert is needed because the payment may exist under another account's API keys.
    let mail = shop.mail_to(OWNER, "Alert").await;
    assert!(mail.text.contains(&intent.id) && mail.text.contains(CUSTOMER), "{}", mail.text);
    shop.expires().await;
    shop.reconciles().await;
    let alerts = shop.admin().await.get("/api/admin/overview").await.gives(200)["alerts"].clone();
    let about: Vec<&str> = alerts.as_array().unwrap().iter().filter_map(|alert| alert["message"].as_str()).collect();
    assert!(matches!(about[..], [what] if what.contains(&intent.id)), "{about:?}");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkout_whose_payment_the_provider_does_not_know_can_be_replaced() {
    let shop = TestShop::open().await;
    let (buyer, halo) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    let intent = buyer.starts_payment(&[(&halo, 3)]).await;
    delete_at_provider(&shop, &intent).await;
    let mut cart = Person::cart(&[(&halo, 4)]);
    cart["replaces"] = json!(intent.id);
    buyer.asks_to_pay(&cart).await.gives(200);
    assert_eq!(shop.light("Nudgelight Halo").await.available, 0);
    assert_eq!(closed_reason(&shop, &intent).await.as_deref(), Some("unknown_intent"));
    assert_eq!(shop.count("SELECT COUNT(*) FROM alerts").await, 1);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_turns_up_after_its_checkout_was_closed_still_becomes_an_order() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &halo, 1).await;
    let moved = |from: &str, to: &str| format!("UPDATE mock_stripe_objects SET id = '{to}' WHERE id = '{from}'");
    shop.tamper(moved(&intent.id, "pi_elsewhere")).await;
    shop.clock.advance(901 * SECOND);
    shop.expires().await;
    assert_eq!(closed_reason(&shop, &intent).await.as_deref(), Some("unknown_intent"));
    shop.tamper(moved("pi_elsewhere", &intent.id)).await;
    let paid = stripe.intent(&intent.id).await;
    shop.receives(&event("evt_hand1", "payment_intent.succeeded", &paid)).await.gives(200);
    eventually("the order", async || (shop.count_orders().await == 1).then_some(())).await;
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reconcile_names_the_payments_that_could_not_be_compared_and_exits_1() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let known = buyer.starts_payment(&[(&one, 1)]).await;
    let compared = run(&shop, &["reconcile"]);
    assert!(compared.status.success() && stdout(&compared).contains("1 open payment was reconciled"), "{compared:?}");

    let unknown = buyer.starts_payment(&[(&one, 1)]).await;
    delete_at_provider(&shop, &unknown).await;
    let failed = run(&shop, &["reconcile"]);
    assert_eq!(failed.status.code(), Some(1));
    let named = stdout(&failed);
    assert!(named.contains(&unknown.id) && !named.contains(&known.id), "{named}");
    assert!(
        String::from_utf8_lossy(&failed.stderr).contains("error: 1 reconciliation with the payment provider failed")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_administrator_releases_a_checkout_by_command() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let help = stdout(&run(&shop, &["checkout", "release", "--help"]));
    assert!(help.contains("Usage: nudgelight checkout release"), "{help}");

    // An unpaid intent is canceled at the provider first. The event about it could close the checkout before the command.
    stripe.drops_webhooks().await;
    let open = buyer.starts_payment(&[(&halo, 1)]).await;
    let list = stdout(&run(&shop, &["checkout", "list"]));
    assert!(list.contains(&open.id), "{list}");
    assert!(run(&shop, &["checkout", "release", &open.id]).status.success());
    assert_eq!(stripe.intent(&open.id).await["status"], "canceled");
    assert_eq!(closed_reason(&shop, &open).await.as_deref(), Some("released"));
    assert_eq!(shop.light("Nudgelight Halo").await.available, 4);
    assert_eq!(shop.count("SELECT COUNT(*) FROM alerts").await, 0, "an unpaid intent needs no alert");

    // A paid intent becomes an order.
    let paid = shop.paid_but_gone(&buyer, &halo, 1).await;
    let released = run(&shop, &["checkout", "release", &paid.id]);
    assert!(released.status.success() && stdout(&released).contains("was paid"), "{released:?}");
    assert_eq!((shop.count_orders().await, closed_reason(&shop, &paid).await), (1, None));

    // During an outage, releasing requires `--force` and creates an alert.
    let stuck = buyer.starts_payment(&[(&halo, 1)]).await;
    let down = json!({ "calls": [{ "path": "/v1/payment_intents", "times": 1_000, "action": { "fail": { "status": 500 } } }] });
    stripe.misbehaves(&down).await;
    assert_eq!(run(&shop, &["checkout", "release", &stuck.id]).status.code(), Some(1));
    assert_eq!(closed_reason(&shop, &stuck).await, None);
    assert!(run(&shop, &["checkout", "release", "--force", &stuck.id]).status.success());
    assert_eq!(closed_reason(&shop, &stuck).await.as_deref(), Some("released"));
    let alert = shop.texts("SELECT kind || data FROM alerts").await.pop().unwrap_or_default();
    assert!(alert.starts_with("payment_unconfirmed") && alert.contains(&stuck.id), "{alert}");

    let unknown = run(&shop, &["checkout", "release", "pi_nothing"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("error: "));
    assert_eq!(shop.light("Nudgelight Halo").await.available, 3);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn disputes_that_no_event_told_of_are_found_at_the_provider_until_they_end() {
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", OWNER)]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    stripe.takes(&intent, "pm_card_createDisputeInquiry").await;
    let order_id = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    let payment = async || {
        shop.reconciles().await;
        let payment = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200)["payment"].clone();
        let word = |name: &str| payment[name].as_str().unwrap().to_owned();
        (word("dispute"), word("status"))
    };
    let is = |dispute: &str, status: &str| (dispute.to_owned(), status.to_owned());
    let list = format!("/v1/disputes?payment_intent={}", intent.id);
    let dispute = stripe.as_shop("GET", &list, &[]).await.gives(200)["data"][0]["id"].as_str().unwrap().to_owned();
    let responses = async |evidence: &str| {
        let fields = [("evidence[uncategorized_text]", evidence)];
        stripe.as_shop("POST", &format!("/v1/disputes/{dispute}"), &fields).await.gives(200);
    };
    assert_eq!(payment().await, is("warning", "paid"), "an inquiry does not count as a dispute");
    shop.mail_to(OWNER, "Alert").await;
    responses("escalate_inquiry_evidence").await;
    assert_eq!(payment().await, is("open", "disputed"));
    responses("winning_evidence").await;
    assert_eq!(payment().await, is("won", "paid"));
    assert_eq!(payment().await, is("won", "paid"));
    let alerts = shop.count("SELECT COUNT(*) FROM outbox WHERE kind = 'alert'").await;
    assert_eq!(alerts, 2, "the inquiry and the dispute");
    shop.audit().await;
}

/// A shop with a minimal provider, and the order of two lights in it.
async fn bare_sale() -> (BareStripe, TestShop, Intent, String) {
    let stripe = BareStripe::open().await;
    let shop = stripe.opens_shop().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 2)]).await;
    stripe.takes(&intent.id);
    let order_id = buyer.asks_for_order(&intent.id).await.gives(201)["orderId"].as_str().unwrap().to_owned();
    (stripe, shop, intent, order_id)
}

/// What the shop stores under this name.
async fn stored(shop: &TestShop, name: &str) -> Option<String> {
    let value = sqlx::query_scalar("SELECT value FROM shop_metadata WHERE name = $1").bind(name);
    value.fetch_optional(shop.inside().platform.db.read()).await.unwrap()
}

const PAGE: &str = "<html><body>Bad gateway</body></html>";
const ERROR: &str = r#"{"error":{"type":"invalid_request_error","message":"No."}}"#;

// invariant: provider-outage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_cannot_be_read_is_named_and_compared_again_from_the_same_start() {
    let (stripe, shop, _, _) = bare_sale().await;
    shop.reconciles().await;
    let starts = async || [stored(&shop, "compared").await, stored(&shop, "payments_listed").await];
    let first = starts().await;
    assert!(first[0].is_some(), "a provider without these lists is compared as far as it goes");
    shop.clock.advance(60 * SECOND);
    let (html, json) = ("text/html", "application/json");
    let replies = [
        (502, html, PAGE),
        (200, html, PAGE),
        (404, html, PAGE),
        (400, json, ERROR),
        (402, json, ERROR),
        (200, json, "{}"),
    ];
    let lists = [
        ("refunds", "Refunds", 0),
        ("disputes", "Disputes", 0),
        ("radar/early_fraud_warnings", "Early fraud warnings", 0),
        ("payment_intents", "Payments", 1),
    ];
    for (path, name, start) in lists {
        let before = starts().await;
        let path = format!("/v1/{path}");
        let named = format!("{name} couldn't be compared");
        for (status, content_type, body) in replies {
            stripe.replies(&path, status, content_type, body);
            let report = run_once(&shop.inside().checkout, 0).await.unwrap();
            let failures = &report.failures;
            assert!(matches!(&failures[..], [failure] if failure.starts_with(&named)), "{path} {status}: {failures:?}");
            assert_eq!(starts().await[start], before[start], "{path} {status}");
        }
        let failed = run(&shop, &["reconcile"]);
        assert!(failed.status.code() == Some(1) && stdout(&failed).contains(&named), "{failed:?}");
        stripe.recovers(&path);
    }
    shop.reconciles().await;
    let after = starts().await;
    assert!(first[0] != after[0] && first[1] != after[1], "{first:?} {after:?}");
}

// invariant: provider-outage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn payouts_that_cannot_be_listed_are_a_failure_and_listed_again_from_the_same_start() {
    let (stripe, shop, _, _) = bare_sale().await;
    shop.clock.advance(60 * SECOND);
    let money = &shop.inside().money;
    for (path, start) in [("/v1/balance_transactions", "balance_synced"), ("/v1/payouts", "payouts_synced")] {
        for (status, body) in [(502, PAGE), (200, PAGE)] {
            stripe.replies(path, status, "text/html", body);
            assert!(server::money::payouts::sync(money).await.is_err(), "{path} {status}");
            assert_eq!(stored(&shop, start).await, None, "{path} {status}");
        }
        stripe.recovers(path);
    }
    server::money::payouts::sync(money).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_that_rejects_a_filter_is_asked_again_without_it() {
    let (stripe, shop, intent, order_id) = bare_sale().await;
    let refund =
        |id: &str, amount: i64, payment: &str| json!({ "id": id, "amount": amount, "payment_intent": payment });
    let refunds = json!([refund("re_a", 500, &intent.id), refund("re_b", 700, "pi_another")]);
    stripe.lists_unfiltered("/v1/refunds", refunds);
    let dispute = json!({ "id": "dp_1", "status": "needs_response", "payment_intent": intent.id });
    stripe.lists_unfiltered("/v1/disputes", json!([dispute]));
    let report = run_once(&shop.inside().checkout, 0).await.unwrap();
    assert!(report.failures.is_empty(), "{:?}", report.failures);
    let order = shop.admin().await.get(&format!("/api/admin/order/{order_id}")).await.gives(200);
    let payment = &order["payment"];
    assert_eq!((&payment["refunded"], &payment["dispute"]), (&json!(5.0), &json!("open")));
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_steps_back_an_hour_while_the_shop_serves_loses_no_sale() {
    let shop = TestShop::open().await;
    let (stripe, one) = (shop.stripe().await, shop.light("Nudgelight One").await);
    let buyer = shop.customer().await;
    let before = buyer.buys(&stripe, &one, 1).await;
    let open = shop.paid_but_gone(&buyer, &one, 1).await;
    shop.clock.advance(-3_600 * SECOND);
    let buyer = shop.customer().await;
    let after = buyer.buys(&stripe, &one, 1).await;
    assert_ne!(before, after);
    let order = buyer.asks_for_order(&open.id).await;
    assert!(matches!(order.status, 200 | 201), "{order}");
    shop.expires().await;
    shop.reconciles().await;
    eventually("three orders", async || (shop.count_orders().await == 3).then_some(())).await;
    shop.audit().await;
    shop.clock.advance(3_600 * SECOND);
    shop.expires().await;
    shop.reconciles().await;
    assert_eq!(shop.count_orders().await, 3);
    shop.audit().await;
}
