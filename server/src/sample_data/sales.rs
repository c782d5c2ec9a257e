//! One order after the other, as they would have been made.

use std::collections::BTreeMap;

use wasm_core::money::Cents;
use wasm_core::orders::{DisputeStatus, OrderStatus, Payment};
use wasm_core::pricing::{PricedLine, Quote, ShippingRates, TaxBreakdown, quote, table_tax};
use wasm_core::validation::Address;
use wasm_core::weight::Weight;

use super::people::{self, Customer};
use super::products::Good;
use super::sample::Draw;
use crate::http::error::Error;
use crate::infra::clock::DAY;

pub struct Sale<'a> {
    pub id: String,
    pub number: i64,
    pub at: i64,
    pub customer: &'a Customer,
    pub address: Address,
    pub lines: Vec<Line<'a>>,
    pub quote: Quote,
    pub taxes: Vec<TaxBreakdown>,
    pub status: OrderStatus,
    pub payment: Payment,
    pub tracking_number: Option<String>,
    pub attention: Option<&'static str>,
}

pub struct Line<'a> {
    pub good: &'a Good,
    pub quantity: i64,
}

pub struct Sales<'a> {
    draw: Draw,
    goods: &'a [Good],
    customers: &'a [Customer],
    begin: i64,
    length: i64,
    many: i64,
    made: i64,
    /// By product, less what came back.
    sold: BTreeMap<&'a str, i64>,
}

impl<'a> Sales<'a> {
    /// `many` of them, spread over the time from `begin` to `end`.
    pub fn new(draw: Draw, goods: &'a [Good], customers: &'a [Customer], (begin, end): (i64, i64), many: i64) -> Self {
        Self { draw, goods, customers, begin, length: end - begin, many, made: 0, sold: BTreeMap::new() }
    }

    pub fn sold(&self) -> &BTreeMap<&'a str, i64> {
        &self.sold
    }

    pub fn next(&mut self, number: i64) -> Result<Sale<'a>, Error> {
        let at = self.instant();
        let customer = self.draw.pick(self.customers).ok_or_else(|| Error::internal("no customers"))?;
        // One in twelve is a gift.
        let address = if self.draw.one_in(12) { people::address(&mut self.draw) } else { customer.address.clone() };
        let lines = self.lines();
        let (quote, taxes) = priced(&lines, &address)?;
        let age = self.begin + self.length - at;
        let status = self.status(age);
        let attention = self.draw.one_in(20_000).then_some("The customer disputes the payment.");
        let dispute = if attention.is_some() { DisputeStatus::Open } else { DisputeStatus::None };
        let payment = Payment::of(quote.total, self.refunded(status, quote.total), dispute);
        for line in lines.iter().filter(|_| status != OrderStatus::Refunded) {
            *self.sold.entry(line.good.id.as_str()).or_default() += line.quantity;
        }
        let is_sent = matches!(status, OrderStatus::Shipped | OrderStatus::Delivered);
        Ok(Sale {
            id: self.draw.id(at),
            number,
            at,
            customer,
            address,
            lines,
            quote,
            taxes,
            status,
            payment,
            tracking_number: is_sent.then(|| format!("1Z999AA1{:010}", number % 10_000_000_000)),
            attention,
        })
    }

    /// Never before the one that came last, and never at or after the end.
    fn instant(&mut self) -> i64 {
        let gap = (self.length / self.many).max(1);
        let at = self.begin
            + self.length / self.many * self.made
            + self.length % self.many * self.made / self.many
            + self.draw.below(gap);
        self.made += 1;
        at
    }

    fn lines(&mut self) -> Vec<Line<'a>> {
        let many = if self.draw.one_in(3) { 1 + self.draw.below(3) } else { 1 };
        let mut lines = BTreeMap::new();
        for _ in 0..many {
            // The smaller of two: some products sell much better than others.
            let last = i64::try_from(self.goods.len()).unwrap_or(i64::MAX);
            let index = self.draw.below(last).min(self.draw.below(last));
            if let Some(good) = usize::try_from(index).ok().and_then(|index| self.goods.get(index)) {
                let quantity = if self.draw.one_in(4) { 2 + self.draw.below(2) } else { 1 };
                lines.insert(good.id.as_str(), Line { good, quantity });
            }
        }
        lines.into_values().collect()
    }

    fn status(&mut self, age: i64) -> OrderStatus {
        match age / DAY {
            0 | 1 => OrderStatus::Pending,
            _ if self.draw.one_in(50) => OrderStatus::Refunded,
            2 | 3 => OrderStatus::Processing,
            4..=9 => OrderStatus::Shipped,
            _ => OrderStatus::Delivered,
        }
    }

    fn refunded(&mut self, status: OrderStatus, total: Cents) -> Cents {
        match status {
            OrderStatus::Refunded => total,
            _ if self.draw.one_in(200) => Cents::from_cents(total.cents() / 4),
            _ => Cents::ZERO,
        }
    }
}

fn priced(lines: &[Line<'_>], address: &Address) -> Result<(Quote, Vec<TaxBreakdown>), Error> {
    let priced: Vec<PricedLine> = lines
        .iter()
        .map(|line| PricedLine {
            price: Cents::from_cents(line.good.price),
            weight: Weight::from_hundredths(line.good.weight),
            quantity: line.quantity,
        })
        .collect();
    let country = address.address.destination().ok_or_else(|| Error::internal("a place in no country"))?;
    let rates = ShippingRates::default();
    let untaxed = quote(&priced, country, &rates, Cents::ZERO)?;
    let taxes = table_tax(country, &address.address.state, untaxed.subtotal, untaxed.shipping)?;
    let tax = Cents::from_cents(taxes.iter().map(|tax| tax.amount).sum());
    Ok((quote(&priced, country, &rates, tax)?, taxes))
}
