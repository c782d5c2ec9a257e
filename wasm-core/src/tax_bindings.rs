//! Exported JavaScript functions that quote with the tax table: the entry `tax` of the npm package.
//!
//! A rejected input is a result that names the field. A value of the wrong type throws a `TypeError` that names the
//! argument and the member.
#![expect(clippy::missing_errors_doc, reason = "each function throws for a value of the wrong type, as said above")]

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js;
use crate::js::typed::{JsResult, read, write};
use crate::money::Cents;
use crate::pricing::{self, PricedLine, QuoteError, ShippingRates, TableQuote, TaxLine};
use crate::validation::Destination;

/// The members of an address that decide shipping and tax. A complete `PostalAddress` has them, too.
#[derive(Deserialize, Tsify)]
pub struct QuoteAddress {
    /// `US` or `CA`, in any case.
    pub country: String,
    /// State, territory or province: its two-letter code or its name, in any case.
    pub state: String,
}

impl QuoteAddress {
    fn destination(&self) -> Result<Destination, QuoteError> {
        Destination::parse(&self.country, &self.state).map_err(|errors| QuoteError::of_destination(&errors))
    }
}

/// What `quoteFor` prices.
#[derive(Deserialize, Tsify)]
pub struct QuoteRequest {
    /// 1 to 50 lines, one for each product.
    pub lines: Vec<PricedLine>,
    /// Where the order goes.
    pub address: QuoteAddress,
    /// Shipping rates of the shop: `shippingRates` of its `GET /api/config`. Default: the rates of a shop that sets none.
    #[tsify(optional)]
    pub rates: Option<ShippingRates>,
}

/// What `tableTax` taxes.
#[derive(Deserialize, Tsify)]
pub struct TaxRequest {
    /// Where the order goes.
    pub address: QuoteAddress,
    /// Price of the items, not negative.
    #[tsify(type = "Dollars")]
    pub subtotal: Cents,
    /// Price of shipping, not negative. Some states tax it.
    #[tsify(type = "Dollars")]
    pub shipping: Cents,
}

/// The price of an order with its taxes, or the first problem with the request.
#[derive(Serialize, Tsify)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum TableQuoteResult {
    /// The order has a price.
    Valid {
        /// Always `true` here.
        #[tsify(type = "true")]
        ok: bool,
        /// Sum of price × quantity.
        #[tsify(type = "Dollars")]
        subtotal: Cents,
        /// Shipping by the weight of the whole order.
        #[tsify(type = "Dollars")]
        shipping: Cents,
        /// Each tax with its label: two in most provinces without a harmonized tax.
        tax_lines: Vec<TaxLine>,
        /// Sum of the taxes.
        #[tsify(type = "Dollars")]
        tax: Cents,
        /// Amount to charge.
        #[tsify(type = "Dollars")]
        total: Cents,
    },
    /// The request is invalid.
    Invalid {
        /// Always `false` here.
        #[tsify(type = "false")]
        ok: bool,
        /// The invalid member of the request.
        #[tsify(type = "\"lines\" | \"address.country\" | \"address.state\"")]
        field: String,
        /// What to show to the customer.
        error: String,
    },
}

impl From<Result<TableQuote, QuoteError>> for TableQuoteResult {
    fn from(quoted: Result<TableQuote, QuoteError>) -> Self {
        match quoted {
            Ok(TableQuote { subtotal, shipping, tax_lines, tax, total }) => {
                Self::Valid { ok: true, subtotal, shipping, tax_lines, tax, total }
            }
            Err(QuoteError { field, message }) => Self::Invalid { ok: false, field: field.to_string(), error: message },
        }
    }
}

/// The taxes of an order, or the first problem with the request.
#[derive(Serialize, Tsify)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum TaxResult {
    /// The order has a tax, which may be zero.
    Valid {
        /// Always `true` here.
        #[tsify(type = "true")]
        ok: bool,
        /// Each tax with its label.
        tax_lines: Vec<TaxLine>,
        /// Sum of the taxes.
        #[tsify(type = "Dollars")]
        tax: Cents,
    },
    /// The request is invalid.
    Invalid {
        /// Always `false` here.
        #[tsify(type = "false")]
        ok: bool,
        /// The invalid member of the request.
        #[tsify(type = "\"address.country\" | \"address.state\"")]
        field: String,
        /// What to show to the customer.
        error: String,
    },
}

/// Price of an order with the taxes of the table: what a checkout of a shop charges that uses it.
///
/// The same rules price a checkout on the server, so with the shop's own prices, weights and rates the total is the same
/// to the cent.
///
/// @param request lines with prices in dollars, weights in pounds and quantities from 1 to 99; an address; the shop's rates
/// @returns the quote, or the invalid field with its message: no or too many lines, a quantity out of range, a country or
/// state to which the shop does not ship, a total above $999,999.99
/// @throws TypeError for a value of the wrong type: `request.lines.price: expected a number`
/// @example
/// const lines = [{ price: 24.99, weight: 0.6, quantity: 2 }];
/// quoteFor({ lines, address: { country: "US", state: "CA" } }).total // 59.8
/// quoteFor({ lines, address: { country: "US", state: "ON" } }).error // "Use a US state or territory, like CA or PR."
#[wasm_bindgen(js_name = quoteFor)]
pub fn quote_for(request: Ts<QuoteRequest>) -> JsResult<Ts<TableQuoteResult>> {
    let request = read("request", &request)?;
    let rates = request.rates.unwrap_or_default();
    let destination = request.address.destination();
    write(destination.and_then(|destination| pricing::quote_by_table(&request.lines, destination, &rates)))
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
/// taxed.taxLines // [{ label: "GST (5%)", amount: 3.22 }, { label: "QST (9.975%)", amount: 6.43 }]
/// taxed.tax // 9.65
#[wasm_bindgen(js_name = tableTax)]
pub fn table_tax(request: Ts<TaxRequest>) -> JsResult<Ts<TaxResult>> {
    let TaxRequest { address, subtotal, shipping } = read("request", &request)?;
    for (argument, amount) in [("request.subtotal", subtotal), ("request.shipping", shipping)] {
        if amount < Cents::ZERO {
            return Err(js::type_error(argument, "expected an amount that is not negative"));
        }
    }
    let destination = match address.destination() {
        Ok(destination) => destination,
        Err(QuoteError { field, message }) => {
            return write(TaxResult::Invalid { ok: false, field: field.to_string(), error: message });
        }
    };
    let taxes = pricing::taxes_by_table(destination, subtotal, shipping);
    let (tax_lines, tax) = taxes.map_err(|overflow| js::type_error("request.subtotal", &overflow.to_string()))?;
    write(TaxResult::Valid { ok: true, tax_lines, tax })
}
