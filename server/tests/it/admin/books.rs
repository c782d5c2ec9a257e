//! The books of a month: order pages, tax report, payouts, journal and CSV have the same sums, to the cent.

use serde_json::{Value, json};
use wasm_core::money::Cents;

use super::journal::{checked_journal, day, is_hledger_missing};
use crate::harness::{Intent, Person, Stripe, TestShop, california, eventually, montreal};

const MINUTE: i64 = 60_000;

fn cents(amount: &Value) -> i64 {
    let text = amount.to_string();
    match text.strip_prefix('-') {
        Some(positive) => -Cents::parse(positive).unwrap().cents(),
        None => Cents::parse(&text).unwrap().cents(),
    }
}

async fn buys(shop: &TestShop, stripe: &Stripe, address: Value, card: &str) -> (String, Intent) {
    let (buyer, light) = (shop.customer().await, shop.light("Nudgelight One").await);
    let mut cart = Person::cart(&[(&light, 2)]);
    cart["shippingAddress"] = address;
    let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, card).await;
    let id = buyer.asks_for_order(&intent.id).await.json()["orderId"].as_str().unwrap().to_owned();
    (id, intent)
}

async fn answers_dispute(stripe: &Stripe, intent: &Intent, evidence: &str) {
    let path = format!("/v1/disputes?payment_intent={}", intent.id);
    let disputes = stripe.as_shop("GET", &path, &[]).await.gives(200);
    let path = format!("/v1/disputes/{}", disputes["data"][0]["id"].as_str().unwrap());
    stripe.as_shop("POST", &path, &[("evidence[uncategorized_text]", evidence)]).await.gives(200);
}

/// Orders of two countries: refunded by item, in full, and by an amount that the bank returned; with a dispute that is
/// won, and one that is lost. Returns their ids, that of the lost dispute last.
async fn a_month_of_business(shop: &TestShop, stripe: &Stripe) -> Vec<String> {
    let admin = shop.admin().await;
    let (kept, _) = buys(shop, stripe, california(), "pm_card_visa").await;
    let (by_item, _) = buys(shop, stripe, montreal(), "pm_card_visa").await;
    let (in_full, _) = buys(shop, stripe, montreal(), "pm_card_visa").await;
    let (returned, returned_intent) = buys(shop, stripe, california(), "pm_card_visa").await;
    let (won, won_intent) = buys(shop, stripe, california(), "pm_card_createDispute").await;
    let (lost, lost_intent) = buys(shop, stripe, california(), "pm_card_createDispute").await;
    let light = shop.light("Nudgelight One").await;
    let lines = json!([{ "product_id": light.id, "quantity": 1 }]);
    let refund = async |id: &str, body: Value| {
        admin.post(&format!("/api/admin/order/{id}/refunds"), &body).await.gives(201);
    };
    refund(&by_item, json!({ "lines": lines })).await;
    admin.patch(&format!("/api/admin/order/{in_full}"), &json!({ "status": "refunded" })).await.gives(200);
    refund(&returned, json!({ "amount": 5.0 })).await;
    let path = format!("/v1/refunds?payment_intent={}", returned_intent.id);
    let listed = stripe.as_shop("GET", &path, &[]).await.gives(200);
    stripe.returns_refund(listed["data"][0]["id"].as_str().unwrap()).await;
    eventually("the refund that the bank returned", async || {
        (shop.count("SELECT COUNT(*) FROM refunds WHERE state = 'failed'").await == 1).then_some(())
    })
    .await;
    answers_dispute(stripe, &won_intent, "winning_evidence").await;
    answers_dispute(stripe, &lost_intent, "losing_evidence").await;
    vec![kept, by_item, in_full, returned, won, lost]
}

/// Sums of the order pages, in cents.
#[derive(Debug, Default, PartialEq)]
struct OrderPages {
    total: i64,
    tax: i64,
    refunded: i64,
    refunded_tax: i64,
    fees: i64,
    charged_back: i64,
}

async fn order_pages(shop: &TestShop, ids: &[String]) -> OrderPages {
    let admin = shop.admin().await;
    let mut sums = OrderPages::default();
    for id in ids {
        let order = admin.get(&format!("/api/admin/order/{id}")).await.gives(200);
        let refunds = admin.get(&format!("/api/admin/order/{id}/refunds")).await.gives(200);
        let balance = admin.get(&format!("/api/admin/order/{id}/balance")).await.gives(200);
        sums.total += cents(&order["total"]);
        sums.tax += cents(&order["tax"]);
        sums.refunded += cents(&order["payment"]["refunded"]);
        let made = refunds["refunds"].as_array().unwrap().iter().filter(|refund| refund["state"] == "done");
        sums.refunded_tax += made.map(|refund| cents(&refund["parts"]["tax"])).sum::<i64>();
        sums.fees += cents(&balance["fee"]);
        sums.charged_back -= cents(&balance["disputed"]);
    }
    sums
}

// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn order_pages_tax_report_payouts_journal_and_csv_have_the_same_sums() {
    if is_hledger_missing() {
        return;
    }
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    let ids = a_month_of_business(&shop, &stripe).await;
    shop.settles(&stripe).await;
    let paid_out = stripe.pays_out().await;
    assert!(!paid_out.is_null());
    shop.clock.advance(20 * MINUTE);
    shop.syncs_payouts().await;
    let pages = order_pages(&shop, &ids).await;
    assert!(pages.refunded > 0 && pages.refunded_tax > 0 && pages.fees > 0, "{pages:?}");
    let admin = shop.admin().await;

    let (from, to) = (day(shop.clock.now_ms() - 24 * 60 * MINUTE), day(shop.clock.now_ms()));
    let path = format!("/api/admin/tax-report?from={}&to={}", &from[..7], &to[..7]);
    let report = admin.get(&path).await.gives(200);
    let taxes = ["collected", "refunded", "net"].map(|name| cents(&report[name]));
    assert_eq!(taxes, [pages.tax, pages.refunded_tax, pages.tax - pages.refunded_tax], "{report}");

    let payouts = shop.payouts().await;
    assert_eq!(payouts["total_unexplained"], 0, "{payouts}");
    let payout = &payouts["payouts"][0];
    let parts = ["payments", "refunds", "disputes", "fees", "amount", "difference"].map(|name| cents(&payout[name]));
    let net = pages.total - pages.refunded - pages.charged_back - pages.fees;
    assert_eq!(parts, [pages.total, -pages.refunded, -pages.charged_back, -pages.fees, net, 0], "{payout}");
    assert_eq!(paid_out["amount"], net);

    let (_, accounts) = checked_journal(&shop, &from, &to).await;
    let of = |prefix: &str| -> i64 {
        accounts.iter().filter(|(account, _)| account.starts_with(prefix)).map(|(_, amount)| amount).sum()
    };
    let expected = [
        ("Income:", pages.refunded - pages.refunded_tax - (pages.total - pages.tax)),
        ("Liabilities:Sales tax", pages.refunded_tax - pages.tax),
        ("Expenses:Stripe fees", pages.fees),
        ("Expenses:Disputes", pages.charged_back),
        ("Assets:", net),
        ("Equity:", 0),
    ];
    for (prefix, amount) in expected {
        assert_eq!(of(prefix), amount, "{prefix}: {accounts:?} {pages:?}");
    }

    let csv = admin.get("/api/admin/orders.csv").await.text;
    let column = |name: &str| -> i64 {
        let index = csv.lines().next().unwrap().split(',').position(|column| column == name).unwrap();
        csv.lines().skip(1).map(|row| Cents::parse(row.split(',').nth(index).unwrap()).unwrap().cents()).sum()
    };
    assert_eq!(["total", "tax", "refunded"].map(column), [pages.total, pages.tax, pages.refunded], "{csv}");
    shop.audit().await;
}
