//! Payouts: every transaction of the provider is explained by an order, a refund or a dispute, to the cent.

use serde_json::{Value, json};
use wasm_core::money::Cents;

use crate::harness::{Intent, Person, Stripe, TestShop, eventually};

const MINUTE: i64 = 60_000;

impl TestShop {
    /// Lets enough time pass that each transaction must have an explanation, then synchronizes.
    async fn closes_the_books(&self) {
        self.clock.advance(20 * MINUTE);
        self.syncs_payouts().await;
    }

    pub async fn payouts(&self) -> Value {
        self.admin().await.get("/api/admin/payouts?limit=100").await.gives(200)
    }

    /// All stored payouts and transactions.
    pub async fn stored_balance(&self) -> Vec<String> {
        self.texts(
            "SELECT id || ' ' || category || ' ' || amount || ' ' || net || ' ' || COALESCE(payout_id, '') \
             || ' ' || COALESCE(problem, '') FROM balance_transactions \
             UNION ALL SELECT id || ' ' || amount || ' ' || status || ' ' || complete FROM payouts ORDER BY 1",
        )
        .await
    }
}

/// Pays with a test payment method, and returns the order's id.
async fn buys_with(buyer: &Person, stripe: &Stripe, shop: &TestShop, card: &str) -> (String, Intent) {
    let light = shop.light("Nudgelight One").await;
    let intent = buyer.starts_payment(&[(&light, 1)]).await;
    stripe.takes(&intent, card).await;
    let order = buyer.asks_for_order(&intent.id).await;
    assert!(matches!(order.status, 200 | 201), "{order}");
    (order.json()["orderId"].as_str().unwrap().to_owned(), intent)
}

async fn wins_dispute(stripe: &Stripe, intent: &Intent) {
    let path = format!("/v1/disputes?payment_intent={}", intent.id);
    let listed = stripe.as_shop("GET", &path, &[]).await.gives(200);
    let path = format!("/v1/disputes/{}", listed["data"][0]["id"].as_str().unwrap());
    stripe.as_shop("POST", &path, &[("evidence[uncategorized_text]", "winning_evidence")]).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payout_is_payments_less_refunds_fees_and_disputes() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let (order, intent) = buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
    stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &intent.id), ("amount", "500")]).await.gives(200);
    let (_, disputed) = buys_with(&buyer, &stripe, &shop, "pm_card_createDispute").await;
    wins_dispute(&stripe, &disputed).await;
    buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
    shop.settles(&stripe).await;
    let paid = stripe.pays_out().await;
    shop.closes_the_books().await;

    let listed = shop.payouts().await;
    assert_eq!((&listed["total"], &listed["total_unexplained"]), (&json!(1), &json!(0)), "{listed}");
    let payout = &listed["payouts"][0];
    // Three times 29.90 + 5.95 + tax; the won dispute returned its amount and its fee.
    let total = shop.count("SELECT CAST(SUM(total) AS BIGINT) FROM orders").await;
    let each = total / 3;
    let fee = 3 * ((each * 29 + 500) / 1_000 + 30);
    assert_eq!(paid["amount"], json!(total - 500 - fee), "{paid}");
    let cents = |name: &str| Cents::parse(&payout[name].to_string()).unwrap().cents();
    let sums = ["payments", "refunds", "disputes", "adjustments", "fees"].map(cents);
    assert_eq!(sums, [total, -500, 0, 0, -fee], "{payout}");
    assert_eq!((cents("amount"), cents("difference")), (total - 500 - fee, 0));

    let admin = shop.admin().await;
    let path = format!("/api/admin/payouts/{}", paid["id"].as_str().unwrap());
    let details = admin.get(&format!("{path}?limit=2")).await.gives(200);
    assert_eq!((&details["total"], &details["totalPages"]), (&json!(6), &json!(3)), "{details}");
    assert!(details["transactions"][0]["order_number"].is_number(), "{details}");
    let csv = admin.get(&format!("{path}/transactions.csv")).await;
    assert_eq!((csv.status, csv.text.lines().count()), (200, 7), "{csv}");
    assert!(csv.text.starts_with("id,created_at,category,type,order,amount,fee,net,description,problem\r\n"), "{csv}");

    let balance = admin.get(&format!("/api/admin/order/{order}/balance")).await.gives(200);
    let mut words: Vec<&str> =
        balance["transactions"].as_array().unwrap().iter().map(|one| one["category"].as_str().unwrap()).collect();
    // Both may be of the same second.
    words.sort_unstable();
    assert_eq!(words, ["payment", "refund"]);
    let of_order = |balance: &Value, name: &str| Cents::parse(&balance[name].to_string()).unwrap().cents();
    let net = each - 500 - fee / 3;
    assert_eq!(["fee", "disputed", "net"].map(|name| of_order(&balance, name)), [fee / 3, 0, net]);

    let stored = shop.stored_balance().await;
    shop.syncs_payouts().await;
    assert_eq!(shop.stored_balance().await, stored, "the second run changes nothing");

    let refund = admin.post(&format!("/api/admin/order/{order}/refunds"), &json!({ "amount": 1 })).await;
    assert_eq!(refund.status, 201, "{refund}");
    let balance = admin.get(&format!("/api/admin/order/{order}/balance")).await.gives(200);
    assert_eq!(of_order(&balance, "net"), net - 100, "before the provider lists the refund");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_shops_records_do_not_explain_is_listed_until_they_do() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    stripe.drops_webhooks().await;
    let (_, intent) = buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
    let other =
        stripe.as_shop("POST", "/v1/payment_intents", &[("amount", "700"), ("currency", "usd")]).await.gives(200);
    let path = format!("/v1/payment_intents/{}/confirm", other["id"].as_str().unwrap());
    stripe.as_shop("POST", &path, &[("payment_method", "pm_card_visa")]).await.gives(200);
    stripe.as_shop("POST", "/v1/refunds", &[("payment_intent", &intent.id), ("amount", "500")]).await.gives(200);
    shop.closes_the_books().await;
    let problems = async || {
        let listed = shop.payouts().await;
        let unexplained = listed["unexplained"].as_array().unwrap().iter();
        let mut found: Vec<String> = unexplained.map(|one| one["problem"].as_str().unwrap().to_owned()).collect();
        found.sort();
        found
    };
    let foreign = "No order has this payment.".to_owned();
    let refund = "The provider refunded $5.00, but the order has refunds of $0.00.".to_owned();
    assert_eq!(problems().await, [foreign.clone(), refund]);
    shop.reconciles().await;
    shop.syncs_payouts().await;
    assert_eq!(problems().await, [foreign]);
    assert!(!stripe.pays_out().await.is_null());
    shop.syncs_payouts().await;
    let listed = shop.payouts().await;
    assert_eq!(listed["payouts"][0]["difference"], json!(0.0), "{listed}");
    assert_eq!(listed["unexplained"][0]["payout_id"], listed["payouts"][0]["id"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_about_a_payout_is_enough_to_list_it() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
    stripe.pays_out().await;
    eventually("the payout", async || (shop.count("SELECT COUNT(*) FROM payouts").await == 1).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_sync_continues_with_what_is_missing() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    stripe.drops_webhooks().await;
    for _ in 0..3 {
        buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
        stripe.pays_out().await;
    }
    for path in ["/v1/balance_transactions", "/v1/payouts", "/v1/balance_transactions?payout"] {
        let faults = json!({ "calls": [{ "path": path, "times": 2, "action": { "fail": { "status": 500 } } }] });
        stripe.misbehaves(&faults).await;
        assert!(server::money::payouts::sync(&shop.inside().money).await.is_err() || path.contains('?'), "{path}");
    }
    stripe.behaves().await;
    shop.closes_the_books().await;
    let listed = shop.payouts().await;
    let differences: Vec<&Value> =
        listed["payouts"].as_array().unwrap().iter().map(|payout| &payout["difference"]).collect();
    assert_eq!((differences, &listed["total_unexplained"]), (vec![&json!(0.0); 3], &json!(0)), "{listed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_payouts_and_invalid_periods_are_refused_by_name() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    assert_eq!(admin.get("/api/admin/payouts").await.gives(200)["payouts"], json!([]));
    for path in ["/api/admin/payouts/po_1", "/api/admin/payouts/po_1/transactions.csv", "/api/admin/order/no/balance"] {
        admin.get(path).await.gives(404);
    }
    assert!(admin.get("/api/admin/payouts?page=0").await.gives(400)["fields"]["page"].is_string());
    for (query, field) in [
        ("", "from"),
        ("from=2026-01-01", "to"),
        ("from=2026-02-30&to=2026-03-01", "from"),
        ("from=2026-03-02&to=2026-03-01", "from"),
        ("from=2026-03-02&to=2028-03-01", "to"),
    ] {
        let refused = admin.get(&format!("/api/admin/journal?{query}")).await.gives(400);
        assert!(refused["fields"][field].is_string(), "{query}: {refused}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paid_order_that_the_provider_has_no_payment_of_is_listed_once_its_time_is_over() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let (lost, intent) = buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
    buys_with(&buyer, &stripe, &shop, "pm_card_visa").await;
    shop.closes_the_books().await;
    let listed = shop.payouts().await;
    assert_eq!((&listed["unmatched_orders"], &listed["total_unmatched_orders"]), (&json!([]), &json!(0)), "{listed}");
    shop.tamper(format!("DELETE FROM balance_transactions WHERE payment_intent_id = '{}'", intent.id)).await;
    let listed = shop.payouts().await;
    assert_eq!(
        (&listed["unmatched_orders"][0]["id"], &listed["total_unmatched_orders"]),
        (&json!(lost), &json!(1)),
        "{listed}"
    );
    let order = shop.admin().await.get(&format!("/api/admin/order/{lost}")).await.gives(200);
    for member in ["number", "total", "order_date", "order_date_local"] {
        assert_eq!(listed["unmatched_orders"][0][member], order[member], "{member}");
    }
    // The provider lists a new payment with the next sync. The buyer's session has expired.
    buys_with(&shop.customer().await, &stripe, &shop, "pm_card_visa").await;
    assert_eq!(shop.payouts().await["total_unmatched_orders"], json!(1));
}
