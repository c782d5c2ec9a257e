//! A customer, as administrators see it.

use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::money::Cents;

/// A customer's account with the totals of its orders.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b",
    "email": "ada@example.com",
    "name": "Ada Lovelace",
    "created_at": "2026-11-02T09:12:00.000Z",
    "created_at_local": "2026-11-02T04:12:00.000-05:00",
    "orders": 3,
    "spent": 179.4,
    "refunded": 59.8,
    "last_order_at": "2026-12-24T18:00:00.000Z",
    "last_order_at_local": "2026-12-24T13:00:00.000-05:00",
})))]
pub struct Customer {
    pub id: String,
    pub email: String,
    /// Recipient of the latest order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// RFC 3339 in UTC.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[schema(format = DateTime)]
    pub created_at_local: String,
    /// Number of orders.
    pub orders: i64,
    /// Totals of all orders, minus refunds.
    pub spent: Cents,
    pub refunded: Cents,
    /// RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    pub last_order_at: Option<String>,
    /// The same time in the shop's time zone, with its offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    pub last_order_at_local: Option<String>,
}
