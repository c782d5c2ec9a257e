//! TypeScript's names of amounts. [`Cents`] and [`Weight`] count hundredths, but their JavaScript numbers are whole
//! dollars and pounds, so they have other names there.

use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::money::Cents;
use crate::weight::Weight;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/**
 * US dollars with at most two decimals: `24.99` is $24.99, and `2499` is $2,499.00. A third decimal is a `TypeError`,
 * so `0.1 + 0.2` is one: compute in whole cents and divide by 100 at the end. `dollarsFromCents` converts the payment
 * provider's cents.
 */
export type Dollars = number;

/**
 * Pounds (avoirdupois) with at most two decimals: `0.6` is 0.60 lb, and `60` is sixty pounds. A third decimal is a
 * `TypeError`.
 */
export type Pounds = number;
";

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "Dollars")]
    pub type Dollars;

    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "Pounds")]
    pub type Pounds;
}

impl Tsify for Cents {
    type JsType = Dollars;
    const DECL: &'static str = "export type Dollars = number;";
}

impl Tsify for Weight {
    type JsType = Pounds;
    const DECL: &'static str = "export type Pounds = number;";
}
