//! Orders: their statuses, and the members that customers and administrators get.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

mod admin;
mod arrival;
mod card;
mod check_digit;
mod dates;
mod hold;
mod holidays;
mod owed;
mod patch;
mod status;
mod tracking;

pub use admin::{AdminOrder, AdminOrderListItem, AdminOrderPage};
pub use arrival::{estimated_arrival, minutes_to_cutoff};
pub use card::Card;
pub use check_digit::{TrackingCheck, check_tracking_number};
pub use dates::{display_date, display_time};
pub use hold::HoldReason;
pub use owed::{RefundLine, owed};
pub use patch::OrderPatch;
pub use status::{DisputeStatus, OrderStatus, ParseStatusError, PaymentStatus};
pub use tracking::{TrackingLink, compact_tracking_number, tracking_link};

use crate::money::{Cents, Overflow};
use crate::pricing::TaxBreakdown;
use crate::validation::Address;

/// Paid order. Its items and amounts never change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
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
}))))]
pub struct Order {
    /// UUIDv7.
    pub id: String,
    /// Order number to display, from 1001. Numbers increase and may have gaps.
    pub number: i64,
    /// Time of the order: RFC 3339 in UTC.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub order_date: String,
    /// The same time in the shop's time zone, with its offset: the day to display, which is also the day of date filters.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub order_date_local: String,
    /// Fulfillment status.
    pub status: OrderStatus,
    /// The recipient.
    pub name: String,
    /// Shipping address.
    pub address: Address,
    /// Billing address of the payment method, or the shipping address.
    pub billing_address: Address,
    /// `null` until the package is shipped.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tracking_number: Option<String>,
    /// Sum of price × quantity.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub subtotal: Cents,
    /// Shipping by weight, as quoted.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub shipping_cost: Cents,
    /// Sum of all taxes.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub tax: Cents,
    /// Amount paid.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub total: Cents,
    /// Each tax, in cents.
    pub tax_breakdown: Vec<TaxBreakdown>,
    /// Items with the price at which they were bought.
    pub items: Vec<OrderItem>,
    /// Payment with its refunds and dispute.
    pub payment: Payment,
}

/// One product in an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "product_id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b",
    "product_name": "Nudgelight One",
    "quantity": 1,
    "price": 24.99,
    "warranty_months": 24,
}))))]
pub struct OrderItem {
    /// Id of the product, which may have changed since.
    pub product_id: String,
    /// Name of the product at the time of the order.
    pub product_name: String,
    /// Number of units.
    pub quantity: i64,
    /// Price per unit at the time of the order.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Warranty in months, as the product's page stated it at the time of the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub warranty_months: Option<i64>,
}

impl OrderItem {
    /// Price × quantity.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn total(&self) -> Result<Cents, Overflow> {
        self.price.times(self.quantity)
    }
}

/// Payment of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Payment {
    /// Computed from `refunded` and `dispute`.
    pub status: PaymentStatus,
    /// Amount refunded.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub refunded: Cents,
    /// Status of a dispute (chargeback).
    pub dispute: DisputeStatus,
    /// The card, if the payment provider reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub card: Option<Card>,
}

impl Payment {
    /// A payment of `total` with its computed status, without its card.
    #[must_use]
    pub fn of(total: Cents, refunded: Cents, dispute: DisputeStatus) -> Self {
        Self { status: PaymentStatus::of(total, refunded, dispute), refunded, dispute, card: None }
    }

    /// The amount of an order's total that is not refunded yet.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn left(&self, total: Cents) -> Result<Cents, Overflow> {
        total.checked_sub(self.refunded)
    }
}

/// Entry in an order's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryEntry {
    /// RFC 3339 in UTC.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub created_at_local: String,
    /// Email address of the person, or the name of the component.
    pub actor: String,
    /// What happened, such as `status_changed`, `email_sent` or `note`. New kinds may be added.
    pub kind: String,
    /// The change as a message for administrators, or the text of a note.
    pub message: String,
    /// Present and true for an internal note.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_note: bool,
}

/// Open alert about an order, for administrators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderAlert {
    /// Id for resolving the alert.
    pub id: String,
    /// The cause, such as `dispute_opened` or `refund_failed`. New kinds may be added.
    pub kind: String,
    /// The cause as a message.
    pub message: String,
    /// RFC 3339 in UTC.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub created_at: String,
    /// The same time in the shop's time zone, with its offset.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub created_at_local: String,
}

/// Order in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderListItem {
    /// UUIDv7.
    pub id: String,
    /// Order number to display, from 1001. Numbers increase and may have gaps.
    pub number: i64,
    /// Time of the order: RFC 3339 in UTC.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub order_date: String,
    /// The same time in the shop's time zone, with its offset: the day to display, which is also the day of date filters.
    #[cfg_attr(feature = "js-types", tsify(type = "Iso8601Date"))]
    pub order_date_local: String,
    /// Amount paid.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub total: Cents,
    /// Fulfillment status.
    pub status: OrderStatus,
    /// The recipient.
    pub name: String,
}

/// Page of a list of a customer's orders, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
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
    }],
    "page": 1,
    "totalPages": 1,
    "total": 1,
}))))]
pub struct OrderPage {
    /// Empty after the last page.
    pub orders: Vec<OrderListItem>,
    /// Page number, from 1.
    pub page: i64,
    /// Number of pages, at least 1.
    #[serde(rename = "totalPages")]
    pub total_pages: i64,
    /// Number of orders on all pages.
    pub total: i64,
    /// Whether there are more than `total` orders: counting stops at a limit.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub more_than_total: bool,
}
