//! Orders: their states, and what customers and administrators see of them.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

mod dates;
mod patch;
mod status;
mod tracking;

pub use dates::display_date;
pub use patch::OrderPatch;
pub use status::{DisputeStatus, OrderStatus, PaymentStatus};
pub use tracking::{TrackingLink, tracking_link};

use crate::money::{Cents, Overflow};
use crate::pricing::TaxBreakdown;
use crate::validation::Address;

/// An order. It exists only once it is paid; its lines and amounts never change afterwards.
///
/// The members from `user_email` on are for administrators and absent for everybody else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Order {
    /// UUIDv7.
    pub id: String,
    /// Short, for people; from 1001.
    pub number: i64,
    /// When the order was made: RFC 3339 in UTC.
    pub order_date: String,
    /// Where the parcel is.
    pub status: OrderStatus,
    /// The recipient.
    pub name: String,
    /// Where the parcel goes.
    pub address: Address,
    /// The payment method's billing details, else the shipping address.
    pub billing_address: Address,
    /// None until it is sent.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub tracking_number: Option<String>,
    /// Σ price × quantity.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub subtotal: Cents,
    /// By weight, as quoted.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub shipping_cost: Cents,
    /// All taxes together.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub tax: Cents,
    /// What was paid.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub total: Cents,
    /// The taxes one by one, in cents.
    pub tax_breakdown: Vec<TaxBreakdown>,
    /// What was bought, at the price it was bought for.
    pub items: Vec<OrderItem>,
    /// Where the money is.
    pub payment: Payment,
    /// Somebody of the shop has to look at it.
    pub needs_attention: bool,
    /// Whose order it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub user_email: Option<String>,
    /// Rises with each change; sent back with an edit, it finds edits in between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub version: Option<i64>,
    /// What was changed, oldest first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub history: Option<Vec<HistoryEntry>>,
    /// Why somebody has to look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub attention: Option<String>,
}

crate::from_js! {
    Order {
        id, number, order_date, status, name, address, billing_address, tracking_number, subtotal, shipping_cost, tax,
        total, tax_breakdown, items, payment, needs_attention, user_email, version, history, attention,
    }
}

/// One product of an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderItem {
    /// The product, which may have changed since.
    pub product_id: String,
    /// Its name when it was bought.
    pub product_name: String,
    /// How many.
    pub quantity: i64,
    /// For one piece, when it was bought.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub price: Cents,
}

crate::from_js!(OrderItem { product_id, product_name, quantity, price });

impl OrderItem {
    /// Price × quantity.
    ///
    /// # Errors
    /// [`Overflow`] where it does not fit.
    pub fn total(&self) -> Result<Cents, Overflow> {
        self.price.times(self.quantity)
    }
}

/// Where an order's money is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Payment {
    /// Paid, given back, or disputed: computed from `refunded` and `dispute`.
    pub status: PaymentStatus,
    /// How much was given back.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub refunded: Cents,
    /// Whether the customer's bank is asked to take the payment back, and what came of it.
    pub dispute: DisputeStatus,
}

crate::from_js!(Payment { status, refunded, dispute });

impl Payment {
    /// A payment of `total`, with its status computed.
    #[must_use]
    pub fn of(total: Cents, refunded: Cents, dispute: DisputeStatus) -> Self {
        Self { status: PaymentStatus::of(total, refunded, dispute), refunded, dispute }
    }

    /// What has not gone back of an order's total: as much as a refund would give.
    ///
    /// # Errors
    /// [`Overflow`] where it does not fit.
    pub fn left(self, total: Cents) -> Result<Cents, Overflow> {
        total.checked_sub(self.refunded)
    }
}

/// One change to an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryEntry {
    /// RFC 3339 in UTC.
    pub created_at: String,
    /// An e-mail address, or the part of the shop that did it.
    pub actor: String,
    /// A sentence.
    pub message: String,
}

crate::from_js!(HistoryEntry { created_at, actor, message });

/// An order in a list. The members from `user_email` on are for administrators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderListItem {
    /// UUIDv7.
    pub id: String,
    /// Short, for people; from 1001.
    pub number: i64,
    /// When the order was made: RFC 3339 in UTC.
    pub order_date: String,
    /// What was paid.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub total: Cents,
    /// Where the parcel is.
    pub status: OrderStatus,
    /// The recipient.
    pub name: String,
    /// Whose order it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub user_email: Option<String>,
    /// Where the money is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub payment: Option<PaymentStatus>,
    /// Somebody of the shop has to look at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub needs_attention: Option<bool>,
}

/// One page of a list of orders, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderPage {
    /// Empty past the end.
    pub orders: Vec<OrderListItem>,
    /// From 1.
    pub page: i64,
    /// At least 1.
    #[serde(rename = "totalPages")]
    pub total_pages: i64,
    /// Orders on all pages.
    pub total: i64,
    /// True when there are more than `total`: a search that finds very many is counted no further.
    #[serde(rename = "moreThanTotal", default, skip_serializing_if = "core::ops::Not::not")]
    pub more_than_total: bool,
}
