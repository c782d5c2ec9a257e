//! Refunds: concurrent requests never refund more than was paid.

use stripe::StripeError;
use stripe_core::refund::{CreateRefund, RetrieveRefund};
use stripe_shared::ApiErrorsCode;

use super::Account;

#[tokio::test]
async fn parts_are_refunded_until_nothing_is_left() {
    let account = Account::open().await;
    let intent = account.paid(1000).await;
    let part = CreateRefund::new().payment_intent(intent.id.as_str()).amount(400).send(&account.stripe).await.unwrap();
    assert_eq!((part.amount, part.status.as_deref()), (400, Some("succeeded")));
    let too_much = CreateRefund::new().payment_intent(intent.id.as_str()).amount(601).send(&account.stripe).await;
    assert!(
        matches!(&too_much, Err(StripeError::Stripe(error, 400))
        if error.message.as_deref() == Some("Refund amount ($6.01) is greater than unrefunded amount on charge ($6.00)")),
        "{too_much:?}"
    );
    let rest = CreateRefund::new().payment_intent(intent.id.as_str()).send(&account.stripe).await.unwrap();
    assert_eq!(rest.amount, 600);
    let again = CreateRefund::new().payment_intent(intent.id.as_str()).send(&account.stripe).await;
    let Err(StripeError::Stripe(error, 400)) = again else { panic!("{again:?}") };
    assert_eq!(error.code, Some(ApiErrorsCode::ChargeAlreadyRefunded));

    let kept = RetrieveRefund::new(part.id).send(&account.stripe).await.unwrap();
    assert_eq!(kept.amount, 400);
    let path = format!("/v1/payment_intents/{}?expand[]=latest_charge.refunds", intent.id);
    let charge = account.get(&path).await.body["latest_charge"].take();
    assert_eq!((&charge["amount_refunded"], &charge["refunded"]), (&1000.into(), &true.into()), "{charge}");
    assert_eq!(charge["refunds"]["data"].as_array().unwrap().len(), 2);
    let listed = account.get(&format!("/v1/refunds?payment_intent={}&limit=1", intent.id)).await;
    assert_eq!((listed.body["data"][0]["amount"].as_i64(), &listed.body["has_more"]), (Some(600), &true.into()));
}

#[tokio::test]
async fn fifty_full_refunds_at_once_give_the_money_back_once() {
    let account = std::sync::Arc::new(Account::open().await);
    let intent = account.paid(1000).await;
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let (account, id) = (account.clone(), intent.id.clone());
        asked.spawn(async move { account.post("/v1/refunds", &format!("payment_intent={id}")).await.status });
    }
    let mut statuses = asked.join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert!(statuses[1..].iter().all(|status| *status == 400), "{statuses:?}");
}

#[tokio::test]
async fn what_was_never_paid_is_never_refunded() {
    let account = Account::open().await;
    let intent = account.intent_of(1000).await;
    account.confirm(&intent, "payment_method=pm_card_chargeDeclined").await;
    let refused = account.post("/v1/refunds", &format!("payment_intent={}", intent.id)).await;
    assert_eq!((refused.status, refused.body["error"]["param"].as_str()), (400, Some("payment_intent")));
    for form in ["", "amount=5", "payment_intent=pi_nobody", "charge=ch_nobody", "charge=ch_1&reason=bored"] {
        assert_eq!(account.post("/v1/refunds", form).await.status, 400, "{form}");
    }
    assert_eq!(account.get("/v1/refunds").await.body["data"], serde_json::json!([]));
}
