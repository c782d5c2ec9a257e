//! What an administrator wants to refund.

use serde::Deserialize;
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::RefundLine;
use wasm_core::validation::MAX_LINES;

use crate::error::Error;

/// Items and shipping, or an amount.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(examples(json!({
    "lines": [{ "product_id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b", "quantity": 1 }],
    "shipping": false,
    "restock": true,
    "refunded": 0,
})))]
pub struct RefundRequest {
    /// Items whose price and tax are refunded.
    #[serde(default)]
    pub lines: Vec<RefundLine>,
    /// Whether the shipping that is left is refunded, with its tax.
    #[serde(default)]
    pub shipping: bool,
    /// An amount to refund instead, tax included.
    #[serde(default)]
    pub amount: Option<Cents>,
    /// Whether the items return to stock.
    #[serde(default)]
    pub restock: bool,
    /// The refunded amount that the administrator saw (`payment.refunded`). If it is sent and outdated, the request is a
    /// conflict, so two administrators don't refund the same item twice.
    #[serde(default)]
    pub refunded: Option<Cents>,
}

impl RefundRequest {
    /// # Errors
    /// 400 that names the field.
    pub fn validated(self) -> Result<Self, Error> {
        if self.restock && self.lines.is_empty() {
            return Err(Error::invalid_field("restock", "Only items can be restocked. Choose the items."));
        }
        if self.lines.len() > MAX_LINES {
            return Err(Error::invalid_field("lines", format!("Send at most {MAX_LINES} lines.")));
        }
        if self.amount.is_some() && (self.shipping || !self.lines.is_empty()) {
            return Err(Error::invalid_field("amount", "Refund an amount, or items and shipping, but not both."));
        }
        Ok(self)
    }
}
