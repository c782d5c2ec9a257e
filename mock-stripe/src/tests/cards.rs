//! Effects of Stripe's test cards, over HTTP.

use serde_json::{Value, json};

use super::Account;
use crate::cards::{Authentication, CARDS};
use crate::refunds;

/// Result of a documented card: the intent's status, or the error code.
async fn outcome(account: &Account, card: &str) -> String {
    let intent = account.intent_of(1000).await;
    let reply = account.confirm(&intent, card).await;
    let shown = if reply.status == 200 { &reply.body["status"] } else { &reply.body["error"]["code"] };
    shown.as_str().unwrap().to_owned()
}

fn typed(number: &str, cvc: &str) -> String {
    format!(
        "payment_method_data[type]=card&payment_method_data[card][number]={number}\
         &payment_method_data[card][exp_month]=12&payment_method_data[card][exp_year]=2040{cvc}"
    )
}

#[tokio::test]
async fn every_documented_card_is_known_by_its_number_and_its_names() {
    let account = Account::open().await;
    for card in CARDS {
        let expected = match (card.decline, card.authentication) {
            (_, Authentication::Required | Authentication::RequiredOnSession) => "requires_action",
            (Some(decline), _) => decline.code(),
            (None, _) => "succeeded",
        };
        let cvc = if card.brand == "amex" { "1234" } else { "123" };
        let number = typed(card.number, &format!("&payment_method_data[card][cvc]={cvc}"));
        assert_eq!(outcome(&account, &number).await, expected, "{}", card.number);
        if !card.name.is_empty() {
            let named = format!("payment_method=pm_card_{}", card.name);
            assert_eq!(outcome(&account, &named).await, expected, "{}", card.name);
        }
    }
}

#[tokio::test]
async fn a_security_code_that_is_not_given_cannot_be_wrong() {
    let account = Account::open().await;
    assert_eq!(outcome(&account, &typed("4000000000000127", "")).await, "succeeded");
    assert_eq!(
        outcome(&account, &typed("4000000000000127", "&payment_method_data[card][cvc]=123")).await,
        "incorrect_cvc"
    );
}

#[tokio::test]
async fn checks_and_risk_stand_on_the_charge() {
    let account = Account::open().await;
    let address = "&payment_method_data[card][cvc]=123&payment_method_data[billing_details][address][line1]=1+Main+St\
        &payment_method_data[billing_details][address][postal_code]=10001";
    for (number, line1, postal_code, cvc, risk) in [
        ("4242424242424242", "pass", "pass", "pass", "normal"),
        ("4000000000000101", "pass", "pass", "fail", "normal"),
        ("4000000000000036", "pass", "fail", "pass", "normal"),
        ("4000000000000028", "fail", "pass", "pass", "normal"),
        ("4000000000000010", "fail", "fail", "pass", "normal"),
        ("4000000000000044", "unavailable", "unavailable", "pass", "normal"),
        ("4000058400307872", "pass", "pass", "fail", "elevated"),
        ("4000000000009235", "pass", "pass", "pass", "elevated"),
    ] {
        let intent = account.intent_of(1000).await;
        account.confirm(&intent, &typed(number, address)).await;
        let path = format!("/v1/payment_intents/{}?expand[]=latest_charge", intent.id);
        let charge = account.get(&path).await.body["latest_charge"].take();
        let checks = json!({
            "address_line1_check": line1, "address_postal_code_check": postal_code, "cvc_check": cvc,
        });
        assert_eq!(charge["payment_method_details"]["card"]["checks"], checks, "{number}");
        assert_eq!(charge["outcome"]["risk_level"], risk, "{number}");
    }
}

#[tokio::test]
async fn a_cardholder_who_is_away_cannot_be_asked() {
    let account = Account::open().await;
    for (card, presence, status, shown) in [
        ("pm_card_authenticationRequired", "off_session=true", 402, "authentication_required"),
        ("pm_card_authenticationRequired", "error_on_requires_action=true", 402, "authentication_required"),
        ("pm_card_authenticationRequiredSetupForOffSession", "off_session=true", 200, "succeeded"),
        ("pm_card_authenticationRequiredSetupForOffSession", "off_session=false", 200, "requires_action"),
        ("pm_card_visa", "off_session=one_off&error_on_requires_action=true", 200, "succeeded"),
    ] {
        let form = format!("amount=1000&currency=usd&confirm=true&payment_method={card}&{presence}");
        let reply = account.post("/v1/payment_intents", &form).await;
        let word = if status == 200 { &reply.body["status"] } else { &reply.body["error"]["code"] };
        assert_eq!((reply.status, word.as_str()), (status, Some(shown)), "{card} {presence}");
    }
}

#[tokio::test]
async fn a_card_without_a_challenge_is_authenticated_all_the_same() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    account.confirm(&intent, &typed("4000000032200000", "")).await;
    let path = format!("/v1/payment_intents/{}?expand[]=latest_charge", intent.id);
    let shown = account.get(&path).await.body;
    let three_d_secure = &shown["latest_charge"]["payment_method_details"]["card"]["three_d_secure"];
    assert_eq!(three_d_secure["authentication_flow"], "frictionless", "{shown}");
}

/// A refund of a payment with this card, before and after the bank's decision.
async fn refunded_later(account: &Account, card: &str) -> (Value, Value) {
    let intent = account.intent_of(1000).await;
    account.confirm(&intent, &format!("payment_method={card}")).await;
    let refund = account.post("/v1/refunds", &format!("payment_intent={}&amount=400", intent.id)).await.body;
    let path = format!("/v1/refunds/{}?expand[]=charge", refund["id"].as_str().unwrap());
    refunds::settle_due(&account.inside).await.unwrap();
    assert_eq!(account.get(&path).await.body["status"], refund["status"], "settled too early");
    account.clock.advance(10_000);
    refunds::settle_due(&account.inside).await.unwrap();
    refunds::settle_due(&account.inside).await.unwrap();
    (refund, account.get(&path).await.body)
}

#[tokio::test]
async fn a_refund_may_succeed_later() {
    let account = Account::open().await;
    let (first, last) = refunded_later(&account, "pm_card_pendingRefund").await;
    assert_eq!((&first["status"], &last["status"]), (&json!("pending"), &json!("succeeded")));
    assert_eq!(last["charge"]["amount_refunded"], 400);
    assert_eq!(account.kinds_about(first["id"].as_str().unwrap()).await, ["refund.created", "refund.updated"]);
}

#[tokio::test]
async fn a_refund_may_fail_later_and_the_money_is_there_to_refund_again() {
    let account = Account::open().await;
    let (first, last) = refunded_later(&account, "pm_card_refundFail").await;
    assert_eq!((&first["status"], &last["status"]), (&json!("succeeded"), &json!("failed")));
    assert_eq!(last["charge"]["amount_refunded"], 0);
    assert!(last["failure_reason"].is_string(), "{last}");
    assert_eq!(account.kinds_about(first["id"].as_str().unwrap()).await, ["refund.created", "refund.failed"]);
}
