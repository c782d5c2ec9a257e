//! Exported JavaScript functions that estimate: a package of its own, which only some pages load. The tax table and the
//! calendar would make the rules larger for every visitor.
//!
//! The arguments are plain JavaScript types: the types of `tsify` belong to the package of the rules.
#![expect(clippy::missing_errors_doc, reason = "each function says what it throws")]

use alloc::string::{String, ToString};

use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::js::{self, JsNumber, JsText};
use crate::orders;
use crate::pricing::TaxCalculation;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Business days. */
export interface DayRange { min: number; max: number }

/** Until an order ships, and in transit by country. */
export interface DeliveryDays {
  handling: DayRange;
  transit: Record<"US" | "CA", DayRange>;
  /** Hour from 0 to 24 from which an order counts as one of the next business day; 15 by default, 24 is none. */
  cutoff_hour?: number;
}
"#;

#[wasm_bindgen]
extern "C" {
    /// An object, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "DeliveryDays")]
    pub type Delivery;
}

fn read<T: DeserializeOwned>(argument: &str, value: &JsValue) -> Result<T, JsValue> {
    js::read(argument, value)
}

/// Sum of the taxes by the table in dollars: what the checkout of a shop charges that uses this table. An unknown state
/// has no tax; `tableTax` checks it.
///
/// @param country `US` or `CA`
/// @param state its two-letter code
/// @param subtotal in dollars
/// @param shipping in dollars; some states tax it
/// @throws TypeError for a value of the wrong type, and for a tax that is too large
/// @example
/// estimateTax("US", "CA", 49.98, 6.2) // 3.62
#[wasm_bindgen(js_name = estimateTax)]
pub fn estimate_tax(
    country: JsText,
    state: JsText,
    subtotal: JsNumber,
    shipping: JsNumber,
) -> Result<JsNumber, JsValue> {
    let (country, state) = (read("country", &country)?, read::<String>("state", &state)?);
    let (subtotal, shipping) = (read("subtotal", &subtotal)?, read("shipping", &shipping)?);
    let tax = TaxCalculation::by_table(String::new(), country, &state, subtotal, shipping)
        .map_err(|overflow| js::type_error("subtotal", &overflow.to_string()))?;
    Ok(js::write(&tax.total())?.unchecked_into())
}

/// Days on which an order of this time arrives, for display; `undefined` if the time is in another format.
///
/// @param order_date a timestamp, such as an order's `order_date_local`
/// @param country `US` or `CA`
/// @param delivery `delivery` of `GET /api/config`, in business days
/// @throws TypeError for a value of the wrong type
/// @example
/// const delivery = { handling: { min: 1, max: 2 }, transit: { US: { min: 3, max: 5 }, CA: { min: 5, max: 10 } } };
/// estimatedArrival("2026-11-25T14:00:00Z", "US", delivery) // "Dec 2–7"
#[wasm_bindgen(js_name = estimatedArrival)]
pub fn estimated_arrival(order_date: JsText, country: JsText, delivery: Delivery) -> Result<Option<String>, JsValue> {
    let (country, delivery) = (read("country", &country)?, read("delivery", &delivery)?);
    Ok(orders::estimated_arrival(&read::<String>("order_date", &order_date)?, country, &delivery))
}

/// Minutes that are left to order for an arrival as estimated at this time; `undefined` if an order counts as one of the
/// next business day anyway.
///
/// @param now the time in the shop's time zone, such as `2026-11-25T09:48:00`
/// @param delivery `delivery` of `GET /api/config`, in business days
/// @throws TypeError for a value of the wrong type
/// @example
/// const delivery = { handling: { min: 1, max: 2 }, transit: { US: { min: 3, max: 5 }, CA: { min: 5, max: 10 } } };
/// minutesToCutoff("2026-11-25T09:48:00", delivery) // 312
#[wasm_bindgen(js_name = minutesToCutoff)]
pub fn minutes_to_cutoff(now: JsText, delivery: Delivery) -> Result<Option<u32>, JsValue> {
    let delivery = read("delivery", &delivery)?;
    Ok(orders::minutes_to_cutoff(&read::<String>("now", &now)?, &delivery))
}
