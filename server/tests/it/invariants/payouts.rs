//! Payouts and disputes after random histories of payments, refunds, disputes and early fraud warnings, with lost,
//! duplicate and late events.

use std::collections::BTreeMap;

use rand::RngExt as _;
use serde_json::{Value, json};

use super::disputes::{assert_same_disputes, list_all};
use super::run::Runs;
use crate::harness::{Light, Person, Stripe, TestShop, eventually};

const CARDS: [&str; 8] = [
    "pm_card_visa",
    "pm_card_visa",
    "pm_card_createDispute",
    "pm_card_createDisputeInquiry",
    "pm_card_createMultipleDisputes",
    "pm_card_createIssuerFraudRecord",
    "pm_card_pendingRefund",
    "pm_card_refundFail",
];
const EVIDENCE: [&str; 4] = ["winning_evidence", "losing_evidence", "escalate_inquiry_evidence", "some words"];
const MINUTE: i64 = 60_000;

/// The provider's own list: amount, net amount and payout of each transaction.
pub type Books = BTreeMap<String, (i64, i64, Option<String>)>;

pub async fn providers_books(stripe: &Stripe) -> Books {
    let row = |transaction: &Value, payout: Option<&str>| {
        let number = |name: &str| transaction[name].as_i64().unwrap();
        let id = transaction["id"].as_str().unwrap().to_owned();
        (id, (number("amount"), number("net"), payout.map(str::to_owned)))
    };
    let all = list_all(stripe, "/v1/balance_transactions", "").await;
    let mut books: Books = all.iter().map(|transaction| row(transaction, None)).collect();
    for payout in list_all(stripe, "/v1/payouts", "").await {
        let id = payout["id"].as_str().unwrap();
        let of_payout = list_all(stripe, "/v1/balance_transactions", &format!("&payout={id}")).await;
        books.extend(of_payout.iter().map(|transaction| row(transaction, Some(id))));
    }
    books
}

impl TestShop {
    pub async fn own_books(&self) -> Books {
        let rows = self
            .texts(
                "SELECT id || ' ' || amount || ' ' || net || ' ' || COALESCE(payout_id, '-') FROM balance_transactions",
            )
            .await;
        let parse = |row: String| {
            let [id, amount, net, payout] = row.split(' ').collect::<Vec<_>>().try_into().unwrap();
            let payout = (payout != "-").then(|| payout.to_owned());
            (id.to_owned(), (amount.parse().unwrap(), net.parse().unwrap(), payout))
        };
        rows.into_iter().map(parse).collect()
    }
}

/// One step of a payment's history: a refund, an answer to a dispute or its end, an order, or nothing.
async fn steps(stripe: &Stripe, buyer: &Person, intent_id: &str, rng: &mut impl rand::Rng) {
    match rng.random_range(0..6) {
        0 => {
            let amount = rng.random_range(1..=1_500).to_string();
            stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", intent_id), ("amount", &amount)]).await;
        }
        1 => {
            stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", intent_id)]).await;
        }
        2 => {
            let disputes = list_all(stripe, "/v1/disputes", &format!("&payment_intent={intent_id}")).await;
            for dispute in disputes {
                let path = format!("/v1/disputes/{}", dispute["id"].as_str().unwrap());
                let evidence = EVIDENCE[rng.random_range(0..EVIDENCE.len())];
                stripe.as_shop("POST", &path, &[("evidence[uncategorized_text]", evidence)]).await;
            }
        }
        3 => {
            for dispute in list_all(stripe, "/v1/disputes", &format!("&payment_intent={intent_id}")).await {
                let path = format!("/v1/disputes/{}/close", dispute["id"].as_str().unwrap());
                stripe.as_shop("POST", &path, &[]).await;
            }
        }
        4 => {
            buyer.asks_for_order(intent_id).await;
        }
        _ => {}
    }
}

pub async fn a_random_history(shop: &TestShop, stripe: &Stripe, light: &Light, rng: &mut impl rand::Rng) {
    let buyer = shop.customer().await;
    let mut paid: Vec<String> = Vec::new();
    for _ in 0..rng.random_range(3..=10) {
        match rng.random_range(0..4) {
            0 | 1 => {
                let intent = buyer.starts_payment(&[(light, rng.random_range(1..=3))]).await;
                stripe.takes(&intent, CARDS[rng.random_range(0..CARDS.len())]).await;
                paid.push(intent.id);
            }
            2 => drop(stripe.pays_out().await),
            _ => shop.syncs_payouts().await,
        }
        if !paid.is_empty() {
            steps(stripe, &buyer, &paid[rng.random_range(0..paid.len())], rng).await;
        }
    }
}

// invariant: explained-payouts
// invariant: dispute-recovery
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_any_history_every_cent_of_every_payout_is_explained() {
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let light = shop.adds_light("Paid Out", 100_000).await;
    let mut runs = Runs::of("payouts after random histories", 6);
    while let Some(mut rng) = runs.next() {
        let faults = json!({ "webhooks": {
            "drop_percent": rng.random_range(0..=100), "double_percent": rng.random_range(0..=100),
            "reorder_ms": rng.random_range(0..=300), "delay_ms": rng.random_range(0..=200),
        } });
        stripe.misbehaves(&faults).await;
        a_random_history(&shop, &stripe, &light, &mut rng).await;
        shop.settles(&stripe).await;
        eventually("the banks' decisions on refunds", async || {
            (shop.count("SELECT COUNT(*) FROM mock_stripe_scheduled").await == 0).then_some(())
        })
        .await;
        shop.settles(&stripe).await;
        assert_same_disputes(&shop, &stripe, &format!("seed {}", runs.seed())).await;
        shop.clock.advance(20 * MINUTE);
        shop.syncs_payouts().await;
        let listed = shop.payouts().await;
        assert_eq!(listed["unexplained"], json!([]), "seed {}", runs.seed());
        for payout in listed["payouts"].as_array().unwrap() {
            assert_eq!(payout["difference"], json!(0.0), "seed {}: {payout}", runs.seed());
        }
        assert_eq!(shop.own_books().await, providers_books(&stripe).await, "seed {}", runs.seed());
        let stored = shop.stored_balance().await;
        shop.syncs_payouts().await;
        assert_eq!(shop.stored_balance().await, stored, "seed {}", runs.seed());
        shop.audit().await;
    }
}
