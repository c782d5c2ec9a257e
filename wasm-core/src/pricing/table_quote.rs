//! Quote of an order with the tax of the table: what a checkout charges in a shop that uses it.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::{PricedLine, ShippingRates, TaxCalculation, TaxLine, quote, tax_lines};
use crate::money::{Cents, Overflow};
use crate::validation::{Destination, FieldErrors, Message};

/// The payment provider's limit for a payment.
const MAX_TOTAL: Cents = Cents::from_cents(99_999_999);

/// Price of an order. The total is the sum of subtotal, shipping and tax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableQuote {
    /// Sum of price × quantity.
    pub subtotal: Cents,
    /// Shipping by the weight of the whole order.
    pub shipping: Cents,
    /// Each tax with its label.
    pub tax_lines: Vec<TaxLine>,
    /// Sum of all taxes.
    pub tax: Cents,
    /// Amount to charge.
    pub total: Cents,
}

/// Reason why an order has no quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuoteError {
    /// The invalid input: `lines`, `address.country` or `address.state`.
    pub field: &'static str,
    /// What to show to the customer.
    pub message: Message,
}

impl QuoteError {
    /// The first invalid field of a destination.
    #[must_use]
    pub fn of_destination(errors: &FieldErrors) -> Self {
        let message = |name| errors.get(name).map(ToString::to_string);
        match message("country") {
            Some(message) => Self { field: "address.country", message },
            None => Self { field: "address.state", message: message("state").unwrap_or_default() },
        }
    }

    fn of_lines(error: impl ToString) -> Self {
        Self { field: "lines", message: error.to_string() }
    }
}

/// Prices an order with the taxes of the table, as a checkout does.
///
/// ```
/// use wasm_core::money::Cents;
/// use wasm_core::pricing::{PricedLine, ShippingRates, quote_by_table};
/// use wasm_core::validation::Destination;
/// use wasm_core::weight::Weight;
///
/// let two_lights = PricedLine { price: Cents::from_cents(2499), weight: Weight::from_hundredths(60), quantity: 2 };
/// let california = Destination::parse("US", "CA").unwrap();
/// let quote = quote_by_table(&[two_lights], california, &ShippingRates::default()).unwrap();
/// assert_eq!(quote.tax_lines[0].label, "Sales tax (7.25%)");
/// assert_eq!(quote.total.to_string(), "$59.80");
/// ```
///
/// # Errors
/// [`QuoteError`] for lines that have no price, and for a total that no payment can have.
pub fn quote_by_table(
    lines: &[PricedLine],
    destination: Destination,
    rates: &ShippingRates,
) -> Result<TableQuote, QuoteError> {
    let before_tax = quote(lines, destination.country, rates, Cents::ZERO).map_err(QuoteError::of_lines)?;
    let (subtotal, shipping) = (before_tax.subtotal, before_tax.shipping);
    let (tax_lines, tax) = taxes_by_table(destination, subtotal, shipping).map_err(QuoteError::of_lines)?;
    let total = before_tax.total.checked_add(tax).map_err(QuoteError::of_lines)?;
    let total = check_total(total).map_err(QuoteError::of_lines)?;
    Ok(TableQuote { subtotal, shipping, tax_lines, tax, total })
}

/// Each tax of the table with its label, and their sum.
///
/// # Errors
/// [`Overflow`] if a tax does not fit.
pub fn taxes_by_table(
    destination: Destination,
    subtotal: Cents,
    shipping: Cents,
) -> Result<(Vec<TaxLine>, Cents), Overflow> {
    let Destination { country, state } = destination;
    let calculation = TaxCalculation::by_table("".into(), country, state, subtotal, shipping)?;
    Ok((tax_lines(&calculation), calculation.total()))
}

/// The total, if a payment can have it.
///
/// # Errors
/// The message to show to the customer.
pub fn check_total(total: Cents) -> Result<Cents, Message> {
    if total > MAX_TOTAL { Err(format!("Orders are limited to {MAX_TOTAL}.")) } else { Ok(total) }
}
