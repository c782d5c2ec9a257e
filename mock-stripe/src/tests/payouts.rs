//! Balance transactions and payouts, read with Stripe's own client.

use serde_json::{Value, json};
use stripe_core::balance_transaction::ListBalanceTransaction;
use stripe_core::payout::ListPayout;
use stripe_shared::BalanceTransactionType;

use super::{Account, Reply, read};

impl Account {
    async fn pays_out(&self) -> Reply {
        read(self.http.post(format!("{}/control/payouts", self.base)).bearer_auth(&self.keys.secret_key)).await
    }

    /// Type, amount and fee of the transactions of a payout, or of all of them.
    async fn transactions(&self, payout: Option<&str>) -> Vec<(String, i64, i64)> {
        let query = payout.map(|id| format!("&payout={id}")).unwrap_or_default();
        let listed = self.get(&format!("/v1/balance_transactions?limit=100{query}")).await.body;
        let mut found: Vec<_> = listed["data"].as_array().unwrap().iter().map(summary).collect();
        found.sort();
        found
    }
}

fn summary(transaction: &Value) -> (String, i64, i64) {
    let (amount, fee) = (transaction["amount"].as_i64().unwrap(), transaction["fee"].as_i64().unwrap());
    assert_eq!(transaction["net"].as_i64().unwrap(), amount - fee, "{transaction}");
    (transaction["reporting_category"].as_str().unwrap().to_owned(), amount, fee)
}

fn entry(category: &str, amount: i64, fee: i64) -> (String, i64, i64) {
    (category.to_owned(), amount, fee)
}

#[tokio::test]
async fn a_payout_pays_out_each_transaction_once() {
    let account = Account::open().await;
    assert_eq!(account.pays_out().await.status, 400, "nothing to pay out");
    let intent = account.paid(10_000).await;
    account.post("/v1/refunds", &format!("payment_intent={}&amount=400", intent.id)).await;
    let first = account.pays_out().await.body;
    assert_eq!(
        (&first["object"], &first["amount"], &first["status"]),
        (&json!("payout"), &json!(9_280), &json!("paid"))
    );
    account.paid(1_000).await;
    let second = account.pays_out().await.body;
    assert_eq!(second["amount"], 941);

    let of_first = account.transactions(first["id"].as_str()).await;
    assert_eq!(of_first, [entry("charge", 10_000, 320), entry("payout", -9_280, 0), entry("refund", -400, 0)]);
    let of_second = account.transactions(second["id"].as_str()).await;
    assert_eq!(of_second, [entry("charge", 1_000, 59), entry("payout", -941, 0)]);
    assert_eq!(account.transactions(None).await.iter().map(|(_, amount, fee)| amount - fee).sum::<i64>(), 0);
    let payouts = ListPayout::new().send(&account.stripe).await.unwrap();
    assert_eq!(payouts.data.iter().map(|payout| payout.amount).sum::<i64>(), 10_221);
    let kinds = account.kinds_about(first["id"].as_str().unwrap()).await;
    assert_eq!(kinds, ["payout.created", "payout.paid", "payout.reconciliation_completed"]);
}

#[tokio::test]
async fn a_dispute_withdraws_its_amount_and_a_fee_until_it_is_won() {
    let account = Account::open().await;
    let intent = account.intent_of(10_000).await;
    account.confirm(&intent, "payment_method=pm_card_createDispute").await;
    let charge = entry("charge", 10_000, 320);
    let dispute = entry("dispute", -10_000, 1_500);
    assert_eq!(account.transactions(None).await, [charge.clone(), dispute.clone()]);
    assert_eq!(account.pays_out().await.status, 400, "the balance is negative");
    let disputes = account.get(&format!("/v1/disputes?payment_intent={}", intent.id)).await.body;
    let path = format!("/v1/disputes/{}", disputes["data"][0]["id"].as_str().unwrap());
    account.post(&path, "evidence[uncategorized_text]=winning_evidence").await;
    let reversal = entry("dispute_reversal", 10_000, -1_500);
    assert_eq!(account.transactions(None).await, [charge, dispute, reversal]);
    assert_eq!(account.pays_out().await.body["amount"], 9_680);
}

#[tokio::test]
async fn a_failed_refund_returns_to_the_balance() {
    let account = Account::open().await;
    let intent = account.intent_of(1_000).await;
    account.confirm(&intent, "payment_method=pm_card_refundFail").await;
    account.post("/v1/refunds", &format!("payment_intent={}", intent.id)).await;
    account.clock.advance(11_000);
    super::super::refunds::settle_due(&account.inside).await.unwrap();
    let expected = [entry("charge", 1_000, 59), entry("refund", -1_000, 0), entry("refund_failure", 1_000, 0)];
    assert_eq!(account.transactions(None).await, expected);
}

#[tokio::test]
async fn stripes_client_reads_transactions_in_pages_with_their_sources() {
    let account = Account::open().await;
    let intent = account.paid(1_000).await;
    account.post("/v1/refunds", &format!("payment_intent={}", intent.id)).await;
    let page = ListBalanceTransaction::new().limit(1).send(&account.stripe).await.unwrap();
    assert!(page.has_more);
    assert_eq!(page.data[0].type_, BalanceTransactionType::Refund);
    let path = format!("/v1/balance_transactions?starting_after={}&expand[]=data.source", page.data[0].id);
    let rest = account.get(&path).await.body;
    assert_eq!(rest["data"][0]["source"]["payment_intent"], json!(intent.id), "{rest}");
    let one = account.get(&format!("/v1/balance_transactions/{}", page.data[0].id)).await.body;
    assert_eq!(one["amount"], -1_000);
    assert_eq!(account.get("/v1/payouts/po_nothing").await.status, 404);
    assert_eq!(account.get("/v1/balance_transactions?payout=po_nothing").await.body["data"], json!([]));
}
