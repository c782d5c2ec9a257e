//! The category of a balance transaction, and its comparison with the shop's own records.

use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::money::Cents;

use super::store::Transaction;
use crate::checkout::provider::BalanceTransaction;

/// What a balance transaction is in the shop's books.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = TransactionCategory)]
pub enum Category {
    Payment,
    Refund,
    Dispute,
    Fee,
    Adjustment,
    Payout,
    #[default]
    Unknown,
}

impl Category {
    const ALL: [Self; 7] =
        [Self::Payment, Self::Refund, Self::Dispute, Self::Fee, Self::Adjustment, Self::Payout, Self::Unknown];

    /// By [Stripe's type and reporting category](https://docs.stripe.com/reports/balance-transaction-types). Another
    /// currency than the shop's is unknown.
    pub fn of(transaction: &BalanceTransaction) -> Self {
        if !transaction.is_in_shop_currency {
            return Self::Unknown;
        }
        if let Some("dispute" | "dispute_reversal") = transaction.reporting_category.as_deref() {
            return Self::Dispute;
        }
        match transaction.kind.as_str() {
            "charge" | "payment" => Self::Payment,
            "refund" | "payment_refund" | "refund_failure" | "payment_failure_refund" => Self::Refund,
            "stripe_fee" | "stripe_fx_fee" | "tax_fee" | "network_cost" => Self::Fee,
            "payout" => Self::Payout,
            "adjustment"
            | "payout_failure"
            | "payout_cancel"
            | "reserve_transaction"
            | "reserved_funds"
            | "payout_minimum_balance_hold"
            | "payout_minimum_balance_release"
            | "topup"
            | "topup_reversal" => Self::Adjustment,
            _ => Self::Unknown,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Refund => "refund",
            Self::Dispute => "dispute",
            Self::Fee => "fee",
            Self::Adjustment => "adjustment",
            Self::Payout => "payout",
            Self::Unknown => "unknown",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.as_str() == word)
    }
}

/// What the shop and the provider have about the payment or the source of a transaction.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// Total and refunded amount of the payment's order.
    pub order: Option<(Cents, Cents)>,
    /// Whether the payment could not become an order and was refunded in full, or charged back.
    pub is_without_order: bool,
    /// Refunds of the payment in the provider's transactions, including those that failed later.
    pub refunds: Cents,
    /// Those of them that failed later.
    pub failed_refunds: Cents,
    /// Whether the shop has the dispute or the payout.
    pub has_source: bool,
}

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
        Some((total, _)) => Some(format!("The customer paid {amount}, but the order's total is {total}.")),
        None if records.is_without_order => None,
        None => Some("No order has this payment.".to_owned()),
    }
}

/// A refund that failed is still on its order until an administrator repeats it, so the order may have either sum.
fn refund_problem(records: &Records) -> Option<String> {
    let Some((_, recorded)) = records.order else {
        return (!records.is_without_order).then(|| "No order has this refund.".to_owned());
    };
    let received = records.refunds.checked_sub(records.failed_refunds).ok()?;
    if (received..=records.refunds).contains(&recorded) {
        return None;
    }
    Some(format!("The provider refunded {received}, but the order has refunds of {recorded}."))
}

/// The shop stores the disputes of orders only.
fn dispute_problem(records: &Records) -> Option<String> {
    let is_explained = records.has_source || records.is_without_order;
    (!is_explained).then(|| "The shop has no such dispute.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transaction(category: Category, amount: i64) -> Transaction {
        let amount = Cents::from_cents(amount);
        Transaction { category, amount, net: amount, ..Transaction::default() }
    }

    fn order(total: i64, refunded: i64, refunds: i64, failed: i64) -> Records {
        Records {
            order: Some((Cents::from_cents(total), Cents::from_cents(refunded))),
            refunds: Cents::from_cents(refunds),
            failed_refunds: Cents::from_cents(failed),
            ..Records::default()
        }
    }

    #[test]
    fn a_payment_is_explained_by_an_order_of_its_amount_or_by_its_automatic_refund() {
        let payment = transaction(Category::Payment, 1_000);
        assert_eq!(problem(&payment, &order(1_000, 0, 0, 0)), None);
        let wrong = problem(&payment, &order(999, 0, 0, 0)).unwrap();
        assert_eq!(wrong, "The customer paid $10.00, but the order's total is $9.99.");
        assert_eq!(problem(&payment, &Records::default()).unwrap(), "No order has this payment.");
        assert_eq!(problem(&payment, &Records { is_without_order: true, ..Records::default() }), None);
    }

    #[test]
    fn refunds_are_explained_by_the_refunded_amount_of_their_order() {
        let refund = transaction(Category::Refund, -400);
        for (recorded, refunds, failed, is_explained) in [
            (400, 400, 0, true),
            (700, 700, 0, true),
            (300, 400, 0, false),
            (700, 400, 0, false),
            (400, 400, 400, true),
            (0, 400, 400, true),
            (500, 400, 400, false),
        ] {
            let problem = problem(&refund, &order(1_000, recorded, refunds, failed));
            assert_eq!(problem.is_none(), is_explained, "{recorded} {refunds} {failed}: {problem:?}");
        }
        assert_eq!(problem(&refund, &Records::default()).unwrap(), "No order has this refund.");
    }

    #[test]
    fn a_dispute_is_explained_by_its_record_or_by_the_payment_that_did_not_become_an_order() {
        let dispute = transaction(Category::Dispute, -1_000);
        for (has_source, is_without_order) in [(true, false), (false, true)] {
            assert_eq!(problem(&dispute, &Records { has_source, is_without_order, ..Records::default() }), None);
        }
        assert_eq!(problem(&dispute, &Records::default()).unwrap(), "The shop has no such dispute.");
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
