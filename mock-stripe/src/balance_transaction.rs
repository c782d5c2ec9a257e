//! Balance transactions: each movement of money on the account's balance. The parent of one is its payout.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Error};

use crate::store::{self, Document, Kind, Resource};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceTransaction {
    pub id: String,
    pub kind: Type,
    /// In cents; negative for a withdrawal.
    pub amount: i64,
    pub fee: i64,
    pub currency: String,
    /// In seconds. The money is available immediately.
    pub created: i64,
    pub description: Option<String>,
    /// The charge, refund, dispute or payout.
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    Charge,
    Refund,
    RefundFailure,
    Dispute,
    DisputeReversal,
    Payout,
}

impl Type {
    fn word(self) -> &'static str {
        match self {
            Self::Dispute | Self::DisputeReversal => "adjustment",
            other => other.reporting_category(),
        }
    }

    fn reporting_category(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::Refund => "refund",
            Self::RefundFailure => "refund_failure",
            Self::Dispute => "dispute",
            Self::DisputeReversal => "dispute_reversal",
            Self::Payout => "payout",
        }
    }

    fn fee_description(self) -> &'static str {
        match self {
            Self::Dispute | Self::DisputeReversal => "Dispute fee",
            _ => "Stripe processing fees",
        }
    }
}

impl Document for BalanceTransaction {
    const KIND: Kind = Kind::BalanceTransaction;

    fn id(&self) -> &str {
        &self.id
    }

    /// A payout's own transaction belongs to it; the others get their payout later.
    fn parent(&self) -> Option<&str> {
        (self.kind == Type::Payout).then_some(&self.source)
    }
}

impl Resource for BalanceTransaction {
    const PATH: &'static str = "/v1/balance_transactions";

    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "balance_transaction",
            "amount": self.amount,
            "available_on": self.created,
            "balance_type": "payments",
            "created": self.created,
            "currency": self.currency,
            "description": self.description,
            "exchange_rate": null,
            "fee": self.fee,
            "fee_details": self.fee_details(),
            "net": self.net(),
            "reporting_category": self.kind.reporting_category(),
            "source": self.source,
            "status": "available",
            "type": self.kind.word(),
        })
    }
}

impl BalanceTransaction {
    pub fn net(&self) -> i64 {
        self.amount - self.fee
    }

    fn fee_details(&self) -> Vec<Value> {
        if self.fee == 0 {
            return Vec::new();
        }
        vec![json!({
            "amount": self.fee, "application": null, "currency": self.currency,
            "description": self.kind.fee_description(), "type": "stripe_fee",
        })]
    }

    pub async fn insert(&self, tx: &mut AnyConnection, now_ms: i64) -> Result<(), Error> {
        store::insert(tx, self, now_ms).await
    }
}
