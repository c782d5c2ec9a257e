//! The journal export: hledger accepts it, and its balances are the shop's.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::harness::{Folder, Stripe, TestShop, skip};

const MINUTE: i64 = 60_000;

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
    if Command::new("hledger").arg("--version").output().is_err() {
        skip("hledger is not installed");
        return;
    }
    let shop = TestShop::open().await;
    let stripe = shop.stripe().await;
    a_week_of_business(&shop, &stripe).await;
    let today = shop.texts("SELECT value FROM shop_metadata WHERE name = 'balance_synced'").await.remove(0);
    let day = |ms: i64| jiff::Timestamp::from_millisecond(ms).unwrap().to_string()[..10].to_owned();
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
