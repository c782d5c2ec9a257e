//! What orders still owe their customers: what is packed, labeled, and shipped.

pub mod store;

use wasm_core::money::{Cents, Overflow};
use wasm_core::orders::{OrderItem, OrderStatus};

use crate::orders::StoredOrder;

/// An order as it was bought, with what decides what it still owes besides its refunded units.
pub struct Bought<'a> {
    pub id: &'a str,
    pub status: OrderStatus,
    pub items: &'a [OrderItem],
    pub total: Cents,
    pub refunded: Cents,
}

impl<'a> Bought<'a> {
    pub fn of(order: &'a StoredOrder) -> Self {
        let StoredOrder { id, status, items, total, payment, .. } = order;
        Self { id, status: *status, items, total: *total, refunded: payment.refunded }
    }

    fn left(&self) -> Result<Cents, Overflow> {
        self.total.checked_sub(self.refunded)
    }
}

/// The items that an order still owes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owed {
    Items(Vec<OrderItem>),
    /// All of them are refunded.
    Nothing,
}

impl Owed {
    /// None if nothing is owed.
    pub fn items(&self) -> Option<&[OrderItem]> {
        match self {
            Self::Items(items) => Some(items),
            Self::Nothing => None,
        }
    }

    /// Empty if nothing is owed.
    pub fn into_items(self) -> Vec<OrderItem> {
        match self {
            Self::Items(items) => items,
            Self::Nothing => Vec::new(),
        }
    }
}
