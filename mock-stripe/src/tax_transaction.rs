//! Tax transactions: the record of a sale, or its reversal.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use wasm_core::pricing::shares;

use crate::api_error::ApiError;
use crate::clock;
use crate::ids;
use crate::metadata::Metadata;
use crate::postal::Postal;
use crate::store::{Document, Kind};
use crate::tax_calculation::{Calculation, Destination, Line, ShippingCost, ship_from_json};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transaction {
    pub id: String,
    pub reference: String,
    /// Unique `reference`.
    unique_reference: String,
    pub currency: String,
    pub created: i64,
    pub tax_date: i64,
    pub destination: Destination,
    pub ship_from: Option<Postal>,
    pub lines: Vec<Line>,
    pub shipping: Option<ShippingCost>,
    pub metadata: Metadata,
    pub reverses: Option<String>,
}

impl Document for Transaction {
    const KIND: Kind = Kind::TaxTransaction;

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        self.reverses.as_deref()
    }

    fn reference(&self) -> Option<&str> {
        Some(&self.unique_reference)
    }
}

/// Unique key of a transaction's reference among all objects.
pub fn unique_reference(reference: &str) -> String {
    format!("tax:{reference}")
}

/// The reversed part of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Full,
    /// An amount in cents, tax included; negative, as Stripe requires.
    Flat(i64),
}

impl Transaction {
    pub fn of(calculation: Calculation, reference: &str, metadata: Metadata, now_ms: i64) -> Self {
        Self {
            id: ids::new_id("tax"),
            reference: reference.to_owned(),
            unique_reference: unique_reference(reference),
            currency: calculation.currency,
            created: now_ms / clock::SECOND,
            tax_date: calculation.tax_date,
            destination: calculation.destination,
            ship_from: calculation.ship_from,
            lines: calculation.lines,
            shipping: calculation.shipping,
            metadata,
            reverses: None,
        }
    }

    /// Reverses what `earlier` reversals have left, or a part of it. A reversal is only reversed in full, which undoes it.
    pub fn reversal(
        &self,
        earlier: &[Transaction],
        extent: Extent,
        reference: &str,
        now_ms: i64,
    ) -> Result<Self, ApiError> {
        if self.reverses.is_some() && (extent != Extent::Full || self.total() > 0) {
            let error = ApiError::invalid("A reversal can only be reversed in full, and once.");
            return Err(error.param("original_transaction"));
        }
        let left = self.total() + earlier.iter().map(Transaction::total).sum::<i64>();
        let amount = match extent {
            Extent::Full => -left,
            Extent::Flat(amount) => amount,
        };
        let is_possible = if self.reverses.is_some() { amount > 0 } else { amount < 0 && amount >= -left };
        if !is_possible {
            let message = format!("Only {left} of transaction {} can still be reversed.", self.id);
            return Err(ApiError::invalid(message).param("flat_amount"));
        }
        let parts = shares(amount, &self.amounts());
        let mut reversal = self.clone();
        reversal.id = ids::new_id("tax");
        reversal.reference = reference.to_owned();
        reversal.unique_reference = unique_reference(reference);
        reversal.created = now_ms / clock::SECOND;
        reversal.reverses = Some(self.id.clone());
        reversal.set_amounts(&parts);
        Ok(reversal)
    }

    /// Total amount, tax included.
    pub fn total(&self) -> i64 {
        self.amounts().iter().sum()
    }

    /// Amount and tax of each line, then of the shipping.
    fn amounts(&self) -> Vec<i64> {
        let lines = self.lines.iter().flat_map(|line| [line.amount, line.amount_tax]);
        let shipping = self.shipping.iter().flat_map(|cost| [cost.amount, cost.amount_tax]);
        lines.chain(shipping).collect()
    }

    fn set_amounts(&mut self, amounts: &[i64]) {
        let lines = self.lines.iter_mut().flat_map(|line| [&mut line.amount, &mut line.amount_tax]);
        let shipping = self.shipping.iter_mut().flat_map(|cost| [&mut cost.amount, &mut cost.amount_tax]);
        for (place, amount) in lines.chain(shipping).zip(amounts) {
            *place = *amount;
        }
    }

    fn kind(&self) -> &'static str {
        if self.reverses.is_some() { "reversal" } else { "transaction" }
    }

    /// Without `line_items`, which must be expanded.
    pub fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "object": "tax.transaction",
            "created": self.created,
            "currency": self.currency,
            "customer": null,
            "customer_details": self.destination.to_json(),
            "livemode": false,
            "metadata": self.metadata,
            "posted_at": self.created,
            "reference": self.reference,
            "reversal": self.reverses.as_ref().map(|id| json!({ "original_transaction": id })),
            "ship_from_details": ship_from_json(self.ship_from.as_ref()),
            "shipping_cost": self.shipping.as_ref().map(ShippingCost::to_json),
            "tax_date": self.tax_date,
            "type": self.kind(),
        })
    }

    pub fn lines_json(&self) -> Vec<Value> {
        self.lines
            .iter()
            .map(|line| {
                let mut shown = line.to_json();
                shown["object"] = json!("tax.transaction_line_item");
                shown["reversal"] =
                    self.reverses.as_ref().map_or(Value::Null, |_| json!({ "original_line_item": line.id }));
                shown["type"] = json!(self.kind());
                shown
            })
            .collect()
    }
}
