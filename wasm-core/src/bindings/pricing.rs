//! Prices of orders and carts.

use alloc::string::ToString;
use alloc::vec::Vec;

use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use super::read_i32;
use crate::cart::Cart;
use crate::js::typed::{JsResult, read, write, write_all};
use crate::js::{self, JsCents};
use crate::money::Cents;
use crate::pricing::{self, PricedLine, ShippingRates, TaxBreakdown, TaxLine};
use crate::results::QuoteResult;
use crate::validation::Country;

#[wasm_bindgen]
extern "C" {
    /// An array, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "PricedLine[]")]
    pub type PricedLines;

    /// An array, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "TaxBreakdown[]")]
    pub type TaxBreakdowns;
}

/// Price of an order: subtotal, shipping, tax and total. `quoteFor` of the entry `tax` computes the tax, too.
///
/// @param lines 1 to 50 lines: price in dollars, weight in pounds, quantity from 1 to 99
/// @param tax in dollars, not negative
/// @param shipping `shipping_rates` of `GET /api/config`; without it the default rates apply
/// @returns the quote, or the message about why there is none
/// @throws TypeError for a value of the wrong type
/// @example
/// quote([{ price: 24.99, weight: 0.6, quantity: 2 }], "US", 3.62).quote.total // 59.8
#[wasm_bindgen]
pub fn quote(
    lines: PricedLines,
    country: Ts<Country>,
    tax: Ts<Cents>,
    shipping: Option<Ts<ShippingRates>>,
) -> JsResult<Ts<QuoteResult>> {
    let lines: Vec<PricedLine> = js::read("lines", &lines)?;
    write_quote(&lines, read("country", &country)?, &read_rates(shipping)?, read("tax", &tax)?)
}

/// Price of a cart.
///
/// @param country where it goes
/// @param shipping `shipping_rates` of `GET /api/config`; without it the default rates apply
/// @param tax in dollars; without it the total is the price before tax
/// @returns the quote, or the message about why there is none: an empty cart has no price
/// @throws TypeError for a value of the wrong type
/// @example
/// quoteCart(cart, "CA").quote // { subtotal: 49.98, shipping: 14.45, tax: 0, total: 64.43 }
/// quoteCart([], "CA").error // "Your cart is empty."
#[wasm_bindgen(js_name = quoteCart)]
pub fn quote_cart(
    cart: Ts<Cart>,
    country: Ts<Country>,
    shipping: Option<Ts<ShippingRates>>,
    tax: Option<Ts<Cents>>,
) -> JsResult<Ts<QuoteResult>> {
    let lines = read("cart", &cart)?.priced_lines();
    let tax = tax.as_ref().map(|tax| read("tax", tax)).transpose()?.unwrap_or_default();
    write_quote(&lines, read("country", &country)?, &read_rates(shipping)?, tax)
}

fn write_quote(lines: &[PricedLine], country: Country, rates: &ShippingRates, tax: Cents) -> JsResult<Ts<QuoteResult>> {
    write(pricing::quote(lines, country, rates, tax).map_err(|error| error.to_string()))
}

fn read_rates(rates: Option<Ts<ShippingRates>>) -> JsResult<ShippingRates> {
    Ok(rates.as_ref().map(|rates| read("shipping", rates)).transpose()?.unwrap_or_default())
}

/// Label and amount of each tax in a tax calculation or an order.
///
/// @param breakdown `tax_breakdown`, whose amounts are cents; those of the result are dollars
/// @throws TypeError for a value of the wrong type
/// @example
/// const tax_rate_details = { percentage_decimal: "7.25", country: "US", state: "CA", tax_type: "sales_tax" };
/// taxLines([{ amount: 362, tax_rate_details }]) // [{ label: "Sales tax (7.25%)", amount: 3.62 }]
#[wasm_bindgen(js_name = taxLines)]
pub fn tax_lines(breakdown: TaxBreakdowns) -> JsResult<Vec<Ts<TaxLine>>> {
    let breakdown: Vec<TaxBreakdown> = js::read("breakdown", &breakdown)?;
    write_all(breakdown.iter().map(TaxBreakdown::line))
}

/// Dollars from the payment provider's cents.
///
/// @param cents a whole number from -2147483648 to 2147483647
/// @throws TypeError for another number or type
/// @example
/// dollarsFromCents(362) // 3.62
#[wasm_bindgen(js_name = dollarsFromCents)]
pub fn dollars_from_cents(cents: JsCents) -> JsResult<Ts<Cents>> {
    write(Cents::from_cents(read_i32("cents", &cents)?.into()))
}
