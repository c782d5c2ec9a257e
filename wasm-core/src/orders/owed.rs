//! What is still owed of an order: what was bought and not refunded.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;

use super::{OrderItem, OrderStatus};
use crate::money::Cents;
use crate::wire::whole_number;

/// Units of one product whose price a refund returns.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RefundLine {
    /// Id of the product.
    pub product_id: String,
    /// Number of units.
    #[serde(deserialize_with = "whole_number")]
    pub quantity: i64,
}

/// The items that are still to be packed: bought minus refunded units. `left` is the amount that is not refunded.
///
/// An order that is refunded in full, or marked as refunded, owes nothing. A refund by amount has no units and leaves the
/// items.
///
/// ```
/// use wasm_core::money::Cents;
/// use wasm_core::orders::{OrderItem, OrderStatus, RefundLine, owed};
///
/// let price = Cents::from_cents(2_499);
/// let bought = [OrderItem { product_id: "p1".into(), product_name: "Duo".into(), quantity: 2, price, warranty_months: None }];
/// let refunded = [RefundLine { product_id: "p1".into(), quantity: 1 }];
/// assert_eq!(owed(&bought, OrderStatus::Pending, price, &refunded)[0].quantity, 1);
/// assert!(owed(&bought, OrderStatus::Pending, Cents::ZERO, &[]).is_empty());
/// ```
#[must_use]
pub fn owed(items: &[OrderItem], status: OrderStatus, left: Cents, refunded: &[RefundLine]) -> Vec<OrderItem> {
    if status == OrderStatus::Refunded || left <= Cents::ZERO {
        return Vec::new();
    }
    let owed = items.iter().map(|item| {
        let units = refunded.iter().filter(|units| units.product_id == item.product_id);
        let quantity = units.fold(item.quantity, |quantity, units| quantity.saturating_sub(units.quantity));
        OrderItem { quantity, ..item.clone() }
    });
    owed.filter(|item| item.quantity > 0).collect()
}
