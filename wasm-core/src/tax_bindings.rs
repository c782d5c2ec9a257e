//! Exported JavaScript functions that quote with the tax table: the entry `tax` of the npm package.
//!
//! A rejected input is a result that names the field. A value of the wrong type throws a `TypeError` that names the
//! argument and the member.
#![expect(clippy::missing_errors_doc, reason = "each function throws for a value of the wrong type, as said above")]

use alloc::string::ToString;

use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js;
use crate::js::typed::{JsResult, read, write};
use crate::money::Cents;
use crate::tax_requests::{QuoteRequest, TableQuoteResult, TaxRequest, TaxResult};

/// Price of an order with the taxes of the table: what a checkout of a shop charges that uses it.
///
/// The same rules price a checkout on the server, so with the shop's own prices, weights and rates the total is the same
/// to the cent.
///
/// @param request lines with prices in dollars, weights in pounds and quantities from 1 to 99; an address; the shop's rates
/// @returns the quote, or the invalid field with its message: no or too many lines, a quantity out of range, a country or
/// state to which the shop does not ship, a total above $999,999.99
/// @throws TypeError for a value of the wrong type: `request.lines[0].price: expected a number`
/// @example
/// const lines = [{ price: 24.99, weight: 0.6, quantity: 2 }];
/// quoteFor({ lines, address: { country: "US", state: "CA" } }).total // 59.8
/// quoteFor({ lines, address: { country: "US", state: "ON" } }).error // "Use a US state or territory, like CA or PR."
#[wasm_bindgen(js_name = quoteFor)]
pub fn quote_for(request: Ts<QuoteRequest>) -> JsResult<Ts<TableQuoteResult>> {
    write(read("request", &request)?.quote())
}

/// Taxes on an order by the table, each rounded half up to the cent.
///
/// The table has the general rate of each state and province. It knows no rates of counties and cities.
///
/// @param request address, and subtotal and shipping in dollars
/// @returns the taxes, or the invalid field of the address with its message
/// @throws TypeError for a value of the wrong type, a negative amount and one that is too large
/// @example
/// const taxed = tableTax({ address: { country: "CA", state: "QC" }, subtotal: 49.98, shipping: 14.45 });
/// taxed.tax_lines // [{ label: "GST (5%)", amount: 3.22 }, { label: "QST (9.975%)", amount: 6.43 }]
/// taxed.tax // 9.65
#[wasm_bindgen(js_name = tableTax)]
pub fn table_tax(request: Ts<TaxRequest>) -> JsResult<Ts<TaxResult>> {
    let request = read("request", &request)?;
    for (argument, amount) in [("request.subtotal", request.subtotal), ("request.shipping", request.shipping)] {
        if amount < Cents::ZERO {
            return Err(js::type_error(argument, "expected an amount that is not negative"));
        }
    }
    write(request.taxes().map_err(|overflow| js::type_error("request.subtotal", &overflow.to_string()))?)
}
