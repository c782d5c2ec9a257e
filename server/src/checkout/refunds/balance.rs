//! What is left to refund of an order, and the plan of its next refund.

use std::collections::BTreeMap;

use wasm_core::money::Cents;
use wasm_core::orders::{OrderItem, RefundLine};
use wasm_core::pricing::{Parts, Refundable, TaxBreakdown, TaxRateDetails};

use super::request::RefundRequest;
use super::store::{Refund, State};
use crate::error::Error;
use crate::infra::random;
use crate::orders::StoredOrder;
use crate::orders::history::Units;

pub const FULLY_REFUNDED: &str = "This order has already been refunded in full.";

/// An order with the refunds that count as refunded.
pub struct Balance<'a> {
    order: &'a StoredOrder,
    refundable: Refundable,
    /// Refunded units by product.
    quantities: BTreeMap<String, i64>,
}

impl<'a> Balance<'a> {
    pub fn of(order: &'a StoredOrder, refunds: &[Refund]) -> Result<Self, Error> {
        let mut refundable = Refundable::new(order.subtotal, order.shipping_cost, taxes_of(order))?;
        let mut quantities = BTreeMap::new();
        for refund in refunds.iter().filter(|refund| refund.is_done()) {
            refundable.refund(&refund.parts)?;
            for line in &refund.lines {
                *quantities.entry(line.product_id.clone()).or_default() += line.quantity;
            }
        }
        Ok(Self { order, refundable, quantities })
    }

    /// The parts that are left to refund.
    pub fn left(&self) -> Result<Parts, Error> {
        Ok(self.refundable.left()?)
    }

    /// The items of the order with the quantities that are left to refund.
    pub fn items_left(&self) -> impl Iterator<Item = (&'a OrderItem, i64)> {
        self.order.items.iter().map(|item| (item, self.quantity_left(item)))
    }

    fn quantity_left(&self, item: &OrderItem) -> i64 {
        item.quantity - self.quantities.get(&item.product_id).copied().unwrap_or_default()
    }

    /// The parts of a refund that the provider made: the planned ones as far as they are left.
    pub fn parts_of(&self, amount: Cents, planned: &Parts) -> Result<Parts, Error> {
        Ok(self.refundable.of_amount(amount, planned)?)
    }

    /// Whether the quantities of all lines are left to refund.
    pub fn has_left(&self, lines: &[RefundLine]) -> bool {
        lines.iter().all(|line| {
            self.items_left().any(|(item, left)| item.product_id == line.product_id && line.quantity <= left)
        })
    }

    /// Plans a refund of what is requested, or of everything that is left.
    ///
    /// # Errors
    /// 400 that names the field, for more than what is left, and for nothing.
    pub fn plan(&self, request: Option<&RefundRequest>, actor: &str, now: i64) -> Result<Refund, Error> {
        let Some(RefundRequest { lines, shipping, amount, restock, refunded: _ }) = request else {
            return Ok(self.refund_of(self.left()?, self.all_lines(), actor, now));
        };
        let (parts, lines) = match amount {
            Some(amount) => (self.parts_of_amount(*amount)?, Vec::new()),
            None if *shipping => self.parts_of_items(lines, self.shipping_left()?)?,
            None => self.parts_of_items(lines, Cents::ZERO)?,
        };
        Ok(Refund { restock: *restock, ..self.refund_of(parts, lines, actor, now) })
    }

    /// A refund with these parts and lines that is not made yet.
    pub fn refund_of(&self, parts: Parts, lines: Vec<RefundLine>, actor: &str, created_at: i64) -> Refund {
        Refund {
            id: random::new_id(),
            order_id: self.order.id.clone(),
            parts,
            lines,
            restock: false,
            actor: actor.to_owned(),
            state: State::Pending,
            provider_id: None,
            created_at,
            failure: None,
            outside: None,
        }
    }

    /// Plans a refund of what a failed one was to return, unless less than that is left. Its items are not restocked again.
    pub fn plan_again(&self, failed: &Refund, actor: &str, now: i64) -> Result<Option<Refund>, Error> {
        if self.left()?.amount < failed.parts.amount {
            return Ok(None);
        }
        let parts = self.parts_of(failed.parts.amount, &failed.parts)?;
        let lines = if self.has_left(&failed.lines) { failed.lines.clone() } else { Vec::new() };
        Ok(Some(self.refund_of(parts, lines, actor, now)))
    }

    fn all_lines(&self) -> Vec<RefundLine> {
        let left = self.items_left().filter(|(_, left)| *left > 0);
        left.map(|(item, quantity)| RefundLine { product_id: item.product_id.clone(), quantity }).collect()
    }

    fn shipping_left(&self) -> Result<Cents, Error> {
        let left = self.left()?.shipping;
        if left > Cents::ZERO {
            return Ok(left);
        }
        Err(Error::invalid_field("shipping", "There is no shipping left to refund."))
    }

    fn parts_of_items(&self, lines: &[RefundLine], shipping: Cents) -> Result<(Parts, Vec<RefundLine>), Error> {
        let mut wanted: BTreeMap<&str, i64> = BTreeMap::new();
        let mut price = Cents::ZERO;
        for (index, line) in lines.iter().enumerate() {
            let item = self.find_item(index, line)?;
            let quantity = wanted.entry(&line.product_id).or_default();
            *quantity = self.check_quantity(index, item, *quantity, line.quantity)?;
            price = price.checked_add(item.price.times(line.quantity)?)?;
        }
        let parts = self.refundable.of_items(price, shipping)?;
        if parts.amount <= Cents::ZERO {
            let message = match self.left()?.amount {
                Cents::ZERO => FULLY_REFUNDED,
                _ => "Choose items, shipping, or an amount to refund.",
            };
            return Err(Error::invalid_field("lines", message));
        }
        let lines = wanted.into_iter().map(|(id, quantity)| RefundLine { product_id: id.to_owned(), quantity });
        Ok((parts, lines.collect()))
    }

    fn find_item(&self, index: usize, line: &RefundLine) -> Result<&'a OrderItem, Error> {
        self.order.items.iter().find(|item| item.product_id == line.product_id).ok_or_else(|| {
            Error::invalid_field(&format!("lines[{index}].product_id"), "This product is not in the order.")
        })
    }

    /// The quantity of this line and those before it.
    fn check_quantity(&self, index: usize, item: &OrderItem, before: i64, quantity: i64) -> Result<i64, Error> {
        let left = self.quantity_left(item) - before;
        if (1..=left).contains(&quantity) {
            return Ok(before + quantity);
        }
        let message = match left {
            0 => "All units were refunded already.".to_owned(),
            _ => format!("Enter a quantity from 1 to {left}."),
        };
        Err(Error::invalid_field(&format!("lines[{index}].quantity"), message))
    }

    fn parts_of_amount(&self, amount: Cents) -> Result<Parts, Error> {
        let left = self.left()?.amount;
        if amount <= Cents::ZERO || amount > left {
            let message = match left {
                Cents::ZERO => FULLY_REFUNDED.to_owned(),
                _ => format!("Enter an amount up to {left}."),
            };
            return Err(Error::invalid_field("amount", message));
        }
        self.parts_of(amount, &Parts::default())
    }
}

fn taxes_of(order: &StoredOrder) -> Vec<TaxBreakdown> {
    complete_breakdown(order.tax, order.tax_breakdown.clone())
}

/// A breakdown that adds up to the tax. A provider may leave it out; then the tax counts as one of unknown type.
pub fn complete_breakdown(tax: Cents, breakdown: Vec<TaxBreakdown>) -> Vec<TaxBreakdown> {
    if breakdown.iter().map(|entry| entry.amount).sum::<i64>() == tax.cents() {
        return breakdown;
    }
    let tax_rate_details =
        TaxRateDetails { percentage_decimal: String::new(), country: None, state: None, tax_type: None };
    vec![TaxBreakdown { amount: tax.cents(), tax_rate_details }]
}

/// The units of these lines, with their products' names; none for all items of the order.
pub fn units_of(order: &StoredOrder, lines: &[RefundLine]) -> Vec<Units> {
    let quantity_of = |id: &str| lines.iter().find(|line| line.product_id == id).map(|line| line.quantity);
    if order.items.iter().all(|item| quantity_of(&item.product_id) == Some(item.quantity)) {
        return Vec::new();
    }
    let units = order.items.iter().filter_map(|item| {
        let quantity = quantity_of(&item.product_id)?;
        Some(Units { product_name: item.product_name.clone(), quantity })
    });
    units.collect()
}
