//! Functions of the npm package alone: the shop's own pages get these results from the server.

use alloc::string::String;
use alloc::vec::Vec;

use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::catalog;
use crate::js::JsText;
use crate::js::typed::{JsResult, read, read_text, write, write_all};
use crate::money::Cents;
use crate::orders::{DisputeStatus, OrderPatch, OrderStatus, PaymentStatus};
use crate::results::{OrderPatchResult, QuantityResult, TextResult};
use crate::validation::{self, Quantity};

/// Validates the quantity of a line as typed into a field: a whole number from 1 to 99.
///
/// @returns the quantity, or the message to show beside the field
/// @throws TypeError if `typed` is not a string
/// @example
/// validateQuantity(" 2 ") // { ok: true, value: 2 }
/// validateQuantity("2.5").error // "Enter the quantity as a whole number, like 2."
#[wasm_bindgen(js_name = validateQuantity)]
pub fn validate_quantity(typed: JsText) -> JsResult<Ts<QuantityResult>> {
    write(validation::parse_quantity_text(&read_text("typed", &typed)?).map(Quantity::get))
}

/// Validates the description of a photograph (`alt`) and trims it.
///
/// @returns the description, or the message to show beside the field
/// @throws TypeError if `typed` is not a string
/// @example
/// validatePhotoAlt(" A lamp on a desk ") // { ok: true, value: "A lamp on a desk" }
#[wasm_bindgen(js_name = validatePhotoAlt)]
pub fn validate_photo_alt(typed: JsText) -> JsResult<Ts<TextResult>> {
    write(catalog::photo_alt(&read_text("typed", &typed)?))
}

/// Validates an administrator's change of an order, the body of `PATCH /api/admin/order/{id}`.
///
/// @returns the patch with trimmed texts and a normalized address, or a message for each invalid field
/// @throws TypeError for a value of the wrong type
/// @example
/// validateOrderPatch({ status: "shipped", tracking_number: " 9400111899223817253416 " }).value.tracking_number // "9400111899223817253416"
#[wasm_bindgen(js_name = validateOrderPatch)]
pub fn validate_order_patch(patch: Ts<OrderPatch>) -> JsResult<Ts<OrderPatchResult>> {
    write(read("patch", &patch)?.validated())
}

/// The statuses to which an administrator can move an order of this status: all others. The first change to `refunded`
/// refunds the payment.
///
/// @throws TypeError if `status` is not an order status
/// @example
/// orderStatusTransitions("pending") // ["processing", "shipped", "delivered", "refunded"]
#[wasm_bindgen(js_name = orderStatusTransitions)]
pub fn order_status_transitions(status: Ts<OrderStatus>) -> JsResult<Vec<Ts<OrderStatus>>> {
    write_all(read("status", &status)?.transitions())
}

/// The status of a payment, from its amounts in dollars and its dispute. An open or lost dispute outweighs refunds.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// paymentStatus(59.8, 10, "none") // "partially_refunded"
/// paymentStatus(59.8, 0, "open") // "disputed"
#[wasm_bindgen(js_name = paymentStatus)]
pub fn payment_status(
    total: Ts<Cents>,
    refunded: Ts<Cents>,
    dispute: Ts<DisputeStatus>,
) -> JsResult<Ts<PaymentStatus>> {
    let (total, refunded) = (read("total", &total)?, read("refunded", &refunded)?);
    write(PaymentStatus::of(total, refunded, read("dispute", &dispute)?))
}

/// A product's name in URLs: lower-case letters, digits and hyphens.
///
/// @throws TypeError if `name` is not a string
/// @example
/// slug("Nudgelight One") // "nudgelight-one"
#[wasm_bindgen]
pub fn slug(name: JsText) -> JsResult<String> {
    Ok(catalog::slug(&read_text("name", &name)?))
}
