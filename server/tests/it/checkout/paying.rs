use serde_json::json;

use crate::harness::{Person, TestShop};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_declined_card_leaves_the_intent_to_the_next_card() {
    let shop = TestShop::open().await;
    let (buyer, halo, stripe) = (shop.customer().await, shop.light("Nudgelight Halo").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&halo, 2)]).await;

    let declined = stripe.confirms(&intent, "pm_card_chargeDeclined").await;
    assert_eq!(declined.status, 402, "{declined}");
    let error = &declined.json()["error"];
    assert_eq!(
        (error["code"].as_str(), error["decline_code"].as_str()),
        (Some("card_declined"), Some("generic_decline"))
    );
    buyer.asks_for_order(&intent.id).await.refuses(402, "PaymentNotCompleted");
    assert_eq!(shop.light("Nudgelight Halo").await.available, 2, "still reserved");

    stripe.takes(&intent, "pm_card_visa").await;
    let response = buyer.asks_for_order(&intent.id).await;
    assert!(matches!(response.status, 200 | 201), "{response}");
    assert_eq!((shop.count_orders().await, shop.light("Nudgelight Halo").await.stock), (1, 2));
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_documented_decline_says_why() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    let declines = [
        ("4000000000000002", "card_declined", "generic_decline"),
        ("4000000000009995", "card_declined", "insufficient_funds"),
        ("4000000000000069", "expired_card", "expired_card"),
        ("4000000000000127", "incorrect_cvc", "incorrect_cvc"),
    ];
    for (number, code, decline_code) in declines {
        let response = stripe.confirms_with(&intent, &card(number)).await;
        assert_eq!(response.status, 402, "{response}");
        let error = &response.json()["error"];
        assert_eq!(
            (error["code"].as_str(), error["decline_code"].as_str()),
            (Some(code), Some(decline_code)),
            "{response}"
        );
        assert!(error["message"].as_str().is_some_and(|message| message.ends_with('.')), "{response}");
    }
    let response = stripe.confirms_with(&intent, &card("4242424242424242")).await.gives(200);
    assert_eq!(response["status"], "succeeded");
}

fn card(number: &str) -> [(&'static str, &str); 5] {
    [
        ("payment_method_data[type]", "card"),
        ("payment_method_data[card][number]", number),
        ("payment_method_data[card][exp_month]", "12"),
        ("payment_method_data[card][exp_year]", "2040"),
        ("payment_method_data[card][cvc]", "123"),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bank_that_asks_the_cardholder_is_paid_only_after_the_answer() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;

    let waiting = stripe.confirms(&intent, "pm_card_threeDSecure2Required").await.gives(200);
    assert_eq!(waiting["status"], "requires_action");
    buyer.asks_for_order(&intent.id).await.refuses(402, "PaymentNotCompleted");

    stripe.answers_bank(&waiting, "fail").await;
    assert_eq!(stripe.intent(&intent.id).await["status"], "requires_payment_method");
    buyer.asks_for_order(&intent.id).await.refuses(402, "PaymentNotCompleted");

    let waiting = stripe.confirms(&intent, "pm_card_threeDSecure2Required").await.gives(200);
    stripe.answers_bank(&waiting, "complete").await;
    assert_eq!(stripe.intent(&intent.id).await["status"], "succeeded");
    let response = buyer.asks_for_order(&intent.id).await;
    assert!(matches!(response.status, 200 | 201), "{response}");
    assert_eq!(shop.count_orders().await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cards_own_address_becomes_the_billing_address() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    let details = [
        ("payment_method_data[billing_details][name]", "Charles Babbage"),
        ("payment_method_data[billing_details][address][line1]", "1 Engine Road"),
        ("payment_method_data[billing_details][address][city]", "Portland"),
        ("payment_method_data[billing_details][address][state]", "OR"),
        ("payment_method_data[billing_details][address][postal_code]", "97201"),
        ("payment_method_data[billing_details][address][country]", "US"),
    ];
    let response = stripe.confirms_with(&intent, &[&card("4242424242424242")[..], &details].concat()).await;
    assert_eq!(response.gives(200)["status"], "succeeded");
    let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!(order["billing_address"]["name"], "Charles Babbage");
    assert_eq!(order["billing_address"]["address"]["city"], "Portland");
    assert_eq!(order["address"]["name"], "Ada Lovelace");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_payer_types_for_the_bill_is_one_short_line_wherever_it_is_shown() {
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    let long = "x".repeat(4_000);
    let details = [
        ("payment_method_data[billing_details][name]", "Charles\u{202e}\r\n\r\nReply to: eve@example.com\u{2069}"),
        ("payment_method_data[billing_details][phone]", &long),
        ("payment_method_data[billing_details][address][line1]", &long),
        ("payment_method_data[billing_details][address][line2]", "\u{202e}"),
        ("payment_method_data[billing_details][address][city]", "Port\u{2028}land"),
        ("payment_method_data[billing_details][address][state]", "OR"),
        ("payment_method_data[billing_details][address][postal_code]", &long),
        ("payment_method_data[billing_details][address][country]", "US"),
    ];
    let response = stripe.confirms_with(&intent, &[&card("4242424242424242")[..], &details].concat()).await;
    assert_eq!(response.gives(200)["status"], "succeeded");
    let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    let expected = json!({
        "name": "Charles Reply to: eve@example.com",
        "phone": "x".repeat(32),
        "address": {
            "line1": "x".repeat(100), "city": "Port land", "state": "OR", "postal_code": "x".repeat(32),
            "country": "US",
        },
    });
    assert_eq!(order["billing_address"], expected);
    let mail = shop.mail_to("owner@example.com", "1001").await;
    assert!(!mail.text.lines().any(|line| line.trim_start().starts_with("Reply to:")), "{}", mail.text);
    assert!(!mail.text.contains('\u{202e}'), "{}", mail.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payment_says_at_the_provider_what_it_is_for_and_where_it_is_shipped() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let (one, halo) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Halo").await);
    let mut cart = Person::cart(&[(&one, 2), (&halo, 1)]);
    cart["shippingAddress"]["phone"] = json!("+1 415 555 0100");
    let created = buyer.asks_to_pay(&cart).await.gives(200);
    let intent = stripe.intent(created["paymentIntent"]["id"].as_str().unwrap()).await;
    let description = intent["description"].as_str().unwrap();
    assert!(description.starts_with("Nudgelight: "), "{description}");
    assert!(description.contains("2 × Nudgelight One") && description.contains("1 × Nudgelight Halo"), "{description}");
    let shipping = &intent["shipping"];
    assert_eq!((&shipping["name"], &shipping["phone"]), (&json!("Ada Lovelace"), &json!("+1 415 555 0100")));
    let address = json!({
        "line1": "12 Lamp Street", "line2": null, "city": "Brightwater", "state": "CA", "postal_code": "94110",
        "country": "US",
    });
    assert_eq!(shipping["address"], address);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_cards_address_the_bill_goes_where_the_parcel_goes() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let order_id = buyer.buys(&stripe, &one, 1).await;
    let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
    assert_eq!(order["billing_address"], order["address"]);
    let card = json!({ "brand": "visa", "last4": "4242" });
    assert_eq!(order["payment"], json!({ "status": "paid", "refunded": 0.0, "dispute": "none", "card": card }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_has_the_brand_and_the_last_digits_of_its_card() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    for (method, brand, last4) in [("pm_card_mastercard", "mastercard", "4444"), ("pm_card_amex", "amex", "0005")] {
        let intent = buyer.starts_payment(&[(&one, 1)]).await;
        stripe.takes(&intent, method).await;
        let order_id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
        let order = buyer.get(&format!("/api/orders/{order_id}")).await.gives(200);
        assert_eq!(order["payment"]["card"], json!({ "brand": brand, "last4": last4 }));
    }
}
