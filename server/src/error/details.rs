//! Error details that depend on the error's code.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::error::code::Code;

/// Details of an error. Each variant belongs to one code.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Details {
    InsufficientStock(Shortage),
    EditConflict(EditConflict),
    IntentExpired(PlacedOrder),
}

/// A product with too few units in stock.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InsufficientStockDetails)]
pub struct Shortage {
    /// The product's name.
    pub product: String,
    /// Units that can be bought now.
    pub available: i64,
    /// Units requested.
    pub requested: i64,
}

/// The current state of an item that was changed in the meantime.
#[derive(Debug, Serialize)]
pub struct EditConflict {
    pub current: Box<RawValue>,
}

/// The order of an expired payment intent, if it was paid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IntentExpiredDetails)]
pub struct PlacedOrder {
    #[serde(rename = "orderId")]
    pub order_id: String,
}

impl Details {
    pub fn code(&self) -> Code {
        match self {
            Self::InsufficientStock(_) => Code::InsufficientStockError,
            Self::EditConflict(_) => Code::EditConflict,
            Self::IntentExpired(_) => Code::IntentExpired,
        }
    }
}
