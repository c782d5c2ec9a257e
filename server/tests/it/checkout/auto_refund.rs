//! Automatic refunds of payments that cannot become an order, with an email to the customer.

use serde_json::json;

use crate::harness::{CUSTOMER, Intent, Stripe, TestShop, event};

const DAY: i64 = 86_400_000;

// invariant: payment-mismatch
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn goods_that_an_edit_took_away_are_refunded_and_the_customer_is_told() {
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&halo, 2)]).await;
    shop.sets_stock(&halo, 1).await;
    stripe.takes(&intent, "pm_card_visa").await;

    let body = buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    assert!(body["error"].as_str().unwrap().contains("refunded"), "{body}");
    let charge = &stripe.intent(&intent.id).await["latest_charge"];
    assert_eq!(
        (charge["refunded"].clone(), charge["amount_refunded"].clone()),
        (json!(true), charge["amount"].clone())
    );
    let mail = shop.mail_to(CUSTOMER, "was refunded").await;
    assert!(mail.text.contains("Nudgelight Halo"), "{}", mail.text);
    shop.mail_to("owner@example.com", "Alert").await;

    assert_eq!(shop.count_orders().await, 0);
    let after = shop.light("Nudgelight Halo").await;
    assert_eq!((after.stock, after.available), (1, 1));
    buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    shop.reconciles().await;
    assert_eq!(shop.mails_to(CUSTOMER).len(), 1);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_missing_light_sends_the_whole_cart_back_and_sells_none_of_it() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let (halo, one) = (shop.light("Nudgelight Halo").await, shop.light("Nudgelight One").await);
    let intent = buyer.starts_payment(&[(&one, 2), (&halo, 2)]).await;
    shop.sets_stock(&halo, 0).await;
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    let one = shop.light("Nudgelight One").await;
    assert_eq!((one.stock, one.available), (120, 120));
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_reservations_over_too_small_a_stock_the_first_to_pay_is_served() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let other = shop.new_customer("ada@example.com").await;
    let (first, second) = (buyer.starts_payment(&[(&halo, 2)]).await, other.starts_payment(&[(&halo, 2)]).await);
    shop.sets_stock(&halo, 2).await;
    stripe.takes(&second, "pm_card_visa").await;
    let served = other.asks_for_order(&second.id).await;
    assert!(matches!(served.status, 200 | 201), "{served}");
    stripe.takes(&first, "pm_card_visa").await;
    buyer.asks_for_order(&first.id).await.refuses(409, "IntentExpired");
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight Halo").await.stock), (1, 0));
    shop.audit().await;
}

/// Returns the only refund of the payment.
async fn the_bank_returns_the_refund(stripe: &Stripe, intent: &Intent) {
    let path = format!("/v1/refunds?payment_intent={}", intent.id);
    let refunds = stripe.as_shop("GET", &path, &[]).await.gives(200)["data"].take();
    let [refund] = refunds.as_array().unwrap().as_slice() else { panic!("{refunds}") };
    stripe.returns_refund(refund["id"].as_str().unwrap()).await;
}

// invariant: payment-mismatch
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_automatic_refund_that_the_bank_returned_is_an_alert_and_the_customer_is_told_whether_an_event_came_or_not()
{
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    buyer.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let mut intents = Vec::new();
    for _ in 0..3 {
        let intent = buyer.starts_payment(&[(&halo, 1)]).await;
        shop.sets_stock(&halo, 0).await;
        stripe.takes(&intent, "pm_card_visa").await;
        buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
        shop.sets_stock(&halo, 3).await;
        intents.push(intent);
    }
    let alerts = async || shop.texts("SELECT data FROM alerts WHERE kind = 'payment_refund_failed'").await;
    the_bank_returns_the_refund(&stripe, &intents[0]).await;
    shop.settles(&stripe).await;
    let told = shop.mail_to(CUSTOMER, "Your refund from Nudgelight failed").await;
    assert!(told.text.contains("another way"), "{}", told.text);
    let mail = shop.mail_to("owner@example.com", "An automatic refund failed").await;
    assert!(mail.text.contains(&intents[0].id), "{}", mail.text);
    assert_eq!(alerts().await.len(), 1);

    // A minute later, without an event.
    stripe.drops_webhooks().await;
    the_bank_returns_the_refund(&stripe, &intents[1]).await;
    shop.clock.advance(60_000);
    shop.reconciles().await;
    assert_eq!(alerts().await.len(), 2);

    // Weeks later, by the balance transaction.
    shop.clock.advance(20 * DAY);
    the_bank_returns_the_refund(&stripe, &intents[2]).await;
    shop.clock.advance(DAY);
    shop.syncs_payouts().await;
    let found = alerts().await;
    assert!(intents.iter().all(|intent| found.iter().any(|data| data.contains(&intent.id))), "{found:?}");

    // A resolved alert stays resolved.
    shop.tamper("UPDATE alerts SET resolved_at = 1, resolved_by = 'admin'").await;
    shop.syncs_payouts().await;
    shop.settles(&stripe).await;
    assert_eq!(alerts().await.len(), 3);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_event_of_an_automatic_refund_that_failed_is_an_alert_before_the_providers_list_says_so() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&halo, 1)]).await;
    shop.sets_stock(&halo, 0).await;
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    let object = json!({ "id": "re_unlisted", "payment_intent": intent.id, "amount": 3175, "status": "failed" });
    for number in 0..2 {
        shop.receives(&event(&format!("evt_unlisted{number}"), "refund.failed", &object)).await.gives(200);
    }
    shop.settles(&stripe).await;
    let alerts = shop.texts("SELECT data FROM alerts WHERE kind = 'payment_refund_failed'").await;
    assert!(alerts.len() == 1 && alerts[0].contains("re_unlisted"), "{alerts:?}");
    shop.mail_to(CUSTOMER, "Your refund from Nudgelight failed").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_was_charged_back_is_closed_without_a_refund_and_only_the_shopkeeper_is_told() {
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&halo, 2)]).await;
    shop.sets_stock(&halo, 1).await;
    stripe.takes(&intent, "pm_card_createDispute").await;

    let error = buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired")["error"].take();
    assert!(error.as_str().unwrap().contains("disputed at the card’s bank"), "{error}");
    let mail = shop.mail_to("owner@example.com", "did not become an order").await;
    assert!(mail.text.contains("was charged back"), "{}", mail.text);
    assert!(mail.text.contains("If you win the dispute, refund the payment"), "{}", mail.text);
    assert_eq!(stripe.intent(&intent.id).await["latest_charge"]["amount_refunded"], json!(0));
    let after = shop.light("Nudgelight Halo").await;
    assert_eq!((after.stock, after.available), (1, 1));

    assert_eq!(buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired")["error"], error);
    shop.reconciles().await;
    assert_eq!(shop.mails_to(CUSTOMER).len(), 0);
    shop.audit().await;
}

// invariant: payment-mismatch
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_of_another_sum_than_was_quoted_goes_back() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 2)]).await;
    let path = format!("/v1/payment_intents/{}", intent.id);
    stripe.as_shop("POST", &path, &[("amount", "100")]).await.gives(200);
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    let charge = &stripe.intent(&intent.id).await["latest_charge"];
    assert_eq!(charge["amount_refunded"], json!(100));
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight One").await.available), (0, 120));
    shop.mail_to(CUSTOMER, "was refunded").await;
}

// invariant: payment-mismatch
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_belongs_to_another_checkout_makes_no_order() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    let path = format!("/v1/payment_intents/{}", intent.id);
    stripe.as_shop("POST", &path, &[("metadata[checkout_id]", "another")]).await.gives(200);
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await.refuses(409, "IntentExpired");
    assert_eq!(shop.count_orders().await, 0);
    assert_eq!(stripe.intent(&intent.id).await["latest_charge"]["refunded"], json!(true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_that_was_given_back_before_its_order_was_made_is_no_paid_order() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let intent = shop.paid_but_gone(&buyer, &one, 1).await;
    stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &intent.id)]).await.gives(200);
    let response = buyer.asks_for_order(&intent.id).await;
    if response.status == 409 {
        response.refuses(409, "IntentExpired");
        assert_eq!((shop.count_orders().await, shop.light("Nudgelight One").await.available), (0, 120));
        return;
    }
    let order_id = response.gives(201)["orderId"].as_str().unwrap().to_owned();
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!((&order["payment"]["status"], &order["payment"]["refunded"]), (&json!("refunded"), &order["total"]));
}
