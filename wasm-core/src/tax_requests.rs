//! Requests and results of the quotes with the tax table, as other programs pass and get them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::money::{Cents, Overflow};
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
    /// Shipping rates of the shop: `shipping_rates` of its `GET /api/config`. Default: the rates of a shop that sets none.
    #[tsify(optional)]
    pub rates: Option<ShippingRates>,
}

impl QuoteRequest {
    /// The quote, or the first problem with the request.
    ///
    /// # Errors
    /// [`QuoteError`] for an invalid address, and as [`pricing::quote_by_table`].
    pub fn quote(&self) -> Result<TableQuote, QuoteError> {
        pricing::quote_by_table(&self.lines, self.address.destination()?, &self.rates.unwrap_or_default())
    }
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

impl TaxRequest {
    /// The taxes and their sum, or the invalid field of the address.
    ///
    /// # Errors
    /// [`Overflow`] if a tax does not fit.
    pub fn taxes(&self) -> Result<TaxResult, Overflow> {
        Ok(match self.address.destination() {
            Ok(destination) => {
                let (tax_lines, tax) = pricing::taxes_by_table(destination, self.subtotal, self.shipping)?;
                TaxResult::Valid { ok: true, tax_lines, tax }
            }
            Err(QuoteError { field, message }) => {
                TaxResult::Invalid { ok: false, field: field.to_owned(), error: message }
            }
        })
    }
}

/// The price of an order with its taxes, or the first problem with the request.
#[derive(Serialize, Tsify)]
#[serde(untagged)]
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
            Err(QuoteError { field, message }) => Self::Invalid { ok: false, field: field.to_owned(), error: message },
        }
    }
}

/// The taxes of an order, or the first problem with the request.
#[derive(Serialize, Tsify)]
#[serde(untagged)]
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
