//! Payment intents, as used by the shop's server and the browser.

use stripe::StripeError;
use stripe_core::payment_intent::{
    CancelPaymentIntent, ConfirmPaymentIntent, CreatePaymentIntent, ListPaymentIntent, RetrievePaymentIntent,
    UpdatePaymentIntent,
};
use stripe_shared::{ApiErrorsCode, PaymentIntentStatus};
use stripe_types::{Currency, Expandable};

use super::Account;

const TYPED_CARD: &str = "payment_method_data[type]=card&payment_method_data[card][number]=4242+4242+4242+4242\
    &payment_method_data[card][exp_month]=12&payment_method_data[card][exp_year]=2040\
    &payment_method_data[card][cvc]=123&payment_method_data[billing_details][name]=Ada+Lovelace\
    &payment_method_data[billing_details][address][line1]=12+Front+St\
    &payment_method_data[billing_details][address][country]=CA";

#[tokio::test]
async fn a_typed_card_pays_and_the_server_sees_charge_and_billing_details() {
    let account = Account::open().await;
    let intent = account.intent_of(5980).await;
    assert_eq!(intent.status, PaymentIntentStatus::RequiresPaymentMethod);
    let reply = account.confirm(&intent, TYPED_CARD).await;
    assert_eq!(reply.body["status"], "succeeded", "{}", reply.body);

    let paid = RetrievePaymentIntent::new(intent.id.clone())
        .expand(vec!["latest_charge".to_owned(), "payment_method".to_owned()])
        .send(&account.stripe)
        .await
        .unwrap();
    assert_eq!((paid.status, paid.amount_received, paid.livemode), (PaymentIntentStatus::Succeeded, 5980, false));
    assert_eq!(paid.metadata["checkout_id"], "c1");
    let Some(Expandable::Object(charge)) = paid.latest_charge else { panic!("no charge") };
    assert_eq!(charge.billing_details.name.as_deref(), Some("Ada Lovelace"));
    assert!(charge.paid && charge.captured && !charge.refunded);
    let Some(Expandable::Object(method)) = paid.payment_method else { panic!("no method") };
    assert_eq!(method.card.unwrap().last4, "4242");
}

#[tokio::test]
async fn a_declined_card_leaves_the_intent_open_for_the_next_one() {
    let account = Account::open().await;
    for (card, code, decline_code) in [
        ("pm_card_chargeDeclined", "card_declined", "generic_decline"),
        ("pm_card_visa_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"),
        ("pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card"),
        ("pm_card_chargeDeclinedIncorrectCvc", "incorrect_cvc", "incorrect_cvc"),
    ] {
        let intent = account.intent_of(1000).await;
        let reply = account.confirm(&intent, &format!("payment_method={card}")).await;
        let error = &reply.body["error"];
        assert_eq!(reply.status, 402, "{card}");
        assert_eq!((&error["type"], &error["code"]), (&"card_error".into(), &code.into()), "{card}");
        assert_eq!(error["decline_code"], decline_code, "{card}");
        assert_eq!(error["payment_intent"]["status"], "requires_payment_method", "{card}");
        assert_eq!(error["payment_intent"]["last_payment_error"]["code"], code, "{card}");
        assert!(error["payment_intent"].get("metadata").is_none(), "{card}: metadata is not for the browser");

        let next = account.confirm(&intent, "payment_method=pm_card_visa").await;
        assert_eq!(next.body["status"], "succeeded", "{card}");
        assert!(next.body["last_payment_error"].is_null(), "{card}");
    }
}

#[tokio::test]
async fn the_servers_client_reads_a_decline_as_an_error_with_its_intent() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    let refused = ConfirmPaymentIntent::new(intent.id.clone())
        .payment_method("pm_card_chargeDeclined")
        .send(&account.stripe)
        .await;
    let Err(StripeError::Stripe(error, 402)) = refused else { panic!("not declined: {refused:?}") };
    assert_eq!(error.code, Some(ApiErrorsCode::CardDeclined));
    let shown = error.payment_intent.unwrap();
    assert_eq!((shown.id, shown.status), (intent.id, PaymentIntentStatus::RequiresPaymentMethod));
}

#[tokio::test]
async fn a_wrong_number_never_reaches_the_intent() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    for (number, code) in [("4242424242424241", "incorrect_number"), ("4111111111111111", "card_declined")] {
        let card = TYPED_CARD.replace("4242+4242+4242+4242", number);
        let reply = account.confirm(&intent, &card).await;
        assert_eq!((reply.status, reply.body["error"]["code"].as_str()), (402, Some(code)));
        assert!(reply.body["error"].get("payment_intent").is_none());
    }
    let untouched = RetrievePaymentIntent::new(intent.id).send(&account.stripe).await.unwrap();
    assert!(untouched.last_payment_error.is_none() && untouched.latest_charge.is_none());
}

#[tokio::test]
async fn amounts_change_before_payment_and_never_after() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    let changed = UpdatePaymentIntent::new(intent.id.clone()).amount(2000).send(&account.stripe).await.unwrap();
    assert_eq!(changed.amount, 2000);
    account.confirm(&intent, "payment_method=pm_card_visa").await;
    let refused = UpdatePaymentIntent::new(intent.id.clone()).amount(1).send(&account.stripe).await;
    assert!(matches!(refused, Err(StripeError::Stripe(_, 400))), "{refused:?}");
    let refused = UpdatePaymentIntent::new(intent.id.clone()).amount(3000).send(&account.stripe).await;
    let Err(StripeError::Stripe(error, 400)) = refused else { panic!("{refused:?}") };
    assert_eq!(error.code, Some(ApiErrorsCode::PaymentIntentUnexpectedState));
}

#[tokio::test]
async fn an_intent_is_cancelled_unless_it_was_paid() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    let canceled = CancelPaymentIntent::new(intent.id.clone()).send(&account.stripe).await.unwrap();
    assert_eq!(canceled.status, PaymentIntentStatus::Canceled);
    let late = account.confirm(&intent, "payment_method=pm_card_visa").await;
    assert_eq!(late.body["error"]["code"], "payment_intent_unexpected_state");

    let paid = account.paid(1000).await;
    let refused = CancelPaymentIntent::new(paid.id).send(&account.stripe).await;
    let Err(StripeError::Stripe(error, 400)) = refused else { panic!("{refused:?}") };
    assert_eq!(error.code, Some(ApiErrorsCode::PaymentIntentUnexpectedState));
    assert_eq!(error.payment_intent.unwrap().status, PaymentIntentStatus::Succeeded);
}

#[tokio::test]
async fn an_intent_made_with_a_card_is_confirmed_at_once() {
    let account = Account::open().await;
    let paid = CreatePaymentIntent::new(1000, Currency::USD)
        .payment_method("pm_card_visa")
        .confirm(true)
        .return_url("https://shop.example/back")
        .send(&account.stripe)
        .await
        .unwrap();
    assert_eq!(paid.status, PaymentIntentStatus::Succeeded);
}

#[tokio::test]
async fn intents_are_listed_newest_first_in_pages() {
    let account = Account::open().await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(account.intent_of(1000).await.id);
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    made.reverse();
    let first = ListPaymentIntent::new().limit(2).send(&account.stripe).await.unwrap();
    assert!(first.has_more);
    assert_eq!(first.data.iter().map(|intent| intent.id.clone()).collect::<Vec<_>>(), made[..2]);
    let rest = ListPaymentIntent::new().starting_after(made[1].as_str()).send(&account.stripe).await.unwrap();
    assert!(!rest.has_more);
    assert_eq!(rest.data[0].id, made[2]);
}

#[tokio::test]
async fn a_publishable_key_opens_only_the_intent_whose_secret_is_shown() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    let public = &account.keys.publishable_key;
    let path = format!("/v1/payment_intents/{}", intent.id);
    let see = async |query: &str| {
        let request = account.http.get(format!("{}{path}?{query}", account.base)).bearer_auth(public);
        super::read(request).await
    };
    let right = see(&format!("client_secret={}", intent.client_secret.as_deref().unwrap())).await;
    assert_eq!((right.status, right.body["amount"].as_i64()), (200, Some(1000)));
    for hidden in ["metadata", "latest_charge", "amount_received", "customer"] {
        assert!(right.body.get(hidden).is_none(), "{hidden}");
    }
    assert_eq!(see("").await.body["error"]["code"], "parameter_missing");
    assert_eq!(see("client_secret=pi_x_secret_y").await.body["error"]["param"], "client_secret");
    for (path, form) in [("/v1/payment_intents", "amount=500&currency=usd"), ("/v1/refunds", "charge=ch_1")] {
        let refused = account.post_as(public, path, form).await;
        assert_eq!((refused.status, refused.body["error"]["code"].as_str()), (403, Some("secret_key_required")));
    }
}

#[tokio::test]
async fn who_shows_no_key_or_a_wrong_one_is_turned_away() {
    let account = Account::open().await;
    let nobody = super::read(account.http.get(format!("{}/v1/payment_intents", account.base))).await;
    assert_eq!(nobody.status, 401);
    let stranger = account.post_as("sk_test_wrong", "/v1/payment_intents", "amount=500&currency=usd").await;
    assert_eq!(stranger.status, 401);
    let basic =
        account.http.get(format!("{}/v1/payment_intents", account.base)).basic_auth(&account.keys.secret_key, Some(""));
    assert_eq!(super::read(basic).await.status, 200);
}

#[tokio::test]
async fn wrong_parameters_are_named() {
    let account = Account::open().await;
    for (form, code, param) in [
        ("currency=usd", "parameter_missing", "amount"),
        ("amount=500", "parameter_missing", "currency"),
        ("amount=5.5&currency=usd", "parameter_invalid_integer", "amount"),
        ("amount=0&currency=usd", "parameter_invalid_integer", "amount"),
        ("amount=49&currency=usd", "amount_too_small", "amount"),
        ("amount=100000000&currency=usd", "amount_too_large", "amount"),
        ("amount=500&currency=usd&colour=red", "parameter_unknown", "colour"),
        ("amount=500&currency=usd&return_url=javascript:alert(1)", "url_invalid", "return_url"),
        ("amount=500&currency=usd&confirm=true&payment_method=pm_1", "resource_missing", "payment_method"),
    ] {
        let reply = account.post("/v1/payment_intents", form).await;
        let error = &reply.body["error"];
        assert_eq!((reply.status, error["code"].as_str(), error["param"].as_str()), (400, Some(code), Some(param)));
    }
    assert_eq!(account.get("/v1/payment_intents").await.body["data"], serde_json::json!([]));
    assert_eq!(account.get("/v1/payment_intents/pi_nobody").await.status, 404);
    assert_eq!(account.get("/v1/payment_intents/%00").await.status, 404);
    for unknown in ["/v1/customers", "/v1/payment_intents/pi_1/capture", "/v1/refunds/re_1/cancel"] {
        assert_eq!(account.post(unknown, "").await.body["error"]["type"], "invalid_request_error", "{unknown}");
    }
    assert_eq!(account.get("/v1/payment_intents/pi_1/confirm").await.status, 404);
}
