//! Refunds: stored form, JSON form, and the refundable amount.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_core::money::Cents;

use crate::api_error::ApiError;
use crate::balance_transaction::{BalanceTransaction, Type};
use crate::charge::Charge;
use crate::metadata::Metadata;
use crate::store::{Document, Kind, Resource};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    pub id: String,
    pub charge: String,
    pub payment_intent: String,
    pub amount: i64,
    pub currency: String,
    pub created: i64,
    pub reason: Option<String>,
    pub metadata: Metadata,
    #[serde(default)]
    pub status: Status,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Pending,
    #[default]
    Succeeded,
    Failed,
}

impl Document for Refund {
    const KIND: Kind = Kind::Refund;

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.charge)
    }
}

impl Resource for Refund {
    const PATH: &'static str = "/v1/refunds";

    fn to_json(&self) -> Value {
        let mut shown = json!({
            "id": self.id,
            "object": "refund",
            "amount": self.amount,
            "balance_transaction": self.id.replacen("re_", "txn_", 1),
            "charge": self.charge,
            "created": self.created,
            "currency": self.currency,
            "customer": null,
            "customer_account": null,
            "destination_details": {
                "card": {
                    "reference_status": "pending",
                    "reference_type": "acquirer_reference_number",
                    "type": "refund",
                },
                "type": "card",
            },
            "metadata": self.metadata,
            "payment_intent": self.payment_intent,
            "payment_method": null,
            "reason": self.reason,
            "receipt_number": null,
            "source_transfer_reversal": null,
            "status": self.status,
            "transfer_reversal": null,
        });
        if self.status == Status::Failed {
            shown["failure_balance_transaction"] = json!(self.id.replacen("re_", "txn_f", 1));
            shown["failure_reason"] = json!("expired_or_canceled_card");
        }
        shown
    }
}

impl Refund {
    /// The withdrawal from the balance.
    pub fn balance_transaction(&self) -> BalanceTransaction {
        BalanceTransaction {
            id: self.id.replacen("re_", "txn_", 1),
            kind: Type::Refund,
            amount: -self.amount,
            fee: 0,
            currency: self.currency.clone(),
            created: self.created,
            description: Some(format!("REFUND FOR CHARGE ({})", self.charge)),
            source: self.id.clone(),
        }
    }

    /// The return of a failed refund to the balance.
    pub fn failure_balance_transaction(&self, now: i64) -> BalanceTransaction {
        BalanceTransaction {
            id: self.id.replacen("re_", "txn_f", 1),
            kind: Type::RefundFailure,
            amount: self.amount,
            created: now,
            description: Some(format!("REFUND FAILURE FOR CHARGE ({})", self.charge)),
            ..self.balance_transaction()
        }
    }
}

/// The amount of a refund of `wanted`, or of everything left.
///
/// # Errors
/// When less is left.
pub fn refundable(charge: &Charge, wanted: Option<i64>) -> Result<i64, ApiError> {
    if !charge.succeeded() {
        let message = format!("Charge {} did not succeed, so there is nothing to refund.", charge.id);
        return Err(ApiError::invalid(message));
    }
    let left = charge.refundable();
    if left == 0 {
        let message = format!("Charge {} has already been refunded.", charge.id);
        return Err(ApiError::invalid(message).code("charge_already_refunded"));
    }
    let amount = wanted.unwrap_or(left);
    if amount < 1 {
        let error = ApiError::invalid("This value must be greater than or equal to 1.");
        return Err(error.code("parameter_invalid_integer").param("amount"));
    }
    if amount > left {
        let message = format!(
            "Refund amount ({}) is greater than unrefunded amount on charge ({})",
            Cents::from_cents(amount),
            Cents::from_cents(left)
        );
        return Err(ApiError::invalid(message).param("amount"));
    }
    Ok(amount)
}
