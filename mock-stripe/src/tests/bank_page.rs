//! 3-D Secure: the intent requires action, the bank's page decides.

use stripe_shared::PaymentIntent;

use super::Account;

/// An intent with a pending challenge, and the bank's page.
async fn challenged(account: &Account, card: &str) -> (PaymentIntent, String) {
    let intent = account.intent_of(5980).await;
    let reply = account.confirm(&intent, &format!("payment_method={card}")).await;
    assert_eq!(reply.body["status"], "requires_action", "{}", reply.body);
    let action = &reply.body["next_action"];
    assert_eq!(action["redirect_to_url"]["return_url"], "http://localhost:5173/back?a=1");
    (intent, action["redirect_to_url"]["url"].as_str().unwrap().to_owned())
}

async fn submit_choice(account: &Account, page: &str, outcome: &str) -> reqwest::Response {
    let form = account.http.post(page).header("content-type", "application/x-www-form-urlencoded");
    form.body(format!("outcome={outcome}")).send().await.unwrap()
}

fn location(response: &reqwest::Response) -> &str {
    assert_eq!(response.status(), 303);
    response.headers()["location"].to_str().unwrap()
}

#[tokio::test]
async fn an_approved_payment_goes_back_to_the_shop_as_succeeded() {
    let account = Account::open().await;
    let (intent, page) = challenged(&account, "pm_card_threeDSecure2Required").await;
    let shown = account.http.get(&page).send().await.unwrap();
    let policy = shown.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && policy.contains("form-action 'self' http://localhost:5173"));
    let html = shown.text().await.unwrap();
    assert!(html.contains("$59.80") && html.contains("Complete") && !html.contains("<script"), "{html}");

    let back = submit_choice(&account, &page, "complete").await;
    let expected = format!(
        "http://localhost:5173/back?a=1&payment_intent={}&payment_intent_client_secret={}&redirect_status=succeeded",
        intent.id,
        intent.client_secret.as_deref().unwrap()
    );
    assert_eq!(location(&back), expected);
    let path = format!("/v1/payment_intents/{}?expand[]=latest_charge", intent.id);
    let paid = account.get(&path).await.body;
    assert_eq!((&paid["status"], &paid["next_action"]), (&"succeeded".into(), &serde_json::Value::Null));
    let secure = &paid["latest_charge"]["payment_method_details"]["card"]["three_d_secure"];
    assert_eq!(secure["result"], "authenticated");

    assert_eq!(
        location(&submit_choice(&account, &page, "fail").await),
        expected,
        "a late challenge result changes nothing"
    );
    assert_eq!(location(&account.http.get(&page).send().await.unwrap()), expected);
}

#[tokio::test]
async fn a_refused_payment_goes_back_as_failed_and_another_card_may_try() {
    let account = Account::open().await;
    let (intent, page) = challenged(&account, "pm_card_authenticationRequiredOnSetup").await;
    let back = submit_choice(&account, &page, "fail").await;
    assert!(location(&back).ends_with("redirect_status=failed"));
    let open = account.get(&format!("/v1/payment_intents/{}", intent.id)).await.body;
    assert_eq!(open["status"], "requires_payment_method");
    assert_eq!(open["last_payment_error"]["code"], "payment_intent_authentication_failure");
    let next = account.confirm(&intent, "payment_method=pm_card_visa").await;
    assert_eq!(next.body["status"], "succeeded");
}

#[tokio::test]
async fn a_card_can_be_approved_and_still_declined() {
    let account = Account::open().await;
    let (intent, page) = challenged(&account, "pm_card_threeDSecureRequiredChargeDeclined").await;
    assert!(location(&submit_choice(&account, &page, "complete").await).ends_with("redirect_status=failed"));
    let open = account.get(&format!("/v1/payment_intents/{}", intent.id)).await.body;
    assert_eq!(open["last_payment_error"]["code"], "card_declined");
}

#[tokio::test]
async fn without_the_secret_there_is_nothing_to_see_or_press() {
    let account = Account::open().await;
    let (intent, page) = challenged(&account, "pm_card_threeDSecure2Required").await;
    let bare = page.split('?').next().unwrap();
    for wrong in [bare.to_owned(), format!("{bare}?client_secret=x"), page.replace("3ds/pi_", "3ds/pi_x")] {
        assert_eq!(account.http.get(&wrong).send().await.unwrap().status(), 404, "{wrong}");
        assert_eq!(submit_choice(&account, &wrong, "complete").await.status(), 404, "{wrong}");
    }
    assert_eq!(submit_choice(&account, &page, "maybe").await.status(), 400);
    let open = account.get(&format!("/v1/payment_intents/{}", intent.id)).await.body;
    assert_eq!(open["status"], "requires_action");
}

#[tokio::test]
async fn the_bank_leads_to_the_shop_and_to_a_developers_own_machine_and_nowhere_else() {
    let account = Account::open().await;
    let shop = account.base.replace("/test-stripe", "");
    let paying = async |return_url: &str| {
        let intent = account.intent_of(5980).await;
        let reply =
            account.confirm_and_return(&intent, "payment_method=pm_card_threeDSecure2Required", return_url).await;
        let page = reply.body["next_action"]["redirect_to_url"]["url"].as_str().unwrap().to_owned();
        (intent, page)
    };
    for own in [format!("{shop}/checkout"), "http://localhost:5173/".into(), "http://[::1]:8080/x".into()] {
        let (_, page) = paying(&own).await;
        assert_eq!(account.http.get(&page).send().await.unwrap().status(), 200, "{own}");
        assert!(location(&submit_choice(&account, &page, "complete").await).starts_with(&own), "{own}");
    }
    for foreign in ["https://evil.example/", "http://localhost.evil.example/", "http://127.0.0.1@evil.example/"] {
        let (intent, page) = paying(foreign).await;
        let shown = account.http.get(&page).send().await.unwrap();
        assert_eq!((shown.status().as_u16(), shown.headers().get("location")), (400, None), "{foreign}");
        let pressed = submit_choice(&account, &page, "complete").await;
        assert_eq!((pressed.status().as_u16(), pressed.headers().get("location")), (400, None), "{foreign}");
        let open = account.get(&format!("/v1/payment_intents/{}", intent.id)).await.body;
        assert_eq!(open["status"], "requires_action", "{foreign}");
    }
}
