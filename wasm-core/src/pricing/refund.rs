//! Refunds in parts: how much of an order's items, shipping and taxes a refund returns.
//!
//! What is rounded is the tax refunded so far, not the tax of a single refund. Partial refunds therefore add up to
//! exactly what was paid.

use alloc::format;
use alloc::vec::Vec;

use serde::Serialize;

use super::{TaxBreakdown, shares};
use crate::money::{Cents, Overflow};

/// Parts of an order's total, or of a refund. The amount is the sum of subtotal, shipping and tax.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = RefundParts, examples(json!({
    "amount": 26.8,
    "subtotal": 24.99,
    "shipping": 0,
    "tax": 1.81,
    "tax_breakdown": [{
        "amount": 181,
        "tax_rate_details": { "percentage_decimal": "7.25", "country": "US", "state": "CA", "tax_type": "sales_tax" },
    }],
}))))]
pub struct Parts {
    /// Amount that the customer gets back.
    pub amount: Cents,
    /// Items, without tax.
    pub subtotal: Cents,
    /// Shipping, without tax.
    pub shipping: Cents,
    /// Sum of all taxes.
    pub tax: Cents,
    /// Each tax of the order, with the refunded amount in cents.
    pub tax_breakdown: Vec<TaxBreakdown>,
}

impl Parts {
    fn of(subtotal: Cents, shipping: Cents, tax_breakdown: Vec<TaxBreakdown>) -> Result<Self, Overflow> {
        let tax = taxes(&tax_breakdown).try_fold(Cents::ZERO, Cents::checked_add)?;
        let amount = subtotal.checked_add(shipping)?.checked_add(tax)?;
        Ok(Self { amount, subtotal, shipping, tax, tax_breakdown })
    }

    /// Combines the amounts of the same kind; missing taxes are zero.
    fn zip(&self, other: &Self, combine: impl Fn(Cents, Cents) -> Result<Cents, Overflow>) -> Result<Self, Overflow> {
        let others = taxes(&other.tax_breakdown).chain(core::iter::repeat(Cents::ZERO));
        let combined = self.tax_breakdown.iter().zip(others).map(|(tax, other)| {
            Ok(TaxBreakdown { amount: combine(Cents::from_cents(tax.amount), other)?.cents(), ..tax.clone() })
        });
        Self::of(
            combine(self.subtotal, other.subtotal)?,
            combine(self.shipping, other.shipping)?,
            combined.collect::<Result<_, _>>()?,
        )
    }
}

fn taxes(breakdown: &[TaxBreakdown]) -> impl Iterator<Item = Cents> {
    breakdown.iter().map(|tax| Cents::from_cents(tax.amount))
}

/// The amounts that a tax was computed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaxBase {
    Items,
    ItemsAndShipping,
}

/// An order whose payment can be refunded in parts.
///
/// ```
/// use wasm_core::money::Cents;
/// use wasm_core::pricing::{Refundable, table_tax};
/// use wasm_core::validation::Country;
///
/// let (subtotal, shipping) = (Cents::from_cents(4998), Cents::from_cents(620));
/// let taxes = table_tax(Country::Us, "CA", subtotal, shipping)?;
/// let order = Refundable::new(subtotal, shipping, taxes)?;
/// // One of two lights: half of the items and of their tax.
/// let one = order.of_items(Cents::from_cents(2499), Cents::ZERO)?;
/// assert_eq!(one.amount, Cents::from_cents(2499 + 181));
/// // California does not tax shipping.
/// assert_eq!(order.of_items(Cents::ZERO, shipping)?.tax, Cents::ZERO);
/// # Ok::<(), wasm_core::money::Overflow>(())
/// ```
#[derive(Clone, Debug)]
pub struct Refundable {
    paid: Parts,
    bases: Vec<TaxBase>,
    refunded: Parts,
}

impl Refundable {
    /// An order without refunds.
    ///
    /// # Errors
    /// [`Overflow`] if the total does not fit.
    pub fn new(subtotal: Cents, shipping: Cents, taxes: Vec<TaxBreakdown>) -> Result<Self, Overflow> {
        let bases = taxes.iter().map(|tax| TaxBase::of(tax, subtotal, shipping)).collect();
        let paid = Parts::of(subtotal, shipping, taxes)?;
        let refunded = paid.zip(&Parts::default(), |_, none| Ok(none))?;
        Ok(Self { paid, bases, refunded })
    }

    /// Adds a refund that was made.
    ///
    /// # Errors
    /// [`Overflow`] if a sum does not fit.
    pub fn refund(&mut self, parts: &Parts) -> Result<(), Overflow> {
        self.refunded = self.refunded.zip(parts, Cents::checked_add)?;
        Ok(())
    }

    /// What is not refunded yet.
    ///
    /// # Errors
    /// [`Overflow`] if a difference does not fit.
    pub fn left(&self) -> Result<Parts, Overflow> {
        self.paid.zip(&self.refunded, Cents::checked_sub)
    }

    /// A refund of items at this price and of this much shipping, with their taxes; at most what is left.
    ///
    /// # Errors
    /// [`Overflow`] if a product of amounts does not fit.
    pub fn of_items(&self, items: Cents, shipping: Cents) -> Result<Parts, Overflow> {
        let left = self.left()?;
        let (subtotal, shipping) = (items.min(left.subtotal), shipping.min(left.shipping));
        let items_so_far = self.refunded.subtotal.checked_add(subtotal)?;
        let all_so_far = items_so_far.checked_add(self.refunded.shipping)?.checked_add(shipping)?;
        let whole = self.paid.subtotal.checked_add(self.paid.shipping)?;
        let mut due = self.paid.clone();
        for (tax, base) in due.tax_breakdown.iter_mut().zip(&self.bases) {
            let paid = Cents::from_cents(tax.amount);
            let so_far = match base {
                TaxBase::Items => proportion(paid, items_so_far, self.paid.subtotal)?,
                TaxBase::ItemsAndShipping => proportion(paid, all_so_far, whole)?,
            };
            tax.amount = so_far.cents();
        }
        let due = due.zip(&self.refunded, Cents::checked_sub)?;
        let due = due.zip(&left, |due, left| Ok(due.min(left).max(Cents::ZERO)))?;
        Parts::of(subtotal, shipping, due.tax_breakdown)
    }

    /// A refund of an amount, tax included; at most what is left. As far as they fit, its parts are the `preferred` ones,
    /// and the rest is spread over everything that is left.
    ///
    /// # Errors
    /// [`Overflow`] if a sum does not fit.
    pub fn of_amount(&self, amount: Cents, preferred: &Parts) -> Result<Parts, Overflow> {
        let left = self.left()?;
        let mut parts = left.zip(preferred, |left, preferred| Ok(preferred.min(left)))?;
        if parts.amount > amount {
            parts = left.zip(&Parts::default(), |_, none| Ok(none))?;
        }
        let room = left.zip(&parts, Cents::checked_sub)?;
        let rest = amount.min(left.amount).checked_sub(parts.amount)?;
        let weights = [room.subtotal, room.shipping].into_iter().chain(taxes(&room.tax_breakdown));
        let weights: Vec<i64> = weights.map(Cents::cents).collect();
        let mut spread = shares(rest.cents(), &weights).into_iter().map(Cents::from_cents);
        let mut plus_share = |amount: Cents| amount.checked_add(spread.next().unwrap_or_default());
        let (subtotal, shipping) = (plus_share(parts.subtotal)?, plus_share(parts.shipping)?);
        for tax in &mut parts.tax_breakdown {
            tax.amount = plus_share(Cents::from_cents(tax.amount))?.cents();
        }
        Parts::of(subtotal, shipping, parts.tax_breakdown)
    }
}

/// `amount × part ÷ whole`, rounded half up to the cent.
fn proportion(amount: Cents, part: Cents, whole: Cents) -> Result<Cents, Overflow> {
    if whole <= Cents::ZERO {
        return Ok(Cents::ZERO);
    }
    let doubled = amount.times(part.cents())?.times(2)?.checked_add(whole)?;
    Ok(Cents::from_cents(doubled.cents().div_euclid(whole.times(2)?.cents())))
}

/// 100 % in millionths of a percent.
const WHOLE: i128 = 100_000_000;

impl TaxBase {
    /// The amounts from which the rate makes this tax. Neither the table nor the provider's breakdown says so, and
    /// rounding changes a tax by less than a rate does. A fee without a rate belongs to the whole order.
    fn of(tax: &TaxBreakdown, subtotal: Cents, shipping: Cents) -> Self {
        let rate = i128::from(millionths(&tax.tax_rate_details.percentage_decimal).unwrap_or_default());
        let (items, freight) = (i128::from(subtotal.cents()), i128::from(shipping.cents()));
        let error = |base: i128| (i128::from(tax.amount) * WHOLE - base * rate).abs();
        if error(items) < error(items + freight) { Self::Items } else { Self::ItemsAndShipping }
    }
}

/// A decimal number in millionths: `7.25` becomes 7,250,000.
fn millionths(decimal: &str) -> Option<i64> {
    let (whole, decimals) = decimal.split_once('.').unwrap_or((decimal, ""));
    let decimals = decimals.get(..6).unwrap_or(decimals);
    format!("{whole}{decimals:0<6}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pricing::table_tax;
    use crate::validation::Country;

    #[test]
    fn the_rate_tells_whether_shipping_was_taxed() {
        let (subtotal, shipping) = (Cents::from_cents(4998), Cents::from_cents(620));
        let bases = |country, state| {
            let taxes = table_tax(country, state, subtotal, shipping).unwrap();
            Refundable::new(subtotal, shipping, taxes).unwrap().bases
        };
        assert_eq!(bases(Country::Us, "CA"), [TaxBase::Items]);
        assert_eq!(bases(Country::Us, "TX"), [TaxBase::ItemsAndShipping]);
        assert_eq!(bases(Country::Ca, "QC"), [TaxBase::ItemsAndShipping; 2]);
        assert_eq!(millionths("9.975"), Some(9_975_000));
        assert_eq!(millionths("5"), Some(5_000_000));
        assert_eq!(millionths("8.12345678"), Some(8_123_456));
        assert_eq!(millionths(""), Some(0));
        assert_eq!(millionths("none"), None);
    }
}
