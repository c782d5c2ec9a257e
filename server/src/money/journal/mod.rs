//! Journal: orders, refunds, disputes, fees and payouts as double-entry bookkeeping, in the format of hledger and Ledger.
//!
//! Amounts are those of the shop's orders and of the provider's balance transactions. A payment without an order is owed
//! to its customer; what has no explanation is in a suspense account, so that the balance at the provider is right.

mod accounts;
mod entry;
pub mod handlers;
mod store;

use std::collections::BTreeSet;

use sqlx::AnyPool;
use wasm_core::money::{Cents, Overflow};

use self::accounts::{ADJUSTMENTS, BALANCE, BANK, CUSTOMERS, DISPUTES, FEES, SALES, SHIPPING, SUSPENSE};
use self::entry::Entry;
use self::store::{RefundParts, SoldOrder};
use crate::error::Error;
use crate::infra::clock::day_text;
use crate::money::payouts::Category;
use crate::money::payouts::store::Transaction;
use crate::time_zone::ShopZone;

/// First line of a journal: how amounts are written.
pub const HEADER: &str = "commodity $1,000.00\n";

/// A journal that is written day by day. Each account is declared before its first entry.
pub struct Journal {
    zone: ShopZone,
    accounts: BTreeSet<String>,
}

impl Journal {
    /// An empty journal with the days of a time zone.
    #[must_use]
    pub const fn of(zone: ShopZone) -> Self {
        Self { zone, accounts: BTreeSet::new() }
    }

    /// The entries of a day (in days since 1970-01-01), by time.
    ///
    /// # Errors
    /// If the database cannot be read or holds an amount that is too large.
    pub async fn write_day(&mut self, pool: &AnyPool, day: i64) -> Result<String, Error> {
        let time = self.zone.bounds(day);
        let orders = store::list_orders(pool, time.start, time.end).await?;
        let mut entries: Vec<Entry> = orders.iter().map(order_entry).collect::<Result<_, _>>()?;
        for (transaction, refund) in store::list_transactions(pool, day, time).await? {
            entries.push(transaction_entry(&transaction, refund.as_ref())?);
        }
        entries.sort_by_key(|entry| entry.at);
        let day = day_text(day);
        Ok(entries.iter().map(|entry| self.write(entry, &day)).collect())
    }

    fn write(&mut self, entry: &Entry, day: &str) -> String {
        let mut text = String::new();
        for account in entry.accounts() {
            if self.accounts.insert(account.to_owned()) {
                text.push_str(&format!("account {account}\n"));
            }
        }
        text.push_str(&entry.text(day));
        text
    }
}

/// The sale, with the fee of its payment. Without a transaction the provider has not listed it yet.
fn order_entry(order: &SoldOrder) -> Result<Entry, Overflow> {
    let SoldOrder { parts, charged, fee, .. } = order;
    let charged = charged.unwrap_or(parts.total);
    let mut entry = Entry::new(order.created_at, Some(order.number), "Order");
    entry.add(BALANCE, charged.checked_sub(*fee)?);
    entry.add(FEES, *fee);
    entry.add(SUSPENSE, parts.total.checked_sub(charged)?);
    entry.add(SALES, Cents::ZERO.checked_sub(parts.sales()?)?);
    entry.add(SHIPPING, Cents::ZERO.checked_sub(parts.shipping)?);
    for (kind, tax) in &parts.taxes {
        entry.add(&parts.tax_account(kind), Cents::ZERO.checked_sub(*tax)?);
    }
    Ok(entry)
}

/// Any other transaction. `refund` has the order of its payment.
fn transaction_entry(transaction: &Transaction, refund: Option<&RefundParts>) -> Result<Entry, Overflow> {
    let title = title(transaction);
    let mut entry = Entry::new(transaction.created_at, transaction.order_number, &title);
    entry.add(BALANCE, transaction.net);
    entry.add(FEES, transaction.amount.checked_sub(transaction.net)?);
    let amount = Cents::ZERO.checked_sub(transaction.amount)?;
    match (transaction.category, refund) {
        (Category::Refund, Some(refund)) => {
            for (account, part) in refund.split(amount)? {
                entry.add(&account, part);
            }
        }
        _ => entry.add(counter_account(transaction), amount),
    }
    Ok(entry)
}

fn counter_account(transaction: &Transaction) -> &'static str {
    match transaction.category {
        Category::Payment | Category::Refund if transaction.problem.is_none() => CUSTOMERS,
        Category::Payment | Category::Refund | Category::Unknown => SUSPENSE,
        Category::Dispute => DISPUTES,
        Category::Fee => FEES,
        Category::Payout => BANK,
        // A payout that failed returns from the bank.
        Category::Adjustment if transaction.kind.starts_with("payout_") => BANK,
        Category::Adjustment => ADJUSTMENTS,
    }
}

fn title(transaction: &Transaction) -> String {
    let word = match transaction.category {
        Category::Payment => "Payment without order",
        Category::Refund if transaction.amount > Cents::ZERO => "Failed refund",
        Category::Refund => "Refund",
        Category::Dispute if transaction.amount > Cents::ZERO => "Dispute won",
        Category::Dispute => "Dispute",
        Category::Fee => "Stripe fee",
        Category::Adjustment => "Adjustment",
        Category::Payout => "Payout",
        Category::Unknown => "Unknown transaction",
    };
    format!("{word} | {}", transaction.id)
}

#[cfg(test)]
mod tests {
    use super::store::{OrderParts, RecordedParts, Taxes};
    use super::*;

    fn cents(amount: i64) -> Cents {
        Cents::from_cents(amount)
    }

    fn order() -> OrderParts {
        let taxes = Taxes::from([("sales_tax".to_owned(), cents(181))]);
        OrderParts { tax_region: "US-CA".to_owned(), shipping: cents(595), taxes, total: cents(3_275) }
    }

    fn refund(refunded_before: i64) -> RefundParts {
        RefundParts { order: order(), recorded: None, refunded_before: cents(refunded_before) }
    }

    #[test]
    fn an_order_is_its_payment_less_the_fee() {
        let order =
            SoldOrder { number: 1_001, created_at: 0, parts: order(), charged: Some(cents(3_275)), fee: cents(125) };
        let expected = "
1970-01-01 * (NL-1001) Order
    Assets:Stripe  $31.50
    Expenses:Stripe fees  $1.25
    Income:Sales  $-24.99
    Income:Shipping  $-5.95
    Liabilities:Sales tax:US-CA  $-1.81
";
        let entry = order_entry(&order).unwrap();
        assert_eq!(entry.text("1970-01-01"), expected);
        let mut journal = Journal::of(ShopZone::default());
        assert!(
            journal.write(&entry, "1970-01-01").starts_with("account Assets:Stripe\naccount Expenses:Stripe fees\n")
        );
        assert_eq!(journal.write(&entry, "1970-01-01"), expected);
    }

    #[test]
    fn refunds_in_parts_return_each_account_to_zero() {
        for step in [1, 7, 100, 1_637, 3_275] {
            let mut left = std::collections::BTreeMap::new();
            for (account, part) in refund(0).split(cents(3_275)).unwrap() {
                left.insert(account, part.cents());
            }
            let mut before = 0;
            while before < 3_275 {
                let amount = step.min(3_275 - before);
                for (account, part) in refund(before).split(cents(amount)).unwrap() {
                    *left.get_mut(&account).unwrap() -= part.cents();
                }
                before += amount;
            }
            assert!(left.values().all(|rest| *rest == 0), "{step}: {left:?}");
        }
    }

    #[test]
    fn a_refund_with_a_record_returns_its_parts_and_a_failed_one_takes_them_back() {
        let recorded = || {
            let taxes = Taxes::from([("gst".to_owned(), cents(3)), ("qst".to_owned(), cents(4))]);
            RecordedParts { sales: cents(100), shipping: cents(50), taxes }
        };
        let parts = |amount| -> Vec<i64> {
            let split = RefundParts { recorded: Some(recorded()), ..refund(0) }.split(cents(amount)).unwrap();
            split.into_iter().map(|(_, part)| part.cents()).collect()
        };
        assert_eq!((parts(157), parts(-157)), (vec![100, 50, 3, 4], vec![-100, -50, -3, -4]));
    }

    #[test]
    fn every_entry_is_balanced() {
        let categories = ["payment", "refund", "dispute", "fee", "adjustment", "payout", "unknown"];
        for category in categories {
            for (amount, fee) in [(-1_000, 0), (1_000, 59), (-1_000, 1_500), (0, 0)] {
                let transaction = Transaction {
                    category: Category::parse(category).unwrap(),
                    amount: cents(amount),
                    fee: cents(fee),
                    net: cents(amount - fee),
                    ..Transaction::default()
                };
                for refund in [None, Some(refund(5))] {
                    let entry = transaction_entry(&transaction, refund.as_ref()).unwrap();
                    assert_eq!(entry.sum(), 0, "{category} {amount} {fee}");
                }
            }
        }
    }
}
