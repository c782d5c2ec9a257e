//! Idempotency keys.

use super::Account;

const CREATE: &str = "/v1/payment_intents";

async fn count(account: &Account) -> usize {
    account.get("/v1/payment_intents?limit=100").await.body["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn the_first_answer_is_given_again() {
    let account = Account::open().await;
    let first = account.post_once("k", CREATE, "amount=500&currency=usd").await;
    let again = account.post_once("k", CREATE, "currency=usd&amount=500").await;
    assert!(!first.replayed && again.replayed);
    assert_eq!((first.status, &first.body), (again.status, &again.body));
    assert_eq!(count(&account).await, 1);
}

#[tokio::test]
async fn a_decline_is_given_again_too() {
    let account = Account::open().await;
    let intent = account.intent_of(500).await;
    let confirm = format!("{CREATE}/{}/confirm", intent.id);
    let first = account.post_once("k", &confirm, "payment_method=pm_card_chargeDeclined").await;
    let again = account.post_once("k", &confirm, "payment_method=pm_card_chargeDeclined").await;
    assert_eq!((first.status, again.status, again.replayed), (402, 402, true));
    assert_eq!(first.body, again.body);
}

#[tokio::test]
async fn a_key_stands_for_one_call_with_its_parameters() {
    let account = Account::open().await;
    account.post_once("k", CREATE, "amount=500&currency=usd").await;
    for (path, form) in [(CREATE, "amount=501&currency=usd"), ("/v1/refunds", "payment_intent=pi_1")] {
        let other = account.post_once("k", path, form).await;
        assert_eq!((other.status, other.body["error"]["type"].as_str()), (400, Some("idempotency_error")));
    }
    assert_eq!(count(&account).await, 1);
}

#[tokio::test]
async fn what_is_refused_before_it_begins_leaves_its_key_free() {
    let account = Account::open().await;
    assert_eq!(account.post_once("k", CREATE, "amount=1&currency=usd").await.status, 400);
    assert_eq!(account.post_once("k", CREATE, "amount=500&currency=usd").await.status, 200);
}

#[tokio::test]
async fn twenty_calls_at_once_with_one_key_make_one_intent() {
    let account = std::sync::Arc::new(Account::open().await);
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let account = account.clone();
        asked.spawn(async move {
            let reply = account.post_once("k", CREATE, "amount=500&currency=usd").await;
            (reply.status, reply.body)
        });
    }
    for (status, body) in asked.join_all().await {
        let busy = status == 409 && body["error"]["code"] == "idempotency_key_in_use";
        assert!(status == 200 || busy, "{status} {body}");
    }
    assert_eq!(count(&account).await, 1);
}
