//! The category of a balance transaction.

use serde::Serialize;
use utoipa::ToSchema;

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
    pub(super) const ALL: [Self; 7] =
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
