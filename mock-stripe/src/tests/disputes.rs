//! Disputes: opened with the charge, decided by Stripe's documented test evidence.

use serde_json::{Value, json};
use stripe_core::payment_intent::CreatePaymentIntent;
use stripe_types::Currency;

use super::{Account, Reply};

impl Account {
    /// Pays $10.00 with a test payment method, and returns the resulting disputes.
    async fn disputed(&self, card: &str) -> (String, Vec<Value>) {
        let intent = self.intent_of(1000).await;
        let reply = self.confirm(&intent, &format!("payment_method={card}")).await;
        assert_eq!((reply.status, reply.body["status"].as_str()), (200, Some("succeeded")), "{}", reply.body);
        let listed = self.get(&format!("/v1/disputes?payment_intent={}", intent.id)).await;
        (intent.id.to_string(), listed.body["data"].as_array().unwrap().clone())
    }

    async fn only_dispute(&self, card: &str) -> Value {
        let (_, mut disputes) = self.disputed(card).await;
        assert_eq!(disputes.len(), 1, "{disputes:?}");
        disputes.remove(0)
    }

    async fn dispute(&self, id: &str) -> Value {
        self.get(&format!("/v1/disputes/{id}")).await.body
    }

    async fn responses(&self, dispute: &Value, evidence: &str) -> Reply {
        let path = format!("/v1/disputes/{}", dispute["id"].as_str().unwrap());
        self.post(&path, &format!("evidence[uncategorized_text]={evidence}")).await
    }

    /// The types of the events about one object, in the order in which they were written, and their objects.
    async fn events_about(&self, id: &str) -> Vec<(String, Value)> {
        let mut connection = self.inside.db.read().acquire().await.unwrap();
        let bodies: Vec<String> = sqlx::query_scalar("SELECT body FROM mock_stripe_events ORDER BY rowid")
            .fetch_all(&mut *connection)
            .await
            .unwrap();
        let events = bodies.iter().map(|body| serde_json::from_str::<Value>(body).unwrap());
        events
            .filter(|event| event["data"]["object"].to_string().contains(id))
            .map(|event| (event["type"].as_str().unwrap().to_owned(), event["data"]["object"].clone()))
            .collect()
    }

    pub(super) async fn kinds_about(&self, id: &str) -> Vec<String> {
        self.events_about(id).await.into_iter().map(|(kind, _)| kind).collect()
    }
}

#[tokio::test]
async fn a_disputed_card_pays_and_loses_the_money_again() {
    let account = Account::open().await;
    let (intent, disputes) = account.disputed("pm_card_createDispute").await;
    let [dispute] = disputes.as_slice() else { panic!("{disputes:?}") };
    assert!(dispute["id"].as_str().unwrap().starts_with("du_"), "{dispute}");
    assert_eq!((&dispute["status"], &dispute["reason"]), (&json!("needs_response"), &json!("fraudulent")));
    assert_eq!((&dispute["amount"], &dispute["payment_intent"]), (&json!(1000), &json!(intent)));
    assert_eq!(dispute["is_charge_refundable"], false);
    assert_eq!(dispute["payment_method_details"]["card"]["network_reason_code"], "10.4");
    let [taken] = dispute["balance_transactions"].as_array().unwrap().as_slice() else { panic!("{dispute}") };
    assert_eq!((&taken["amount"], &taken["fee"], &taken["net"]), (&json!(-1000), &json!(1500), &json!(-2500)));

    let expanded = account.get(&format!("/v1/disputes/{}?expand[]=charge", dispute["id"].as_str().unwrap())).await;
    assert_eq!(expanded.body["charge"]["disputed"], true);
    let charge = dispute["charge"].as_str().unwrap();
    assert_eq!(
        account.kinds_about(charge).await,
        ["charge.succeeded", "charge.dispute.created", "charge.dispute.funds_withdrawn", "payment_intent.succeeded"]
    );
    let refused = account.post("/v1/refunds", &format!("payment_intent={intent}&amount=400")).await;
    assert_eq!((refused.status, refused.body["error"]["code"].as_str()), (400, Some("charge_disputed")));
}

#[tokio::test]
async fn the_evidence_decides_a_dispute() {
    let account = Account::open().await;
    for (evidence, status, transactions, refundable, told) in [
        ("winning_evidence", "won", 2, true, vec!["updated", "funds_reinstated", "closed"]),
        ("losing_evidence", "lost", 1, false, vec!["updated", "closed"]),
        ("a+letter", "under_review", 1, false, vec!["updated"]),
    ] {
        let dispute = account.only_dispute("pm_card_createDispute").await;
        let id = dispute["id"].as_str().unwrap();
        let response = account.responses(&dispute, evidence).await;
        assert_eq!((response.status, response.body["status"].as_str()), (200, Some("under_review")), "{evidence}");
        let decided = account.dispute(id).await;
        assert_eq!(decided["status"], status, "{evidence}");
        assert_eq!(decided["balance_transactions"].as_array().unwrap().len(), transactions, "{evidence}");
        assert_eq!(decided["is_charge_refundable"], refundable, "{evidence}");
        assert_eq!(decided["evidence_details"]["submission_count"], 1, "{evidence}");
        let told: Vec<String> = told.iter().map(|kind| format!("charge.dispute.{kind}")).collect();
        let kinds = account.kinds_about(id).await;
        assert_eq!(kinds[2..], told, "{evidence}");

        let refund = account.post("/v1/refunds", &format!("charge={}", dispute["charge"].as_str().unwrap())).await;
        assert_eq!(refund.status == 200, refundable, "{evidence}: {}", refund.body);
        if decided["status"] != "under_review" {
            let late = account.responses(&dispute, "winning_evidence").await;
            assert_eq!(late.body["error"]["message"], "This dispute is already closed", "{evidence}");
        }
    }
}

#[tokio::test]
async fn evidence_that_is_not_submitted_waits_until_it_is() {
    let account = Account::open().await;
    let dispute = account.only_dispute("pm_card_createDisputeProductNotReceived").await;
    assert_eq!(dispute["reason"], "product_not_received");
    let path = format!("/v1/disputes/{}", dispute["id"].as_str().unwrap());
    let staged =
        account.post(&path, "evidence[uncategorized_text]=winning_evidence&submit=false&metadata[a]=b").await.body;
    assert_eq!((&staged["status"], &staged["metadata"]["a"]), (&json!("needs_response"), &json!("b")));
    assert_eq!(staged["evidence_details"]["has_evidence"], true);
    account.post(&path, "submit=true").await;
    assert_eq!(account.dispute(dispute["id"].as_str().unwrap()).await["status"], "won");
    let unknown = account.post(&path, "evidence[colour]=red").await;
    assert_eq!(unknown.body["error"]["param"], "evidence[colour]", "{}", unknown.body);
}

#[tokio::test]
async fn an_inquiry_takes_no_money_unless_it_is_escalated() {
    let account = Account::open().await;
    let inquiry = account.only_dispute("pm_card_createDisputeInquiry").await;
    let id = inquiry["id"].as_str().unwrap();
    assert_eq!(
        (&inquiry["status"], &inquiry["is_charge_refundable"]),
        (&json!("warning_needs_response"), &json!(true))
    );
    assert_eq!(inquiry["balance_transactions"], json!([]));
    assert_eq!(account.kinds_about(id).await, ["charge.dispute.created"]);
    let part = format!("charge={}&amount=400", inquiry["charge"].as_str().unwrap());
    assert_eq!(account.post("/v1/refunds", &part).await.status, 200);

    let response = account.responses(&inquiry, "escalate_inquiry_evidence").await;
    assert_eq!(response.body["status"], "warning_under_review");
    let escalated = account.dispute(id).await;
    assert_eq!(escalated["status"], "needs_response");
    assert_eq!(escalated["balance_transactions"].as_array().unwrap().len(), 1);
    assert_eq!(account.kinds_about(id).await.last().unwrap(), "charge.dispute.funds_withdrawn");
}

#[tokio::test]
async fn an_inquiry_ends_without_a_dispute_when_it_is_answered_closed_or_refunded() {
    let account = Account::open().await;
    for how in ["winning_evidence", "losing_evidence", "close", "refund"] {
        let inquiry = account.only_dispute("pm_card_createDisputeInquiry").await;
        let id = inquiry["id"].as_str().unwrap();
        let reply = match how {
            "close" => account.post(&format!("/v1/disputes/{id}/close"), "").await,
            "refund" => account.post("/v1/refunds", &format!("charge={}", inquiry["charge"].as_str().unwrap())).await,
            evidence => account.responses(&inquiry, evidence).await,
        };
        assert_eq!(reply.status, 200, "{how}: {}", reply.body);
        assert_eq!(account.dispute(id).await["status"], "warning_closed", "{how}");
        assert_eq!(account.kinds_about(id).await.last().unwrap(), "charge.dispute.closed", "{how}");
    }
}

#[tokio::test]
async fn a_dispute_that_is_closed_unanswered_is_lost() {
    let account = Account::open().await;
    let dispute = account.only_dispute("pm_card_createDispute").await;
    let path = format!("/v1/disputes/{}/close", dispute["id"].as_str().unwrap());
    assert_eq!(account.post(&path, "").await.body["status"], "lost");
    assert_eq!(account.post(&path, "").await.body["error"]["message"], "This dispute is already closed");
    assert_eq!(account.post("/v1/disputes/du_nothing/close", "").await.status, 404);
}

#[tokio::test]
async fn one_payment_may_be_disputed_twice_and_the_disputes_are_listed_in_pages() {
    let account = Account::open().await;
    let intent = CreatePaymentIntent::new(1001, Currency::USD).send(&account.stripe).await.unwrap();
    account.confirm(&intent, "payment_method=pm_card_createMultipleDisputes").await;
    let listed = account.get(&format!("/v1/disputes?payment_intent={}&limit=1", intent.id)).await.body;
    assert_eq!((listed["data"].as_array().unwrap().len(), &listed["has_more"]), (1, &json!(true)));
    let first = &listed["data"][0];
    let rest = account.get(&format!("/v1/disputes?starting_after={}", first["id"].as_str().unwrap())).await.body;
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["has_more"]), (1, &json!(false)));
    let second = &rest["data"][0];
    assert_eq!(first["amount"].as_i64().unwrap() + second["amount"].as_i64().unwrap(), 1001);
    assert_eq!(account.get("/v1/disputes?payment_intent=pi_nothing").await.body["data"], json!([]));
    assert_eq!(account.get("/v1/disputes?created[gt]=99999999999").await.body["data"], json!([]));
}

#[tokio::test]
async fn an_early_fraud_warning_leaves_the_money_where_it_is() {
    let account = Account::open().await;
    let (intent, disputes) = account.disputed("pm_card_createIssuerFraudRecord").await;
    assert!(disputes.is_empty(), "{disputes:?}");
    let warnings = account.get(&format!("/v1/radar/early_fraud_warnings?payment_intent={intent}")).await.body;
    let warning = &warnings["data"][0];
    assert_eq!((&warning["object"], &warning["actionable"]), (&json!("radar.early_fraud_warning"), &json!(true)));
    let kinds = account.kinds_about(warning["id"].as_str().unwrap()).await;
    assert_eq!(kinds, ["radar.early_fraud_warning.created"]);
    let id = warning["id"].as_str().unwrap();
    let path = format!("/v1/radar/early_fraud_warnings/{id}");
    assert_eq!(account.post("/v1/refunds", &format!("payment_intent={intent}&amount=100")).await.status, 200);
    assert_eq!(account.get(&path).await.body["actionable"], true, "a part of the payment is left");
    assert_eq!(account.post("/v1/refunds", &format!("payment_intent={intent}")).await.status, 200);
    assert_eq!(account.get(&path).await.body["actionable"], false);
    assert_eq!(account.kinds_about(id).await[1..], ["radar.early_fraud_warning.updated"]);
}
