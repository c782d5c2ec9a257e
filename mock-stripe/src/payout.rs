//! Payouts: stored form and JSON form.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::balance_transaction::{BalanceTransaction, Type};
use crate::clock;
use crate::ids;
use crate::store::{Document, Kind, Resource};

/// An automatic payout, paid immediately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    pub id: String,
    /// In cents.
    pub amount: i64,
    pub currency: String,
    /// In seconds.
    pub created: i64,
}

impl Document for Payout {
    const KIND: Kind = Kind::Payout;

    fn id(&self) -> &str {
        &self.id
    }
}

impl Resource for Payout {
    const PATH: &'static str = "/v1/payouts";

    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "payout",
            "amount": self.amount,
            "application_fee": null,
            "application_fee_amount": null,
            "arrival_date": self.created,
            "automatic": true,
            "balance_transaction": self.balance_transaction().id,
            "created": self.created,
            "currency": self.currency,
            "description": "STRIPE PAYOUT",
            "destination": null,
            "failure_balance_transaction": null,
            "failure_code": null,
            "failure_message": null,
            "livemode": false,
            "metadata": {},
            "method": "standard",
            "original_payout": null,
            "payout_method": null,
            "reconciliation_status": "completed",
            "reversed_by": null,
            "source_type": "card",
            "statement_descriptor": null,
            "status": "paid",
            "trace_id": null,
            "type": "bank_account",
        })
    }
}

impl Payout {
    pub fn new(id: String, transactions: &[BalanceTransaction], now_ms: i64) -> Self {
        Self {
            id,
            amount: transactions.iter().map(BalanceTransaction::net).sum(),
            currency: "usd".to_owned(),
            created: now_ms / clock::SECOND,
        }
    }

    pub fn new_id() -> String {
        ids::new_id("po")
    }

    /// The withdrawal from the balance.
    pub fn balance_transaction(&self) -> BalanceTransaction {
        BalanceTransaction {
            id: self.id.replacen("po_", "txn_", 1),
            kind: Type::Payout,
            amount: -self.amount,
            fee: 0,
            currency: self.currency.clone(),
            created: self.created,
            description: Some("STRIPE PAYOUT".to_owned()),
            source: self.id.clone(),
        }
    }
}
