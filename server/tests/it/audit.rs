//! Audit: reports every manipulation of the database as a violated invariant, and has no false positives.

use std::process::Output;

use crate::configuration::binary;
use crate::harness::{Client, TestShop};

/// A shop with two orders (one refunded and restocked), an open checkout and a closed one.
async fn busy_shop() -> TestShop {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let (one, halo) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Halo").await);
    ada.buys(&stripe, &one, 2).await;
    let refunded = ada.buys(&stripe, &halo, 1).await;
    refund(&admin, &refunded).await;
    ada.starts_payment(&[(&one, 1)]).await;
    shop.clock.advance(16 * 60_000);
    shop.expires().await;
    let ada = shop.customer().await;
    ada.starts_payment(&[(&one, 3), (&halo, 1)]).await;
    shop
}

async fn refund(admin: &Client, order_id: &str) {
    let patch = serde_json::json!({ "status": "refunded", "restock": true });
    admin.patch(&format!("/api/admin/order/{order_id}"), &patch).await.gives(200);
}

/// Manipulations of the database, and the start of the expected finding.
const BREACHES: &[(&str, &str)] = &[
    (
        "UPDATE products SET reserved = reserved + 1 WHERE slug = 'nudgelight-one'",
        "I1: Product Nudgelight One (#) has 4 reserved, but open checkouts hold 3.",
    ),
    (
        "UPDATE products SET stock = 2 WHERE slug = 'nudgelight-one'",
        "I1: Product Nudgelight One (#) has 3 reserved of 2, although its stock was never lowered manually.",
    ),
    (
        "UPDATE products SET stock = stock - 1 WHERE slug = 'nudgelight-mini'",
        "I2: Product Nudgelight Mini (#) has a stock of 47, but its ledger adds up to 48.",
    ),
    (
        "UPDATE stock_ledger SET change = -3 WHERE reason = 'sold' AND change = -2",
        "I2: Order 1001 has 2 of product #, but the ledger has 3 sold for it.",
    ),
    ("UPDATE stock_ledger SET order_id = 'no order' WHERE reason = 'restocked'", "I2: Ledger entry # of product "),
    ("UPDATE stock_ledger SET change = 2 WHERE reason = 'restocked'", "I2: Order 1002 restocked 2 of product #"),
    (
        "UPDATE checkouts SET state = 'ordered' WHERE state = 'open'",
        "I3: Checkout # is marked as ordered but has no order.",
    ),
    (
        "UPDATE checkouts SET state = 'closed' WHERE id = (SELECT checkout_id FROM orders WHERE number = 1001)",
        "I3: Order 1001 was created from checkout #, which is closed.",
    ),
    (
        "UPDATE orders SET payment_intent_id = 'pi_of_somebody' WHERE number = 1002",
        "I3: Order 1002 was paid by pi_of_somebody, but its checkout by pi_",
    ),
    (
        "UPDATE checkouts SET state = 'refunded' WHERE state = 'open'",
        "I3: Checkout # did not become an order, but there is no alert about payment pi_",
    ),
    (
        "INSERT INTO alerts (id, kind, data, dedupe_key, payment_intent_id, created_at) \
         VALUES ('a1', 'payment_lost', '{}', 'lost', 'pi_lost', 1)",
        "I3: Payment pi_lost was lost by the database, and is neither an order nor refunded.",
    ),
    ("UPDATE checkouts SET recovered_at = 1 WHERE state = 'ordered'", "I3: Checkout # was made again from payment pi_"),
    (
        "UPDATE order_lines SET price = price + 1 WHERE quantity = 2",
        "I4: Order 1001 has a subtotal of 4998 cents, but its lines add up to 5000 cents.",
    ),
    (
        "UPDATE checkouts SET shipping = shipping + 1 WHERE id = (SELECT checkout_id FROM orders WHERE number = 1001)",
        "I4: Order 1001 has amounts (subtotal 4998, shipping 620, tax 362, total 5980 cents) that differ from the quote.",
    ),
    ("UPDATE checkouts SET currency = 'eur' WHERE state = 'ordered'", "I4: Order 1002 was quoted in eur, not in usd."),
    (
        "UPDATE orders SET tax_breakdown = '[]' WHERE number = 1001",
        "I4: Order 1001 has a tax of 362 cents, but its tax lines add up to 0 cents.",
    ),
    ("UPDATE orders SET tax_breakdown = 'none' WHERE number = 1001", "I4: The taxes of order 1001 cannot be read."),
    (
        "DELETE FROM tax_records WHERE reversed IS NULL",
        "I4: Order 1001 has tax calculated by the provider but no tax record.",
    ),
    ("UPDATE tax_records SET reversed = reversed + 1 WHERE reversed IS NOT NULL", "I5: Order 1002 was refunded "),
    ("UPDATE refunds SET amount = amount + 1, subtotal = subtotal + 1", "I5: Order 1002 was refunded "),
    ("UPDATE refunds SET subtotal = subtotal + 1, tax = tax - 1", "I5: Order 1002 has refunds of "),
    ("UPDATE refund_lines SET quantity = 2", "I5: Order 1002 has refunds of 2 of product #, more than it contains."),
    ("UPDATE refunds SET tax_breakdown = '[]'", "I5: A refund of order 1002 has a tax of "),
    (
        "UPDATE orders SET payment_status = 'refunded' WHERE number = 1001",
        "I5: Order 1001 has payment status refunded, but 0 of 5980 cents were refunded, and its dispute is none.",
    ),
    (
        "UPDATE orders SET dispute = 'lost' WHERE number = 1001",
        "I5: Order 1001 has payment status paid, but 0 of 5980 cents were refunded, and its dispute is lost.",
    ),
    (
        "INSERT INTO disputes (id, order_id, status, created_at, updated_at) \
         SELECT 'dp_1', id, 'warning', 0, 0 FROM orders WHERE number = 1001",
        "I5: Order 1001 says that its dispute is none, but its disputes make another status.",
    ),
    (
        "UPDATE checkouts SET state = 'closed', closed_reason = 'unknown_intent' WHERE state = 'open'",
        "I3: Checkout # was closed because the provider did not know its payment pi_",
    ),
    (
        "UPDATE order_lines SET product_name = 'A candle' WHERE quantity = 2",
        "I6: Order 1001 has another line 1 than was quoted: 2 of A candle at 2499 cents.",
    ),
    (
        "DELETE FROM order_lines WHERE order_id = (SELECT id FROM orders WHERE number = 1001)",
        "I6: Order 1001 has 0 lines, but 1 were quoted.",
    ),
    (
        "UPDATE orders SET status = 'refunded' WHERE number = 1001",
        "I7: Order 1001 was set to refunded, but its payment is paid.",
    ),
    (
        "UPDATE checkouts SET tax_calculation = NULL WHERE state = 'ordered'",
        "I7: Checkout # is ordered without a quote.",
    ),
    ("DELETE FROM outbox WHERE kind = 'receipt'", "I8: Order 1001 has no receipt in the outbox."),
    ("UPDATE daily_order_totals SET orders = orders + 1 WHERE status = 'pending'", "I9: Day "),
    ("UPDATE daily_order_totals SET sales = sales - 1 WHERE status = 'refunded'", "I9: Day "),
    ("DELETE FROM daily_product_totals", "I9: Day "),
];

/// Compares a finding with its expected start, in which `#` stands for an ID.
fn is_expected(finding: &str, expected: &str) -> bool {
    let Some((before, after)) = expected.split_once('#') else {
        return finding.starts_with(expected);
    };
    finding.strip_prefix(before).and_then(|rest| rest.get(36..)).is_some_and(|end| end.starts_with(after))
}

// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_broken_in_the_books_is_found_and_named() {
    let shop = busy_shop().await;
    shop.audit().await;
    for (breach, expected) in BREACHES {
        let findings = shop.findings_after(breach).await;
        assert!(findings.iter().any(|finding| is_expected(finding, expected)), "{breach}: {findings:#?}");
    }
    shop.audit().await;
}

// invariant: accounting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_command_says_what_is_wrong_while_the_shop_serves_and_fails_only_then() {
    let shop = busy_shop().await;
    let vars: Vec<(String, String)> = shop.vars().collect();
    let audit = || -> Output {
        let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        binary(&std::env::temp_dir(), &vars).arg("audit").output().unwrap()
    };
    let well = audit();
    let said = String::from_utf8(well.stdout).unwrap();
    assert!(well.status.success(), "{said}");
    assert_eq!(said.trim(), "4 products and 2 orders audited: all invariants hold.");

    shop.tamper("UPDATE products SET stock = stock + 1 WHERE slug = 'nudgelight-duo'").await;
    let ill = audit();
    let said = String::from_utf8(ill.stdout).unwrap();
    assert_eq!(ill.status.code(), Some(1), "{said}");
    assert!(said.starts_with("I2: Product Nudgelight Duo ("), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
