//! Inserts an order with its number, its lines and its words. It touches no row that another order touches.

use std::ops::RangeInclusive;

use sqlx::AnyConnection;
use wasm_core::money::Cents;
use wasm_core::orders::{Card, DisputeStatus, OrderItem, OrderStatus, Payment};
use wasm_core::pricing::TaxCalculation;
use wasm_core::validation::Address;

use crate::db::json::to_json;
use crate::db::rows::is_postgres;
use crate::error::Error;
use crate::infra::random;
use crate::orders::StoredOrder;
use crate::orders::search::{SearchedOrder, store as search};

const FIRST_VERSION: i64 = 1;

/// The values of a paid checkout that become an order.
pub struct NewOrder<'a> {
    pub user_id: &'a str,
    pub user_email: &'a str,
    pub checkout_id: &'a str,
    pub payment_intent_id: &'a str,
    pub address: &'a Address,
    pub billing_address: &'a Address,
    pub items: &'a [OrderItem],
    pub subtotal: Cents,
    pub shipping: Cents,
    pub tax: &'a TaxCalculation,
    pub total: Cents,
    pub card: Option<&'a Card>,
    pub now: i64,
}

/// The next order number. No transaction waits for another's number: SQLite has one writer, and on PostgreSQL a sequence
/// gives the numbers, so that a sale that is rolled back leaves a gap.
async fn next_number(tx: &mut AnyConnection) -> Result<i64, Error> {
    let next = if is_postgres(tx) {
        "SELECT nextval('order_numbers')"
    } else {
        "SELECT COALESCE(MAX(number), 1000) + 1 FROM orders"
    };
    Ok(sqlx::query_scalar(next).fetch_one(tx).await?)
}

/// Lets the next number follow the greatest, after orders were inserted with numbers of their own.
pub async fn continue_numbers(tx: &mut AnyConnection) -> Result<(), Error> {
    if is_postgres(tx) {
        let restart = "SELECT setval('order_numbers', COALESCE(MAX(number), 1000)) FROM orders";
        sqlx::query(restart).execute(tx).await?;
    }
    Ok(())
}

/// Inserts the order with its frozen lines and the next order number.
pub async fn insert_order(tx: &mut AnyConnection, new: NewOrder<'_>) -> Result<StoredOrder, Error> {
    let number = next_number(tx).await?;
    let id = random::new_id();
    sqlx::query(
        "INSERT INTO orders (id, number, user_id, user_email, checkout_id, payment_intent_id, status, \
         name, address, billing_address, subtotal, shipping, tax, total, tax_breakdown, \
         tax_region, tax_calculation_id, payment_status, card_brand, card_last4, created_at, country) \
         VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'paid', $17, $18, \
         $19, $20)",
    )
    .bind(&id)
    .bind(number)
    .bind(new.user_id)
    .bind(new.user_email)
    .bind(new.checkout_id)
    .bind(new.payment_intent_id)
    .bind(&new.address.name)
    .bind(to_json(new.address)?)
    .bind(to_json(new.billing_address)?)
    .bind(new.subtotal.cents())
    .bind(new.shipping.cents())
    .bind(new.tax.tax_amount_exclusive)
    .bind(new.total.cents())
    .bind(to_json(&new.tax.tax_breakdown)?)
    .bind(new.address.address.region_code())
    .bind(&new.tax.id)
    .bind(new.card.map(|card| &card.brand))
    .bind(new.card.map(|card| &card.last4))
    .bind(new.now)
    .bind(&new.address.address.country)
    .execute(&mut *tx)
    .await?;
    insert_lines(tx, number..=number).await?;
    search::insert(tx, searched(&id, &new)).await?;
    Ok(stored(id, number, new))
}

fn searched(id: &str, new: &NewOrder<'_>) -> SearchedOrder {
    SearchedOrder {
        id: id.to_owned(),
        created_at: new.now,
        name: new.address.name.clone(),
        email: new.user_email.to_owned(),
        postal_code: new.address.address.postal_code.clone(),
        tracking_number: None,
    }
}

/// Copies the lines of their checkouts to the orders with these numbers.
pub async fn insert_lines(tx: &mut AnyConnection, numbers: RangeInclusive<i64>) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO order_lines (order_id, position, product_id, product_name, quantity, price, warranty_months) \
         SELECT o.id, l.position, l.product_id, l.product_name, l.quantity, l.price, l.warranty_months FROM orders o \
         JOIN checkout_lines l ON l.checkout_id = o.checkout_id WHERE o.number BETWEEN $1 AND $2 \
         ORDER BY o.number, l.position",
    )
    .bind(*numbers.start())
    .bind(*numbers.end())
    .execute(tx)
    .await?;
    Ok(())
}

/// The same order that reading it from the database would return.
fn stored(id: String, number: i64, new: NewOrder<'_>) -> StoredOrder {
    StoredOrder {
        id,
        number,
        created_at: new.now,
        user_email: new.user_email.to_owned(),
        version: FIRST_VERSION,
        status: OrderStatus::Pending,
        address: new.address.clone(),
        billing_address: new.billing_address.clone(),
        tracking_number: None,
        subtotal: new.subtotal,
        shipping_cost: new.shipping,
        tax: Cents::from_cents(new.tax.tax_amount_exclusive),
        total: new.total,
        tax_breakdown: new.tax.tax_breakdown.clone(),
        items: new.items.to_vec(),
        payment: Payment { card: new.card.cloned(), ..Payment::of(new.total, Cents::ZERO, DisputeStatus::None) },
        hold_reason: None,
    }
}
