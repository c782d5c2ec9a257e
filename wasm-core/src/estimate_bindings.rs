//! Exported JavaScript functions that estimate: a package of its own, which only some pages load. The tax table and the
//! calendar would make the rules larger for every visitor.
//!
//! The arguments are plain JavaScript types: the types of `tsify` belong to the package of the rules.

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
export interface DeliveryDays { handling: DayRange; transit: Record<"US" | "CA", DayRange> }
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

/// Sum of the taxes by the table: what the checkout of a shop charges that uses this table. Amounts are dollars.
///
/// # Errors
/// A `TypeError` that names the argument of the wrong type; an error for a tax that does not fit.
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

/// Days on which an order of this time arrives, as `Dec 2–7`.
///
/// # Errors
/// A `TypeError` that names the argument of the wrong type.
#[wasm_bindgen(js_name = estimatedArrival)]
pub fn estimated_arrival(order_date: JsText, country: JsText, delivery: Delivery) -> Result<Option<String>, JsValue> {
    let (country, delivery) = (read("country", &country)?, read("delivery", &delivery)?);
    Ok(orders::estimated_arrival(&read::<String>("order_date", &order_date)?, country, &delivery))
}
