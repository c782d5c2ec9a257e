//! A row of the stock ledger, as administrators see it.

use serde::Serialize;
use utoipa::ToSchema;

/// A change of a product's stock.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c22",
    "created_at": "2026-12-24T18:00:00.000Z",
    "created_at_local": "2026-12-24T13:00:00.000-05:00",
    "reason": "received",
    "change": 50,
    "balance": 168,
    "actor": "admin@example.com",
    "note": "Delivery 17",
})))]
pub struct StockMovement {
    pub id: String,
    /// RFC 3339 in UTC.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    pub created_at_local: String,
    pub reason: MovementReason,
    /// Added units; negative if they were taken. A count that found no difference is 0.
    pub change: i64,
    /// The stock after the change.
    pub balance: i64,
    /// Email address of the person, or the name of the component.
    pub actor: String,
    /// A note on received items, or the reason of a correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub note: Option<String>,
    /// Of a sale, or of returned items.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order: Option<OrderReference>,
}

#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MovementReason {
    /// The first stock of a new product.
    Created,
    /// A new stock in the products table.
    Edited,
    Sold,
    Restocked,
    Received,
    /// Counted by hand.
    Corrected,
}

#[derive(Serialize, ToSchema)]
pub struct OrderReference {
    pub id: String,
    /// Order number to display.
    pub number: i64,
}
