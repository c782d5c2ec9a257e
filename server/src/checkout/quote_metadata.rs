//! The quote of a checkout in the metadata of its payment intent: enough to make a checkout again that the database lost.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wasm_core::money::{Cents, Overflow};
use wasm_core::orders::OrderItem;
use wasm_core::pricing::TaxCalculation;

use super::store::StoredCheckout;
use crate::db::json::to_json;
use crate::error::Error;

pub const SHOP_ID: &str = "shop_id";
pub const CHECKOUT_ID: &str = "checkout_id";
pub const USER_ID: &str = "user_id";
const EMAIL: &str = "customer_email";
/// Followed by a number from 1: the parts of the JSON.
const QUOTE: &str = "quote_";
/// Stripe's limit, in characters.
const MAX_VALUE: usize = 500;
/// Stripe's limit is 50 keys.
const MAX_PARTS: usize = 40;

/// The quoted amounts. Compact, since metadata is short.
#[derive(Debug, Serialize, Deserialize)]
pub struct Quote {
    /// Product, quantity, and price in cents.
    lines: Vec<(String, i64, i64)>,
    /// In cents.
    shipping: i64,
    tax: TaxCalculation,
}

/// A checkout as the metadata of its payment has it.
#[derive(Debug)]
pub struct QuotedCheckout {
    pub id: String,
    pub user_id: String,
    pub user_email: String,
    pub lines: Vec<QuotedLine>,
    pub subtotal: Cents,
    pub shipping: Cents,
    pub tax: TaxCalculation,
    pub total: Cents,
}

#[derive(Clone, Debug)]
pub struct QuotedLine {
    pub product_id: String,
    pub quantity: i64,
    pub price: Cents,
}

/// The metadata of a payment, besides the ids of checkout and account.
pub fn write(
    shop_id: &str,
    checkout: &StoredCheckout,
    items: &[OrderItem],
    tax: &TaxCalculation,
) -> Result<BTreeMap<String, String>, Error> {
    let lines = items.iter().map(|item| (item.product_id.clone(), item.quantity, item.price.cents())).collect();
    let json = to_json(&Quote { lines, shipping: checkout.shipping.cents(), tax: tax.clone() })?;
    let characters: Vec<char> = json.chars().collect();
    let parts = characters.chunks(MAX_VALUE).map(|part| part.iter().collect::<String>()).take(MAX_PARTS);
    let mut metadata: BTreeMap<String, String> =
        (1..).zip(parts).map(|(number, part)| (format!("{QUOTE}{number}"), part)).collect();
    metadata.insert(SHOP_ID.to_owned(), shop_id.to_owned());
    metadata.insert(EMAIL.to_owned(), checkout.user_email.clone());
    Ok(metadata)
}

/// None if the metadata is not complete.
pub fn read(metadata: &BTreeMap<String, String>) -> Option<QuotedCheckout> {
    let json: String = (1..=MAX_PARTS).map_while(|number| metadata.get(&format!("{QUOTE}{number}"))).cloned().collect();
    let quote: Quote = serde_json::from_str(&json).ok()?;
    let lines: Vec<QuotedLine> = quote
        .lines
        .into_iter()
        .map(|(product_id, quantity, price)| QuotedLine { product_id, quantity, price: Cents::from_cents(price) })
        .collect();
    let (shipping, tax) = (Cents::from_cents(quote.shipping), quote.tax);
    let (subtotal, total) = sums(&lines, shipping, &tax).ok()?;
    let text = |name: &str| metadata.get(name).cloned();
    let (id, user_id, user_email) = (text(CHECKOUT_ID)?, text(USER_ID)?, text(EMAIL)?);
    let is_complete = !lines.is_empty() && lines.iter().all(|line| line.quantity > 0 && line.price > Cents::ZERO);
    is_complete.then_some(QuotedCheckout { id, user_id, user_email, lines, subtotal, shipping, tax, total })
}

fn sums(lines: &[QuotedLine], shipping: Cents, tax: &TaxCalculation) -> Result<(Cents, Cents), Overflow> {
    let subtotal = lines
        .iter()
        .try_fold(Cents::ZERO, |sum, line| line.price.times(line.quantity).and_then(|price| sum.checked_add(price)))?;
    Ok((subtotal, subtotal.checked_add(shipping)?.checked_add(tax.total())?))
}

#[cfg(test)]
mod tests {
    use wasm_core::validation::Address;

    use super::*;

    fn tax() -> TaxCalculation {
        TaxCalculation { id: "taxcalc_1".to_owned(), tax_amount_exclusive: 362, tax_breakdown: Vec::new() }
    }

    fn written(count: usize) -> BTreeMap<String, String> {
        let item = |number: usize| OrderItem {
            product_id: format!("0193a1b2-6c3d-7e4f-8a5b-{number:012}"),
            product_name: "Nudgelight One".to_owned(),
            quantity: 99,
            price: Cents::from_cents(9_999_999),
            warranty_months: None,
        };
        let items: Vec<OrderItem> = (0..count).map(item).collect();
        let checkout = StoredCheckout {
            shipping: Cents::from_cents(620),
            ..StoredCheckout::begin("u1".to_owned(), "ada@example.com".to_owned(), Address::default(), 0, 0)
        };
        let mut metadata = write("s1", &checkout, &items, &tax()).unwrap();
        metadata.insert(CHECKOUT_ID.to_owned(), checkout.id);
        metadata.insert(USER_ID.to_owned(), checkout.user_id);
        metadata
    }

    #[test]
    fn the_largest_order_fits_and_is_read_as_it_was_written() {
        let metadata = written(50);
        assert!(metadata.len() <= 50 && metadata.values().all(|value| value.len() <= 500), "{}", metadata.len());
        let quoted = read(&metadata).unwrap();
        assert_eq!((quoted.lines.len(), quoted.lines[49].quantity), (50, 99));
        assert_eq!((quoted.shipping, quoted.tax), (Cents::from_cents(620), tax()));
        assert_eq!(quoted.total, Cents::from_cents(50 * 99 * 9_999_999 + 620 + 362));
        assert_eq!(quoted.user_email, "ada@example.com");
    }

    #[test]
    fn incomplete_metadata_is_no_quote() {
        assert!(read(&written(0)).is_none(), "no lines");
        for name in ["quote_1", "quote_2", CHECKOUT_ID, USER_ID, EMAIL] {
            let mut metadata = written(30);
            metadata.remove(name);
            assert!(read(&metadata).is_none(), "{name}");
        }
    }
}
