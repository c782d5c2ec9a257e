//! TypeScript's names of amounts and times. [`Cents`] and [`Weight`] count hundredths, but their JavaScript numbers are whole
//! dollars and pounds, so they have other names there.

use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::money::Cents;
use crate::weight::Weight;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * US dollars with at most two decimals: `24.99` is $24.99, and `2499` is $2,499.00. A third decimal is a `TypeError`,
 * so `0.1 + 0.2` is one: compute in whole cents and divide by 100 at the end. `dollarsFromCents` converts the payment
 * provider's cents. Any number is assignable; `Cents` and `Pounds` are not.
 */
export type Dollars = number & { readonly unit?: "dollars" };

/**
 * US cents, a whole number: `362` is $3.62. Only the payment provider uses them. Any number is assignable; `Dollars` are
 * not, because the mix-up would charge a hundredth or a hundred times the amount.
 */
export type Cents = number & { readonly unit?: "cents" };

/**
 * Pounds (avoirdupois) with at most two decimals: `0.6` is 0.60 lb, and `60` is sixty pounds. A third decimal is a
 * `TypeError`. Any number is assignable; `Dollars` are not.
 */
export type Pounds = number & { readonly unit?: "pounds" };

/**
 * A time as ISO 8601 and RFC 3339 write it: `2026-11-27T14:00:05Z`, or `2026-11-27T09:00:05` for a local time of a
 * schedule. Any string is assignable; a `DisplayDate` is not.
 */
export type Iso8601Date = string & { readonly format?: "iso-8601" };

/** A date for people: `11/27/2026`. It is no input of any function. */
export type DisplayDate = string & { readonly format?: "display" };
"#;

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "Dollars")]
    pub type Dollars;

    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "Pounds")]
    pub type Pounds;

    /// A `number`, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "Cents")]
    pub type JsCents;

    /// A `string`, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "Iso8601Date")]
    pub type JsTime;

    /// A `string`.
    #[wasm_bindgen(typescript_type = "DisplayDate")]
    pub type DisplayDate;
}

impl Tsify for Cents {
    type JsType = Dollars;
    const DECL: &'static str = "export type Dollars = number & { readonly unit?: \"dollars\" };";
}

impl Tsify for Weight {
    type JsType = Pounds;
    const DECL: &'static str = "export type Pounds = number & { readonly unit?: \"pounds\" };";
}
