//! Amounts, weights, dates, cards and stock for display.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::read_i32;
use crate::catalog::{self, StockBadge};
use crate::js::typed::{JsResult, read, write};
use crate::js::{self, DisplayDate, JsNumber, JsTime};
use crate::money::Cents;
use crate::orders::{self, Card};
use crate::weight::Weight;

/// An amount for display.
///
/// @param amount in dollars, with at most two decimals
/// @throws TypeError for a third decimal and for another type
/// @example
/// formatMoney(1234.5) // "$1,234.50"
#[wasm_bindgen(js_name = formatMoney)]
pub fn format_money(amount: Ts<Cents>) -> JsResult<String> {
    Ok(read("amount", &amount)?.to_string())
}

/// A weight for display.
///
/// @param pounds with at most two decimals
/// @throws TypeError for a third decimal and for another type
/// @example
/// formatWeight(0.6) // "0.60 lb"
#[wasm_bindgen(js_name = formatWeight)]
pub fn format_weight(pounds: Ts<Weight>) -> JsResult<String> {
    Ok(read("pounds", &pounds)?.to_string())
}

/// The day of a timestamp, as written, as month, day and year.
///
/// @param rfc3339 a timestamp, such as an order's `order_date_local`; text in another format is returned unchanged
/// @throws TypeError if `rfc3339` is not a string
/// @example
/// formatDate("2026-12-24T23:59:59Z") // "12/24/2026"
#[wasm_bindgen(js_name = formatDate)]
pub fn format_date(rfc3339: JsTime) -> JsResult<DisplayDate> {
    let text: String = js::read("rfc3339", &rfc3339)?;
    Ok(JsValue::from(orders::display_date(&text)).unchecked_into())
}

/// A payment card for display.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// cardLabel({ brand: "visa", last4: "4242" }) // "Visa ending in 4242"
#[wasm_bindgen(js_name = cardLabel)]
pub fn card_label(card: Ts<Card>) -> JsResult<String> {
    Ok(read("card", &card)?.label())
}

/// The stock badge for a number of available units.
///
/// @param available units, a whole number
/// @throws TypeError for a value of the wrong type
/// @example
/// stockBadge(4) // "low_stock"
#[wasm_bindgen(js_name = stockBadge)]
pub fn stock_badge(available: JsNumber) -> JsResult<Ts<StockBadge>> {
    write(catalog::stock_badge(read_i32("available", &available)?.into()))
}

/// The label of the stock badge.
///
/// @param available units, a whole number
/// @throws TypeError for a value of the wrong type
/// @example
/// stockLabel(4) // "Low Stock"
#[wasm_bindgen(js_name = stockLabel)]
pub fn stock_label(available: JsNumber) -> JsResult<String> {
    Ok(catalog::stock_badge(read_i32("available", &available)?.into()).label().to_owned())
}
