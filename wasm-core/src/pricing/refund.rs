//! Refunds in parts: how much of an order's items, shipping and taxes a refund returns.
//!
//! What is rounded is the tax refunded so far, not the tax of a single refund. Partial refunds therefore add up to
//! exactly what was paid.

use alloc::format;
use alloc::vec::Vec;

use super::{TaxBreakdown, shares};
use crate::money::{Cents, Overflow};

/// Amounts that add up to an order's total, or to a refund of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Items, without tax.
    pub subtotal: Cents,
    /// Shipping, without tax.
    pub shipping: Cents,
    /// One amount for each tax of the order.
    pub taxes: Vec<Cents>,
}

impl Parts {
    /// Sum of all taxes.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn tax(&self) -> Result<Cents, Overflow> {
        self.taxes.iter().try_fold(Cents::ZERO, |sum, tax| sum.checked_add(*tax))
    }

    /// Sum of all parts.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn total(&self) -> Result<Cents, Overflow> {
        self.subtotal.checked_add(self.shipping)?.checked_add(self.tax()?)
    }

    fn amounts(&self) -> impl Iterator<Item = Cents> {
        [self.subtotal, self.shipping].into_iter().chain(self.taxes.iter().copied())
    }

    /// Combines the amounts of the same kind; missing taxes are zero.
    fn zip(&self, other: &Self, combine: impl Fn(Cents, Cents) -> Result<Cents, Overflow>) -> Result<Self, Overflow> {
        let others = other.taxes.iter().copied().chain(core::iter::repeat(Cents::ZERO));
        Ok(Self {
            subtotal: combine(self.subtotal, other.subtotal)?,
            shipping: combine(self.shipping, other.shipping)?,
            taxes: self.taxes.iter().zip(others).map(|(tax, other)| combine(*tax, other)).collect::<Result<_, _>>()?,
        })
    }
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
/// let order = Refundable::new(subtotal, shipping, &taxes);
/// // One of two lights: half of the items and of their tax.
/// let one = order.of_items(Cents::from_cents(2499), Cents::ZERO)?;
/// assert_eq!(one.total()?, Cents::from_cents(2499 + 181));
/// // California does not tax shipping.
/// assert_eq!(order.of_items(Cents::ZERO, shipping)?.tax()?, Cents::ZERO);
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
    #[must_use]
    pub fn new(subtotal: Cents, shipping: Cents, taxes: &[TaxBreakdown]) -> Self {
        let amounts: Vec<Cents> = taxes.iter().map(|tax| Cents::from_cents(tax.amount)).collect();
        let none = Parts { taxes: amounts.iter().map(|_| Cents::ZERO).collect(), ..Parts::default() };
        Self {
            paid: Parts { subtotal, shipping, taxes: amounts },
            bases: taxes.iter().map(|tax| TaxBase::of(tax, subtotal, shipping)).collect(),
            refunded: none,
        }
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
        let mut taxes = Vec::with_capacity(self.bases.len());
        for ((base, paid), (refunded, left)) in
            self.bases.iter().zip(&self.paid.taxes).zip(self.refunded.taxes.iter().zip(&left.taxes))
        {
            let due = match base {
                TaxBase::Items => proportion(*paid, items_so_far, self.paid.subtotal)?,
                TaxBase::ItemsAndShipping => proportion(*paid, all_so_far, whole)?,
            };
            taxes.push(due.checked_sub(*refunded)?.min(*left).max(Cents::ZERO));
        }
        Ok(Parts { subtotal, shipping, taxes })
    }

    /// A refund of an amount, tax included; at most what is left. As far as they fit, its parts are the `preferred` ones,
    /// and the rest is spread over everything that is left.
    ///
    /// # Errors
    /// [`Overflow`] if a sum does not fit.
    pub fn of_amount(&self, amount: Cents, preferred: &Parts) -> Result<Parts, Overflow> {
        let left = self.left()?;
        let mut parts = left.zip(preferred, |left, preferred| Ok(preferred.min(left)))?;
        if parts.total()? > amount {
            parts = left.zip(&Parts::default(), |_, none| Ok(none))?;
        }
        let room = left.zip(&parts, Cents::checked_sub)?;
        let rest = amount.min(left.total()?).checked_sub(parts.total()?)?;
        let weights: Vec<i64> = room.amounts().map(Cents::cents).collect();
        let mut spread = shares(rest.cents(), &weights).into_iter().map(Cents::from_cents);
        let mut next = || spread.next().unwrap_or_default();
        parts.subtotal = parts.subtotal.checked_add(next())?;
        parts.shipping = parts.shipping.checked_add(next())?;
        for tax in &mut parts.taxes {
            *tax = tax.checked_add(next())?;
        }
        Ok(parts)
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
            Refundable::new(subtotal, shipping, &taxes).bases
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
