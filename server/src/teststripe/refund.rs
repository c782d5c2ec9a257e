//! A refund as it is kept and shown, and how much may still be refunded.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_core::money::Cents;

use super::charge::Charge;
use super::fault::Fault;
use super::metadata::Metadata;
use super::store::{Document, Kind};

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

impl Refund {
    pub fn to_json(&self) -> Value {
        json!({
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
            "status": "succeeded",
            "transfer_reversal": null,
        })
    }
}

/// How much a refund of `wanted` (none: everything left) takes from a charge.
///
/// # Errors
/// A refusal when nothing or less is left.
pub fn refundable(charge: &Charge, wanted: Option<i64>) -> Result<i64, Fault> {
    if !charge.succeeded() {
        let message = format!("Charge {} did not succeed, so there is nothing to refund.", charge.id);
        return Err(Fault::invalid(message));
    }
    let left = charge.refundable();
    if left == 0 {
        let message = format!("Charge {} has already been refunded.", charge.id);
        return Err(Fault::invalid(message).code("charge_already_refunded"));
    }
    let amount = wanted.unwrap_or(left);
    if amount < 1 {
        let fault = Fault::invalid("This value must be greater than or equal to 1.");
        return Err(fault.code("parameter_invalid_integer").param("amount"));
    }
    if amount > left {
        let message = format!(
            "Refund amount ({}) is greater than unrefunded amount on charge ({})",
            Cents::from_cents(amount),
            Cents::from_cents(left)
        );
        return Err(Fault::invalid(message).param("amount"));
    }
    Ok(amount)
}
