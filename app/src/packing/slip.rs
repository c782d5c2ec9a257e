//! A packing slip: the contents of one package, without prices.

use wasm_core::catalog::Product;
use wasm_core::orders::{OrderItem, display_date};
use wasm_core::validation::Address;

use crate::orders::address_lines;
use crate::ui::single_line;

/// Contents and recipient of an order's package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackingSlip {
    pub number: i64,
    /// The text of the QR code.
    pub code: String,
    /// The order's date, as displayed.
    pub date: String,
    pub ship_to: Vec<String>,
    pub items: Vec<PackedItem>,
}

/// One product in a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedItem {
    pub product_id: String,
    /// The name under which it was sold.
    pub name: String,
    pub sku: Option<String>,
    /// URL of the product's picture.
    pub image: Option<String>,
    pub quantity: i64,
}

impl PackingSlip {
    #[must_use]
    pub fn of(number: i64, order_date_local: &str, address: &Address, items: Vec<PackedItem>) -> Self {
        let (code, date) = (order_code(number), display_date(order_date_local));
        Self { number, code, date, ship_to: address_lines(address), items }
    }
}

impl PackedItem {
    /// An item of an order with the SKU and the picture that its product has now.
    #[must_use]
    pub fn of(item: &OrderItem, product: Option<&Product>) -> Self {
        Self {
            product_id: item.product_id.clone(),
            name: single_line(&item.product_name),
            sku: product.and_then(|product| product.sku.as_deref()).map(single_line),
            image: product.map(|product| product.image.clone()),
            quantity: item.quantity,
        }
    }
}

/// An order number as it is scanned. `react-shell/src/features/admin/use-scanner.ts` reads it.
#[must_use]
pub fn order_code(number: i64) -> String {
    format!("NL-{number}")
}
