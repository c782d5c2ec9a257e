//! Fault injection: requests that fail, hang or lose their response.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Account;

const CREATE: &str = "/v1/payment_intents";
const FORM: &str = "amount=500&currency=usd";

async fn count(account: &Account) -> usize {
    account.get("/v1/payment_intents?limit=100").await.body["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_call_fails_as_often_as_told_and_does_nothing() {
    let account = Account::open().await;
    let rule = json!({"method": "POST", "path": CREATE, "times": 2, "action": {"fail": {"status": 503}}});
    account.control(json!({"calls": [rule]})).await;
    assert_eq!(account.get("/control").await.body["calls"], json!([rule]));
    assert_eq!(account.post_once("k", CREATE, FORM).await.status, 503);
    assert_eq!(account.post_once("k", CREATE, FORM).await.status, 503);
    assert_eq!(count(&account).await, 0, "GET is not meant");
    assert_eq!(account.post_once("k", CREATE, FORM).await.status, 200);
}

#[tokio::test]
async fn a_lost_answer_is_found_again_by_its_key() {
    let account = Account::open().await;
    account.control(json!({"calls": [{"path": CREATE, "times": 1, "action": {"lose_answer": {"ms": 0}}}]})).await;
    let lost = account
        .http
        .post(format!("{}{CREATE}", account.base))
        .bearer_auth(&account.keys.secret_key)
        .header("idempotency-key", "k")
        .body(FORM)
        .send()
        .await;
    let body = match lost {
        Ok(response) => response.bytes().await.map(|_| ()),
        Err(error) => Err(error),
    };
    assert!(body.is_err(), "the response must not arrive");
    let again = account.post_once("k", CREATE, FORM).await;
    assert!(again.status == 200 && again.replayed);
    assert_eq!(count(&account).await, 1);
}

#[tokio::test]
async fn a_hanging_call_holds_its_key_and_is_done_even_if_the_caller_hangs_up() {
    let account = Account::open().await;
    account.control(json!({"calls": [{"path": CREATE, "times": 1, "action": {"hang": {"ms": 600}}}]})).await;
    let impatient = account.post_once("k", CREATE, FORM);
    assert!(tokio::time::timeout(Duration::from_millis(200), impatient).await.is_err());
    let meanwhile = account.post_once("k", CREATE, FORM).await;
    assert_eq!((meanwhile.status, meanwhile.body["error"]["code"].as_str()), (409, Some("idempotency_key_in_use")));
    let started = Instant::now();
    let done = loop {
        let reply = account.post_once("k", CREATE, FORM).await;
        if reply.status == 200 {
            break reply;
        }
        assert!(started.elapsed() < Duration::from_secs(5));
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(done.replayed, "it was the first call that did it");
    assert_eq!(count(&account).await, 1);
}

#[tokio::test]
async fn the_control_belongs_to_the_secret_key_and_refuses_nonsense() {
    let account = Account::open().await;
    let url = format!("{}/control", account.base);
    assert_eq!(account.http.get(&url).send().await.unwrap().status(), 401);
    let public = account.http.get(&url).bearer_auth(&account.keys.publishable_key);
    assert_eq!(public.send().await.unwrap().status(), 403);
    for wrong in [
        "{",
        r#"{"webhook": {}}"#,
        r#"{"webhooks": {"drop_percent": 101}}"#,
        r#"{"calls": [{"path": "/v1", "times": 0, "action": {"hang": {"ms": 1}}}]}"#,
        r#"{"calls": [{"path": "/api", "times": 1, "action": {"hang": {"ms": 1}}}]}"#,
        r#"{"calls": [{"path": "/v1", "times": 1, "action": {"fail": {"status": 200}}}]}"#,
    ] {
        let request = account.http.post(&url).bearer_auth(&account.keys.secret_key).body(wrong);
        assert_eq!(request.send().await.unwrap().status(), 400, "{wrong}");
    }
    account.control(json!({"webhooks": {"delay_ms": 9}})).await;
    let cleared = account.http.delete(&url).bearer_auth(&account.keys.secret_key);
    assert_eq!(super::read(cleared).await.body["webhooks"]["delay_ms"], 0);
}
