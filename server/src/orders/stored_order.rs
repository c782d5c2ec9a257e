//! An order for the code that changes it.

use wasm_core::money::Cents;
use wasm_core::orders::{AdminOrder, HistoryEntry, HoldReason, Order, OrderAlert, OrderItem, OrderStatus, Payment};
use wasm_core::pricing::TaxBreakdown;
use wasm_core::validation::Address;

use crate::infra::clock::rfc3339;
use crate::time_zone::ShopZone;

/// The row of an order with its lines, without its history and alerts.
#[derive(Clone, Debug)]
pub struct StoredOrder {
    pub id: String,
    pub number: i64,
    pub created_at: i64,
    pub user_email: String,
    pub version: i64,
    pub status: OrderStatus,
    pub address: Address,
    pub billing_address: Address,
    pub tracking_number: Option<String>,
    pub subtotal: Cents,
    pub shipping_cost: Cents,
    pub tax: Cents,
    pub total: Cents,
    pub tax_breakdown: Vec<TaxBreakdown>,
    pub items: Vec<OrderItem>,
    pub payment: Payment,
    pub hold_reason: Option<HoldReason>,
}

impl StoredOrder {
    /// Why the order is on hold. None once it is shipped.
    pub fn hold(&self) -> Option<HoldReason> {
        self.hold_reason.filter(|_| self.status.is_to_ship())
    }

    /// The order as its customer sees it, with the times of this zone.
    pub fn for_customer(&self, zone: ShopZone) -> Order {
        Order {
            id: self.id.clone(),
            number: self.number,
            order_date: rfc3339(self.created_at),
            order_date_local: zone.local(self.created_at),
            status: self.status,
            name: self.address.name.clone(),
            address: self.address.clone(),
            billing_address: self.billing_address.clone(),
            tracking_number: self.tracking_number.clone(),
            subtotal: self.subtotal,
            shipping_cost: self.shipping_cost,
            tax: self.tax,
            total: self.total,
            tax_breakdown: self.tax_breakdown.clone(),
            items: self.items.clone(),
            payment: self.payment.clone(),
        }
    }

    /// The order as administrators see it.
    pub fn for_administrators(
        self,
        zone: ShopZone,
        owed: Vec<OrderItem>,
        history: Vec<HistoryEntry>,
        alerts: Vec<OrderAlert>,
    ) -> AdminOrder {
        AdminOrder {
            hold: self.hold(),
            order: self.for_customer(zone),
            user_email: self.user_email,
            version: self.version,
            owed,
            history,
            alerts,
        }
    }
}
