//! Orders as administrators get them: the customer's order, and members that customers never get.
//!
//! They are flat in JSON, and only written: serde reads a flattened amount as a float, which [`Cents`] rejects.
//!
//! [`Cents`]: crate::money::Cents

use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use super::{HistoryEntry, HoldReason, Order, OrderAlert, OrderItem, OrderListItem, OrderPage, PaymentStatus};

/// Order with the members that only administrators get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21",
    "number": 1001,
    "order_date": "2026-12-24T18:00:00Z",
    "order_date_local": "2026-12-24T13:00:00-05:00",
    "status": "processing",
    "name": "Ada Lovelace",
    "address": {
        "name": "Ada Lovelace",
        "address": { "line1": "12 Lamp Street", "city": "Brightwater", "state": "CA", "postal_code": "94110", "country": "US" },
    },
    "billing_address": {
        "name": "Ada Lovelace",
        "address": { "line1": "12 Lamp Street", "city": "Brightwater", "state": "CA", "postal_code": "94110", "country": "US" },
    },
    "tracking_number": null,
    "subtotal": 49.98,
    "shipping_cost": 6.2,
    "tax": 3.62,
    "total": 59.8,
    "tax_breakdown": [{
        "amount": 362,
        "tax_rate_details": { "percentage_decimal": "7.25", "country": "US", "state": "CA", "tax_type": "sales_tax" },
    }],
    "items": [{ "product_id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b", "product_name": "Nudgelight One", "quantity": 2, "price": 24.99 }],
    "payment": { "status": "paid", "refunded": 0, "dispute": "none", "card": { "brand": "visa", "last4": "4242" } },
    "user_email": "ada@example.com",
    "version": 3,
    "owed": [{ "product_id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b", "product_name": "Nudgelight One", "quantity": 2, "price": 24.99 }],
    "history": [{
        "created_at": "2026-12-24T18:00:00Z",
        "created_at_local": "2026-12-24T13:00:00-05:00",
        "actor": "shop",
        "kind": "placed",
        "message": "Order placed and paid",
    }],
    "alerts": [{
        "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c23",
        "kind": "dispute_opened",
        "message": "Visa ending in 4242 disputes $59.80 as fraudulent. Respond by 12/02/2026.",
        "created_at": "2026-12-26T09:30:00Z",
        "created_at_local": "2026-12-26T04:30:00-05:00",
    }],
}))))]
pub struct AdminOrder {
    /// The customer's order.
    #[serde(flatten)]
    pub order: Order,
    /// Email address of the customer.
    pub user_email: String,
    /// Increases with each change (optimistic concurrency).
    pub version: i64,
    /// Items that are still to be packed: those that were bought and not refunded.
    pub owed: Vec<OrderItem>,
    /// Why the order is on hold; absent if it isn't, and once it is shipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub hold: Option<HoldReason>,
    /// Changes, oldest first.
    pub history: Vec<HistoryEntry>,
    /// Open alerts, oldest first.
    pub alerts: Vec<OrderAlert>,
}

/// Order in a list, with the members that only administrators get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AdminOrderListItem {
    /// The customer's order.
    #[serde(flatten)]
    pub order: OrderListItem,
    /// Email address of the customer.
    pub user_email: String,
    /// Payment status.
    pub payment: PaymentStatus,
    /// Number of open alerts.
    pub open_alerts: i64,
    /// Why the order is on hold; absent if it isn't, and once it is shipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub hold: Option<HoldReason>,
}

/// Page of a list of all customers' orders, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "orders": [{
        "id": "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21",
        "number": 1001,
        "order_date": "2026-12-24T18:00:00Z",
        "order_date_local": "2026-12-24T13:00:00-05:00",
        "total": 59.8,
        "status": "processing",
        "name": "Ada Lovelace",
        "user_email": "ada@example.com",
        "payment": "paid",
        "open_alerts": 0,
    }],
    "page": 1,
    "totalPages": 1,
    "total": 1,
}))))]
pub struct AdminOrderPage {
    /// Empty after the last page.
    pub orders: Vec<AdminOrderListItem>,
    /// Page number, from 1.
    pub page: i64,
    /// Number of pages, at least 1.
    #[serde(rename = "totalPages")]
    pub total_pages: i64,
    /// Number of orders on all pages.
    pub total: i64,
    /// Whether there are more than `total` orders: counting stops at a limit.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub more_than_total: bool,
}

/// The page for the customer whose orders it lists.
impl From<AdminOrderPage> for OrderPage {
    fn from(page: AdminOrderPage) -> Self {
        let AdminOrderPage { orders, page, total_pages, total, more_than_total } = page;
        let orders = orders.into_iter().map(|item| item.order).collect();
        Self { orders, page, total_pages, total, more_than_total }
    }
}
