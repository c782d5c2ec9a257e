//! The journal export: hledger accepts it, and its balances are the shop's.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::harness::{Folder, Intent, Person, Stripe, TestShop, montreal, skip};

const MINUTE: i64 = 60_000;

/// Whether the test is skipped.
pub fn is_hledger_missing() -> bool {
    let is_missing = Command::new("hledger").arg("--version").output().is_err();
    if is_missing {
        skip("hledger is not installed");
    }
    is_missing
}

fn hledger(file: &Path, arguments: &[&str]) -> String {
    let output = Command::new("hledger").args(arguments).arg("-f").arg(file).output().unwrap();
    let (text, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {errors}");
    text
}

/// Cents by account, from `hledger balance` as CSV.
fn balances(file: &Path) -> BTreeMap<String, i64> {
    let csv = hledger(file, &["balance", "--flat", "--no-total", "--output-format", "csv"]);
    let rows = csv.lines().skip(1).map(|line| line.trim_matches('"').split_once("\",\"").unwrap());
    rows.map(|(account, amount)| {
        let digits: String =
            amount.chars().filter(|character| character.is_ascii_digit() || *character == '-').collect();
        (account.to_owned(), digits.parse().unwrap())
    })
    .collect()
}

/// Three orders of two states, refunds in part and in full, and a lost dispute.
async fn a_week_of_business(shop: &TestShop, stripe: &Stripe) {
    let (buyer, light) = (shop.customer().await, shop.light("Nudgelight One").await);
    for (card, refunds) in
        [("pm_card_visa", &["333", "500"][..]), ("pm_card_visa", &["all"]), ("pm_card_createDispute", &[])]
    {
        let intent = buyer.starts_payment(&[(&light, 2)]).await;
        stripe.takes(&intent, card).await;
        buyer.asks_for_order(&intent.id).await;
        for amount in refunds {
            let part = [("payment_intent", intent.id.as_str()), ("amount", *amount)];
            let fields = if *amount == "all" { &part[..1] } else { &part[..] };
            stripe.as_shop("POST", "/v1/refunds", fields).await.gives(200);
        }
    }
    for _ in 0..2 {
        buyer.buys(stripe, &light, 3).await;
    }
    shop.settles(stripe).await;
    assert!(!stripe.pays_out().await.is_null());
    buyer.buys(stripe, &light, 1).await;
    shop.clock.advance(20 * MINUTE);
    shop.syncs_payouts().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hledger_finds_the_shops_own_sums_in_the_journal() {
    if is_hledger_missing() {
        return;
    }
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    a_week_of_business(&shop, &stripe).await;
    let today = shop.texts("SELECT value FROM shop_metadata WHERE name = 'balance_synced'").await.remove(0);
    let now: i64 = today.parse().unwrap();
    let (from, to) = (day(now - 2 * 24 * 60 * MINUTE), day(now));
    let journal = shop.admin().await.get(&format!("/api/admin/journal?from={from}&to={to}")).await;
    assert_eq!(journal.status, 200, "{journal}");
    let name = format!("attachment; filename=\"nudgelight-{from}-{to}.journal\"");
    assert_eq!(journal.header("content-disposition"), Some(name.as_str()));
    let folder = Folder::new();
    let file = folder.path().join("shop.journal");
    std::fs::write(&file, journal.text).unwrap();

    hledger(&file, &["check", "--strict", "ordereddates"]);
    let found = balances(&file);
    let of = |account: &str| found.get(account).copied().unwrap_or_default();
    let sum = async |sql: &'static str| shop.count(sql).await;
    let provider = "SELECT CAST(SUM(net) AS BIGINT) FROM balance_transactions";
    assert_eq!(of("Assets:Stripe"), sum(provider).await, "{found:?}");
    assert_eq!(of("Assets:Bank"), sum("SELECT CAST(SUM(amount) AS BIGINT) FROM payouts").await, "{found:?}");
    let fees = "SELECT CAST(SUM(fee) AS BIGINT) FROM balance_transactions";
    assert_eq!(of("Expenses:Stripe fees"), sum(fees).await, "{found:?}");
    let lost = "SELECT CAST(SUM(total) AS BIGINT) FROM orders WHERE dispute = 'open'";
    assert_eq!(of("Expenses:Disputes"), sum(lost).await, "{found:?}");
    let sold = -(of("Income:Sales") + of("Income:Shipping") + of("Liabilities:Sales tax:US-CA"));
    assert_eq!(sold, sum("SELECT CAST(SUM(total - refunded) AS BIGINT) FROM orders").await, "{found:?}");
    let tax = "SELECT CAST((SELECT SUM(tax) FROM orders) - (SELECT SUM(tax) FROM refunds) AS BIGINT)";
    assert_eq!(-of("Liabilities:Sales tax:US-CA"), sum(tax).await, "{found:?}");
    assert_eq!(of("Equity:Suspense"), 0, "{found:?}");
}

/// The journal of these days, checked by hledger.
pub async fn checked_journal(shop: &TestShop, from: &str, to: &str) -> (String, BTreeMap<String, i64>) {
    let journal = shop.admin().await.get(&format!("/api/admin/journal?from={from}&to={to}")).await;
    assert_eq!(journal.status, 200, "{journal}");
    let folder = Folder::new();
    let file = folder.path().join("shop.journal");
    std::fs::write(&file, &journal.text).unwrap();
    hledger(&file, &["check", "--strict", "ordereddates"]);
    let found = balances(&file);
    (journal.text, found)
}

pub fn day(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).unwrap().to_string()[..10].to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_kind_of_a_provinces_taxes_has_an_account_that_a_full_refund_returns_to_zero() {
    if is_hledger_missing() {
        return;
    }
    let shop = TestShop::open().await;
    let (stripe, buyer, light) = (shop.stripe().await, shop.customer().await, shop.light("Nudgelight One").await);
    let mut cart = Person::cart(&[(&light, 2)]);
    cart["shippingAddress"] = montreal();
    let mut intents = Vec::new();
    for _ in 0..2 {
        let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
        stripe.takes(&intent, "pm_card_visa").await;
        buyer.asks_for_order(&intent.id).await;
        intents.push(intent);
    }
    shop.settles(&stripe).await;
    for fields in [&[("amount", "777")][..], &[]] {
        let refund = [&[("payment_intent", intents[0].id.as_str())], fields].concat();
        stripe.as_shop("POST", "/v1/refunds", &refund).await.gives(200);
    }
    shop.clock.advance(20 * MINUTE);
    shop.syncs_payouts().await;
    let (from, to) = (day(shop.clock.now_ms() - 24 * 60 * MINUTE), day(shop.clock.now_ms()));
    let (text, found) = checked_journal(&shop, &from, &to).await;
    let kept = shop.texts("SELECT tax_breakdown FROM orders WHERE number = 1002").await;
    let taxes: serde_json::Value = serde_json::from_str(&kept[0]).unwrap();
    for tax in taxes.as_array().unwrap() {
        let kind = tax["tax_rate_details"]["tax_type"].as_str().unwrap().to_uppercase();
        let account = format!("Liabilities:Sales tax:CA-QC:{kind}");
        assert_eq!(found.get(&account), tax["amount"].as_i64().map(|amount| -amount).as_ref(), "{account}: {text}");
    }
    assert_eq!(taxes.as_array().unwrap().len(), 2);
    assert!(!found.contains_key("Liabilities:Sales tax:CA-QC"), "{found:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_payout_is_booked_on_the_day_of_its_arrival() {
    if is_hledger_missing() {
        return;
    }
    for zone in ["UTC", "America/Los_Angeles", "Pacific/Auckland"] {
        let shop = TestShop::open_with(&[("SHOP_TIME_ZONE", zone)]).await;
        let (stripe, buyer) = (shop.stripe().await, shop.customer().await);
        buyer.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
        shop.settles(&stripe).await;
        // A later sync would restore the provider's day.
        stripe.drops_webhooks().await;
        let payout = stripe.pays_out().await;
        shop.clock.advance(20 * MINUTE);
        shop.syncs_payouts().await;
        // Days after its creation, and on no other day.
        shop.tamper("UPDATE payouts SET arrival_at = (created_at / 86400000 + 3) * 86400000").await;
        let arrival = day(shop.count("SELECT arrival_at FROM payouts").await);
        let created = shop.count("SELECT created_at FROM payouts").await;
        let (from, to) = (day(created - 3 * 24 * 60 * MINUTE), day(created + 6 * 24 * 60 * MINUTE));
        let (text, found) = checked_journal(&shop, &from, &to).await;
        let titles: Vec<&str> = text.lines().filter(|line| line.contains("Payout |")).collect();
        assert_eq!(titles.len(), 1, "{zone}: {text}");
        assert!(titles[0].starts_with(&format!("{arrival} *")), "{zone}: {arrival}: {text}");
        assert_eq!(found.get("Assets:Bank"), payout["amount"].as_i64().as_ref(), "{zone}: {found:?}");
        assert_eq!(found.get("Assets:Stripe").copied().unwrap_or_default(), 0, "{zone}: {found:?}");
    }
}
