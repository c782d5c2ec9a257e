//! Orders: statuses, amounts and tracking.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use super::throw_overflow;
use crate::js::JsText;
use crate::js::typed::{JsResult, read, read_text, write, write_all};
use crate::money::Cents;
use crate::orders::{self, OrderItem, OrderStatus, Payment, PaymentStatus, TrackingLink};

/// Every status an administrator can set.
///
/// @example
/// orderStatuses() // ["pending", "processing", "shipped", "delivered", "refunded"]
#[wasm_bindgen(js_name = orderStatuses)]
pub fn order_statuses() -> JsResult<Vec<Ts<OrderStatus>>> {
    write_all(OrderStatus::ALL)
}

/// The statuses by which administrators can filter the list of orders.
///
/// @example
/// orderStatusFilters() // ["pending", "processing", "shipped", "delivered"]
#[wasm_bindgen(js_name = orderStatusFilters)]
pub fn order_status_filters() -> JsResult<Vec<Ts<OrderStatus>>> {
    write_all(OrderStatus::FILTERS)
}

/// An order's status for display.
///
/// @throws TypeError if `status` is not an order status
/// @example
/// orderStatusLabel("shipped") // "Shipped"
#[wasm_bindgen(js_name = orderStatusLabel)]
pub fn order_status_label(status: Ts<OrderStatus>) -> JsResult<String> {
    Ok(read("status", &status)?.label().to_owned())
}

/// A payment's status for display.
///
/// @throws TypeError if `status` is not a payment status
/// @example
/// paymentStatusLabel("partially_refunded") // "Partially refunded"
#[wasm_bindgen(js_name = paymentStatusLabel)]
pub fn payment_status_label(status: Ts<PaymentStatus>) -> JsResult<String> {
    Ok(read("status", &status)?.label().to_owned())
}

/// Total of one line of an order in dollars: price × quantity.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// orderItemTotal({ product_id: product.id, product_name: "Nudgelight One", quantity: 2, price: 24.99 }) // 49.98
#[wasm_bindgen(js_name = orderItemTotal)]
pub fn order_item_total(item: Ts<OrderItem>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("item", read("item", &item)?.total())?)
}

/// The amount of an order that is not refunded yet, in dollars.
///
/// @param total of the order, in dollars
/// @throws TypeError for a value of the wrong type
/// @example
/// leftToRefund({ status: "partially_refunded", refunded: 10, dispute: "none" }, 59.8) // 49.8
#[wasm_bindgen(js_name = leftToRefund)]
pub fn left_to_refund(payment: Ts<Payment>, total: Ts<Cents>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("payment", read("payment", &payment)?.left(read("total", &total)?))?)
}

/// The carrier's tracking page, if the format of the number identifies the carrier; `undefined` otherwise. Spaces,
/// hyphens and case do not matter.
///
/// @throws TypeError if `tracking_number` is not a string
/// @example
/// trackingLink("1Z 999 AA1 01 2345 6784") // { carrier: "UPS", url: "https://www.ups.com/track?tracknum=1Z999AA10123456784" }
/// trackingLink("by pigeon") // undefined
#[wasm_bindgen(js_name = trackingLink)]
pub fn tracking_link(tracking_number: JsText) -> JsResult<Option<Ts<TrackingLink>>> {
    orders::tracking_link(&read_text("tracking_number", &tracking_number)?).map(write).transpose()
}
