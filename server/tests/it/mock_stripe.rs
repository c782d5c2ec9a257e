//! The mock Stripe behaves like Stripe wherever the shop, a browser or an unauthorized client could notice a
//! difference.

use serde_json::json;

use crate::harness::{ApiResponse, Client, Intent, Stripe, TestShop, eventually, form, together};

async fn shop_with_intent() -> (TestShop, Stripe, Intent) {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    (shop, stripe, intent)
}

/// Asserts an error in Stripe's format.
fn refuses(response: &ApiResponse, status: u16, kind: &str) {
    assert_eq!((response.status, response.json()["error"]["type"].as_str()), (status, Some(kind)), "{response}");
    assert!(response.json()["error"]["message"].is_string(), "{response}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_gets_in_without_a_key_and_a_browsers_key_opens_only_its_own_intent() {
    let (shop, stripe, intent) = shop_with_intent().await;
    let visitor = shop.visitor();
    let path = format!("/v1/payment_intents/{}", intent.id);
    let publishable =
        visitor.get("/api/config").await.json()["payments"]["publishable_key"].as_str().unwrap().to_owned();
    refuses(&visitor.get(&format!("/test-stripe{path}")).await, 401, "invalid_request_error");
    refuses(&stripe.call("GET", &path, "sk_test_wrong", &[]).await, 401, "invalid_request_error");

    assert!(stripe.call("GET", &path, &publishable, &[]).await.status >= 400);
    let wrong = format!("{path}?client_secret={}_secret_wrong", intent.id);
    assert!(stripe.call("GET", &wrong, &publishable, &[]).await.status >= 400);
    let own = stripe
        .call("GET", &format!("{path}?client_secret={}", intent.client_secret), &publishable, &[])
        .await
        .gives(200);
    assert_eq!(own["amount"], json!(3175));
    assert!(own.get("metadata").is_none() && own.get("latest_charge").is_none(), "{own}");

    let confirm = [("payment_method", "pm_card_visa")];
    assert!(stripe.call("POST", &format!("{path}/confirm"), &publishable, &confirm).await.status >= 400);
    let forbidden = [
        ("POST", "/v1/refunds", vec![("payment_intent", intent.id.as_str())]),
        ("POST", path.as_str(), vec![("amount", "1"), ("client_secret", intent.client_secret.as_str())]),
        ("GET", "/v1/payment_intents", vec![]),
    ];
    for (method, path, fields) in forbidden {
        refuses(&stripe.call(method, path, &publishable, &fields).await, 403, "invalid_request_error");
    }
    let cancel = stripe.call("POST", &format!("{path}/cancel"), &publishable, &[]).await;
    refuses(&cancel, 403, "invalid_request_error");
    assert_eq!(stripe.intent(&intent.id).await["status"], "requires_payment_method");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idempotency_key_repeats_its_first_answer_and_refuses_another_question() {
    let shop = TestShop::open().await;
    let keys = shop.mock_stripe_keys().await;
    let visitor = shop.visitor();
    let create = async |key: &str, amount: &str| {
        let request = visitor.request("POST", "/test-stripe/v1/payment_intents").bearer_auth(&keys.secret_key);
        let request =
            request.header("idempotency-key", key).header("content-type", "application/x-www-form-urlencoded");
        visitor.send(request.body(form(&[("amount", amount), ("currency", "usd")]))).await
    };
    let first = create("one", "500").await;
    let again = create("one", "500").await;
    assert_eq!(first.gives(200), again.gives(200));
    assert_eq!((first.header("idempotent-replayed"), again.header("idempotent-replayed")), (None, Some("true")));
    refuses(&create("one", "600").await, 400, "idempotency_error");
    assert_ne!(create("two", "500").await.gives(200)["id"], first.json()["id"]);

    let responses = together(10, |_| {
        let request = visitor.request("POST", "/test-stripe/v1/payment_intents").bearer_auth(&keys.secret_key);
        let request =
            request.header("idempotency-key", "three").header("content-type", "application/x-www-form-urlencoded");
        let (visitor, request) = (visitor.clone(), request.body(form(&[("amount", "700"), ("currency", "usd")])));
        async move { visitor.send(request).await }
    })
    .await;
    let mut ids: Vec<String> = responses
        .iter()
        .filter(|response| response.status == 200)
        .map(|response| response.json()["id"].to_string())
        .collect();
    ids.dedup();
    assert_eq!(ids.len(), 1, "{responses:?}");
    assert!(responses.iter().all(|response| matches!(response.status, 200 | 409)), "{responses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_parameter_that_stripe_does_not_know_is_refused_by_name() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let create = async |fields: &[(&str, &str)]| stripe.as_shop("POST", "/v1/payment_intents", fields).await;
    type Refused<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);
    let wrong: [Refused<'_>; 5] = [
        (&[("amount", "500"), ("currency", "usd"), ("colour", "red")], "parameter_unknown", "colour"),
        (&[("currency", "usd")], "parameter_missing", "amount"),
        (&[("amount", "5.00"), ("currency", "usd")], "parameter_invalid_integer", "amount"),
        (&[("amount", "500")], "parameter_missing", "currency"),
        (&[("amount", ""), ("currency", "usd")], "parameter_invalid_empty", "amount"),
    ];
    for (fields, code, param) in wrong {
        let response = create(fields).await;
        refuses(&response, 400, "invalid_request_error");
        let error = &response.json()["error"];
        assert_eq!((error["code"].as_str(), error["param"].as_str()), (Some(code), Some(param)), "{response}");
    }
    refuses(&stripe.as_shop("GET", "/v1/payment_intents/pi_nothing", &[]).await, 404, "invalid_request_error");
    refuses(&stripe.as_shop("GET", "/v1/customers", &[]).await, 404, "invalid_request_error");
}

// invariant: exactly-once-orders
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_browsers_that_confirm_at_once_pay_once() {
    let (_shop, stripe, intent) = shop_with_intent().await;
    let responses = together(10, |_| {
        let (stripe, intent) = (stripe.clone(), intent.clone());
        async move { stripe.confirms(&intent, "pm_card_visa").await }
    })
    .await;
    let paid = responses.iter().filter(|response| response.status == 200).count();
    assert_eq!(paid, 1, "{responses:?}");
    let paid = stripe.intent(&intent.id).await;
    assert_eq!(paid["amount_received"], paid["amount"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_paid_cannot_be_paid_cancelled_or_changed() {
    let (_shop, stripe, intent) = shop_with_intent().await;
    stripe.takes(&intent, "pm_card_visa").await;
    let path = format!("/v1/payment_intents/{}", intent.id);
    let calls = [
        stripe.confirms(&intent, "pm_card_visa").await,
        stripe.as_shop("POST", &format!("{path}/cancel"), &[]).await,
        stripe.as_shop("POST", &path, &[("amount", "500")]).await,
    ];
    for response in calls {
        refuses(&response, 400, "invalid_request_error");
        assert_eq!(response.json()["error"]["code"], "payment_intent_unexpected_state", "{response}");
    }
}

// invariant: no-over-refunds
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_refunds_never_give_back_more_than_was_paid() {
    let (_shop, stripe, intent) = shop_with_intent().await;
    stripe.takes(&intent, "pm_card_visa").await;
    // Eleven refunds, each of a tenth of the payment.
    let responses = together(11, |_| {
        let (stripe, id) = (stripe.clone(), intent.id.clone());
        async move { stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &id), ("amount", "317")]).await }
    })
    .await;
    assert_eq!(responses.iter().filter(|response| response.status == 200).count(), 10, "{responses:?}");
    let charge = stripe.intent(&intent.id).await["latest_charge"].clone();
    assert_eq!((charge["amount_refunded"].clone(), charge["refunded"].clone()), (json!(3170), json!(false)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_card_number_that_was_mistyped_is_refused_before_any_bank_sees_it() {
    let (_shop, stripe, intent) = shop_with_intent().await;
    let typed = [
        ("4242424242424241", "12", "2040", "123", "incorrect_number"),
        ("4242", "12", "2040", "123", "invalid_number"),
        ("4242424242424242", "13", "2040", "123", "invalid_expiry_month"),
        ("4242424242424242", "12", "2001", "123", "invalid_expiry_year"),
        ("4242424242424242", "12", "2040", "1", "invalid_cvc"),
    ];
    for (number, month, year, cvc, code) in typed {
        let fields = [
            ("payment_method_data[type]", "card"),
            ("payment_method_data[card][number]", number),
            ("payment_method_data[card][exp_month]", month),
            ("payment_method_data[card][exp_year]", year),
            ("payment_method_data[card][cvc]", cvc),
        ];
        let response = stripe.confirms_with(&intent, &fields).await;
        refuses(&response, 402, "card_error");
        assert_eq!(response.json()["error"]["code"].as_str(), Some(code), "{response}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_its_bank_refuses_later_raises_an_alert() {
    let (shop, stripe, intent) = shop_with_intent().await;
    stripe.takes(&intent, "pm_card_refundFail").await;
    let order = eventually("the order", async || shop.texts("SELECT id FROM orders").await.pop()).await;
    let (admin, path) = (shop.admin().await, format!("/api/admin/order/{order}"));
    let refunded = admin.patch(&path, &json!({ "status": "refunded" })).await.gives(200);
    assert_eq!((&refunded["payment"]["status"], &refunded["alerts"]), (&json!("refunded"), &json!([])));
    shop.clock.advance(10_000);
    eventually("the refund to fail", async || {
        (admin.get(&path).await.gives(200)["alerts"][0]["kind"] == "refund_failed").then_some(())
    })
    .await;
}

/// Stripe's Node clients accept a host, but no path before `/v1`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_account_is_at_the_root_of_an_address_of_its_own() {
    let shop = TestShop::open_with(&[("SHOP_TEST_STRIPE_ADDR", "127.0.0.1:0")]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let intent = buyer.starts_payment(&[(&one, 1)]).await;
    let root = Client::new(&shop.mock_stripe_url());
    let path = format!("/v1/payment_intents/{}", intent.id);
    let request = root.request("POST", &format!("{path}/confirm")).bearer_auth(stripe.secret_key());
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let paid = root.send(request.body(form(&[("payment_method", "pm_card_visa")]))).await.gives(200);
    assert_eq!((&paid["id"], &paid["status"]), (&json!(intent.id), &json!("succeeded")));
    assert_eq!(stripe.intent(&intent.id).await["status"], "succeeded");
    let order = buyer.asks_for_order(&intent.id).await;
    assert!(matches!(order.status, 200 | 201), "{order}");

    refuses(&root.get(&path).await, 401, "invalid_request_error");
    let request = root.request("GET", "/v1/customers").bearer_auth(stripe.secret_key());
    refuses(&root.send(request).await, 404, "invalid_request_error");
    // The shop itself is not served there.
    for path in ["/", "/api/products", "/test-stripe/v1/payment_intents"] {
        assert_eq!(root.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_exists_in_test_mode_alone() {
    let stripe = [
        ("STRIPE_SECRET_KEY", "sk_test_1"),
        ("STRIPE_PUBLISHABLE_KEY", "pk_test_1"),
        ("STRIPE_WEBHOOK_SECRET", "whsec_1"),
        // An unused port.
        ("STRIPE_API_BASE", "http://127.0.0.1:9"),
    ];
    let shop = TestShop::open_with(&stripe).await;
    let visitor = shop.visitor();
    for path in ["/test-stripe/v1/payment_intents", "/test-stripe/control", "/test-stripe/3ds/pi_1"] {
        visitor.get(path).await.refuses(404, "NotFound");
    }
    let config = visitor.get("/api/config").await.gives(200);
    assert_eq!((config["payments"]["kind"].as_str(), config["test_mode"].as_bool()), (Some("stripe"), Some(true)));
}
