//! Comparison of a balance transaction with the shop's own records.

use wasm_core::money::Cents;

use super::category::Category;
use super::store::{Records, Transaction};

/// Why the shop's records do not explain a transaction. None if they do.
pub fn problem(transaction: &Transaction, records: &Records) -> Option<String> {
    if transaction.amount.checked_sub(transaction.fee) != Ok(transaction.net) {
        return Some("The net amount is not the amount less the fee.".to_owned());
    }
    match transaction.category {
        Category::Payment => payment_problem(transaction.amount, records),
        Category::Refund => refund_problem(records),
        Category::Dispute => dispute_problem(records),
        Category::Payout => (!records.has_source).then(|| "The shop has no such payout.".to_owned()),
        Category::Fee | Category::Adjustment => None,
        Category::Unknown => Some(format!("Transactions of type {} are unknown.", transaction.kind)),
    }
}

fn payment_problem(amount: Cents, records: &Records) -> Option<String> {
    match records.order {
        Some((total, _)) if total == amount => None,
        Some((total, _)) => Some(format!("The customer paid {amount}, but the order’s total is {total}.")),
        None if records.is_without_order => None,
        None => Some("No order has this payment.".to_owned()),
    }
}

/// The shop may know of a failure before the provider lists its transaction.
fn refund_problem(records: &Records) -> Option<String> {
    let Some((_, recorded)) = records.order else {
        return (!records.is_without_order).then(|| "No order has this refund.".to_owned());
    };
    let received = records.refunds.checked_sub(records.failed_refunds).ok()?;
    let expected = recorded.checked_add(records.unlisted_failures).ok()?;
    if received == expected {
        return None;
    }
    Some(format!("The provider refunded {received}, but the order has refunds of {recorded}."))
}

/// The shop stores the disputes of orders only.
fn dispute_problem(records: &Records) -> Option<String> {
    let is_explained = records.has_source || records.is_without_order;
    (!is_explained).then(|| "No matching dispute in this shop.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transaction(category: Category, amount: i64) -> Transaction {
        let amount = Cents::from_cents(amount);
        Transaction { category, amount, net: amount, ..Transaction::default() }
    }

    fn order(total: i64, refunded: i64, refunds: i64, failed: i64) -> Records {
        order_with(total, refunded, refunds, failed, 0)
    }

    fn order_with(total: i64, refunded: i64, refunds: i64, failed: i64, unlisted: i64) -> Records {
        Records {
            order: Some((Cents::from_cents(total), Cents::from_cents(refunded))),
            refunds: Cents::from_cents(refunds),
            failed_refunds: Cents::from_cents(failed),
            unlisted_failures: Cents::from_cents(unlisted),
            ..Records::default()
        }
    }

    #[test]
    fn a_payment_is_explained_by_an_order_of_its_amount_or_by_its_automatic_refund() {
        let payment = transaction(Category::Payment, 1_000);
        assert_eq!(problem(&payment, &order(1_000, 0, 0, 0)), None);
        let wrong = problem(&payment, &order(999, 0, 0, 0)).unwrap();
        assert_eq!(wrong, "The customer paid $10.00, but the order’s total is $9.99.");
        assert_eq!(problem(&payment, &Records::default()).unwrap(), "No order has this payment.");
        assert_eq!(problem(&payment, &Records { is_without_order: true, ..Records::default() }), None);
    }

    #[test]
    fn refunds_are_explained_by_the_refunded_amount_of_their_order() {
        let refund = transaction(Category::Refund, -400);
        for (recorded, refunds, failed, unlisted, is_explained) in [
            (400, 400, 0, 0, true),
            (700, 700, 0, 0, true),
            (300, 400, 0, 0, false),
            (700, 400, 0, 0, false),
            (400, 400, 400, 0, false),
            (0, 400, 400, 0, true),
            (0, 400, 0, 400, true),
            (500, 400, 400, 0, false),
        ] {
            let problem = problem(&refund, &order_with(1_000, recorded, refunds, failed, unlisted));
            assert_eq!(problem.is_none(), is_explained, "{recorded} {refunds} {failed} {unlisted}: {problem:?}");
        }
        assert_eq!(problem(&refund, &Records::default()).unwrap(), "No order has this refund.");
    }

    #[test]
    fn a_dispute_is_explained_by_its_record_or_by_the_payment_that_did_not_become_an_order() {
        let dispute = transaction(Category::Dispute, -1_000);
        for (has_source, is_without_order) in [(true, false), (false, true)] {
            assert_eq!(problem(&dispute, &Records { has_source, is_without_order, ..Records::default() }), None);
        }
        assert_eq!(problem(&dispute, &Records::default()).unwrap(), "No matching dispute in this shop.");
    }

    #[test]
    fn fees_are_explained_by_their_type_and_an_unknown_type_by_nothing() {
        assert_eq!(problem(&transaction(Category::Fee, -200), &Records::default()), None);
        assert!(problem(&transaction(Category::Unknown, -200), &Records::default()).is_some());
        assert!(problem(&transaction(Category::Dispute, -200), &Records::default()).is_some());
        let uneven = Transaction { fee: Cents::from_cents(1), ..transaction(Category::Fee, -200) };
        assert!(problem(&uneven, &Records::default()).is_some());
    }

    #[test]
    fn every_category_is_parsed_from_its_word() {
        for category in Category::ALL {
            assert_eq!(Category::parse(category.as_str()), Some(category));
        }
    }
}
