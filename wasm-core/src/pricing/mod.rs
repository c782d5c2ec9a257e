//! Pricing of an order: subtotal, shipping, tax and total.

use core::fmt;

use alloc::string::ToString;

use serde::{Deserialize, Serialize};

mod refund;
mod shares;
mod shipping;
mod table_quote;
mod tax;
mod tax_table;

pub use refund::{Parts, Refundable};
pub use shares::shares;
pub use shipping::{Rate, ShippingRates, shipping_cost};
pub use table_quote::{QuoteError, TableQuote, check_total, quote_by_table, taxes_by_table};
pub use tax::{TaxBreakdown, TaxCalculation, TaxLine, TaxRateDetails, tax_lines};
pub use tax_table::table_tax;

use crate::money::{Cents, Overflow};
use crate::validation::{Country, MAX_LINES, Message, parse_quantity, quantity_out_of_range, too_many_lines};
use crate::weight::Weight;

/// Line of an order to price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct PricedLine {
    /// Per unit.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Per unit.
    #[cfg_attr(feature = "js-types", tsify(type = "Pounds"))]
    pub weight: Weight,
    /// 1–99.
    pub quantity: i64,
}

/// Price of an order. The total is the sum of the other three amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct Quote {
    /// Sum of price × quantity.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub subtotal: Cents,
    /// Shipping by the weight of the whole order.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub shipping: Cents,
    /// Tax, as computed by the payment provider or from the tax table.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub tax: Cents,
    /// Amount to charge.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub total: Cents,
}

/// Prices an order. The order of the lines does not matter.
///
/// ```
/// use wasm_core::money::Cents;
/// use wasm_core::pricing::{PricedLine, ShippingRates, quote, table_tax};
/// use wasm_core::validation::Country;
/// use wasm_core::weight::Weight;
///
/// let two_lights = PricedLine { price: Cents::from_cents(2499), weight: Weight::from_hundredths(60), quantity: 2 };
/// let quote = quote(&[two_lights], Country::Us, &ShippingRates::default(), Cents::from_cents(362))?;
/// assert_eq!(quote.subtotal.to_string(), "$49.98");
/// assert_eq!(quote.shipping.to_string(), "$6.20");
/// assert_eq!(quote.total.to_string(), "$59.80");
/// # Ok::<(), wasm_core::pricing::PricingError>(())
/// ```
///
/// # Errors
/// [`PricingError`] for no or too many lines, a quantity outside 1–99, a negative price, weight or tax, and overflow.
pub fn quote(lines: &[PricedLine], country: Country, rates: &ShippingRates, tax: Cents) -> Result<Quote, PricingError> {
    let (subtotal, weight) = subtotal_and_weight(lines)?;
    if tax < Cents::ZERO {
        return Err(PricingError::Negative);
    }
    let shipping = shipping_cost(weight, country, rates)?;
    let total = subtotal.checked_add(shipping)?.checked_add(tax)?;
    Ok(Quote { subtotal, shipping, tax, total })
}

fn subtotal_and_weight(lines: &[PricedLine]) -> Result<(Cents, Weight), PricingError> {
    if lines.is_empty() {
        return Err(PricingError::NoLines);
    }
    if lines.len() > MAX_LINES {
        return Err(PricingError::TooManyLines);
    }
    lines.iter().try_fold((Cents::ZERO, Weight::ZERO), |(subtotal, weight), line| {
        let quantity = parse_quantity(line.quantity).map_err(|_| PricingError::Quantity(line.quantity))?.get();
        if line.price < Cents::ZERO || line.weight < Weight::ZERO {
            return Err(PricingError::Negative);
        }
        let subtotal = subtotal.checked_add(line.price.times(quantity)?)?;
        let weight = weight.checked_add(line.weight.times(quantity)?)?;
        Ok((subtotal, weight))
    })
}

/// Reason why an order has no price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PricingError {
    /// The order has no lines.
    NoLines,
    /// The order has more than 50 lines.
    TooManyLines,
    /// A quantity is outside 1–99.
    Quantity(i64),
    /// A price, weight or tax is negative.
    Negative,
    /// An amount does not fit.
    Overflow,
}

impl PricingError {
    fn message(self) -> Message {
        match self {
            Self::NoLines => "Your cart is empty.".into(),
            Self::TooManyLines => too_many_lines(),
            Self::Quantity(quantity) => quantity_out_of_range(quantity),
            Self::Negative => "A price, a weight and a tax cannot be negative.".into(),
            Self::Overflow => Overflow.to_string(),
        }
    }
}

impl fmt::Display for PricingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl core::error::Error for PricingError {}

impl From<Overflow> for PricingError {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}
