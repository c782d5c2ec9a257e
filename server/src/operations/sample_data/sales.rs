//! Sample orders in chronological order.

use std::collections::BTreeMap;

use wasm_core::money::Cents;
use wasm_core::orders::{DisputeStatus, OrderStatus, Payment};
use wasm_core::pricing::{PricedLine, Quote, ShippingRates, TaxBreakdown, quote, table_tax};
use wasm_core::validation::Address;
use wasm_core::weight::Weight;

use super::people::{self, Customer};
use super::products::SampleProduct;
use super::sample::Sampler;
use crate::error::Error;
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
}

pub struct Line<'a> {
    pub product: &'a SampleProduct,
    pub quantity: i64,
}

pub struct Sales<'a> {
    sampler: Sampler,
    products: &'a [SampleProduct],
    customers: &'a [Customer],
    begin: i64,
    length: i64,
    many: i64,
    made: i64,
    /// Units per product, less returns.
    sold: BTreeMap<&'a str, i64>,
}

impl<'a> Sales<'a> {
    /// `many` orders, spread from `begin` to `end`.
    pub fn new(
        sampler: Sampler,
        products: &'a [SampleProduct],
        customers: &'a [Customer],
        (begin, end): (i64, i64),
        many: i64,
    ) -> Self {
        Self { sampler, products, customers, begin, length: end - begin, many, made: 0, sold: BTreeMap::new() }
    }

    pub fn sold(&self) -> &BTreeMap<&'a str, i64> {
        &self.sold
    }

    pub fn next(&mut self, number: i64) -> Result<Sale<'a>, Error> {
        let at = self.instant();
        let customer = self.sampler.pick(self.customers).ok_or_else(|| Error::internal("no customers"))?;
        // One in twelve is a gift to another address.
        let address =
            if self.sampler.one_in(12) { people::address(&mut self.sampler) } else { customer.address.clone() };
        let lines = self.lines();
        let (quote, taxes) = priced(&lines, &address)?;
        let age = self.begin + self.length - at;
        let status = self.status(age);
        let dispute = if self.sampler.one_in(20_000) { DisputeStatus::Open } else { DisputeStatus::None };
        let payment = Payment::of(quote.total, self.refunded(status, quote.total), dispute);
        for line in lines.iter().filter(|_| status != OrderStatus::Refunded) {
            *self.sold.entry(line.product.id.as_str()).or_default() += line.quantity;
        }
        let is_sent = status.has_shipped();
        Ok(Sale {
            id: self.sampler.id(at),
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
        })
    }

    /// Not before the previous order, and before the end.
    fn instant(&mut self) -> i64 {
        let gap = (self.length / self.many).max(1);
        let at = self.begin
            + self.length / self.many * self.made
            + self.length % self.many * self.made / self.many
            + self.sampler.below(gap);
        self.made += 1;
        at
    }

    fn lines(&mut self) -> Vec<Line<'a>> {
        let many = if self.sampler.one_in(3) { 1 + self.sampler.below(3) } else { 1 };
        let mut lines = BTreeMap::new();
        for _ in 0..many {
            // The smaller of two: some products sell much better than others.
            let last = i64::try_from(self.products.len()).unwrap_or(i64::MAX);
            let index = self.sampler.below(last).min(self.sampler.below(last));
            if let Some(product) = usize::try_from(index).ok().and_then(|index| self.products.get(index)) {
                let quantity = if self.sampler.one_in(4) { 2 + self.sampler.below(2) } else { 1 };
                lines.insert(product.id.as_str(), Line { product, quantity });
            }
        }
        lines.into_values().collect()
    }

    fn status(&mut self, age: i64) -> OrderStatus {
        match age / DAY {
            0 | 1 => OrderStatus::Pending,
            _ if self.sampler.one_in(50) => OrderStatus::Refunded,
            2 | 3 => OrderStatus::Processing,
            4..=9 => OrderStatus::Shipped,
            _ => OrderStatus::Delivered,
        }
    }

    fn refunded(&mut self, status: OrderStatus, total: Cents) -> Cents {
        match status {
            OrderStatus::Refunded => total,
            _ if self.sampler.one_in(200) => Cents::from_cents(total.cents() / 4),
            _ => Cents::ZERO,
        }
    }
}

fn priced(lines: &[Line<'_>], address: &Address) -> Result<(Quote, Vec<TaxBreakdown>), Error> {
    let priced: Vec<PricedLine> = lines
        .iter()
        .map(|line| PricedLine {
            price: Cents::from_cents(line.product.price),
            weight: Weight::from_hundredths(line.product.weight),
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
