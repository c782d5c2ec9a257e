//! Orders and balance transactions of a period, for the journal.

use sqlx::any::AnyRow;
use sqlx::{AnyPool, Row as _};
use wasm_core::money::{Cents, Overflow};
use wasm_core::validation::Address;

use super::{SALES, SALES_TAX, SHIPPING};
use crate::http::error::Error;
use crate::payouts::store::{Transaction, transaction_of};

/// An order with its payment at the provider.
pub struct SoldOrder {
    pub number: i64,
    pub created_at: i64,
    pub parts: OrderParts,
    /// None until the provider lists the payment.
    pub charged: Option<Cents>,
    pub fee: Cents,
}

/// What an order's total consists of.
pub struct OrderParts {
    pub state: String,
    pub shipping: Cents,
    pub tax: Cents,
    pub total: Cents,
    /// Refunds of the order before a refund.
    pub refunded_before: Cents,
}

impl OrderParts {
    pub fn sales(&self) -> Result<Cents, Overflow> {
        self.total.checked_sub(self.shipping)?.checked_sub(self.tax)
    }

    pub fn tax_account(&self) -> String {
        format!("{SALES_TAX}:{}", self.state)
    }

    /// Splits a refund in the proportion of the order's parts. The parts of all refunds of the order add up to the
    /// order's own.
    pub fn split(&self, amount: Cents) -> Result<[(String, Cents); 3], Overflow> {
        let after = self.refunded_before.checked_add(amount)?;
        let share = |part| share(after, part, self.total).checked_sub(share(self.refunded_before, part, self.total));
        let (shipping, tax) = (share(self.shipping)?, share(self.tax)?);
        let sales = amount.checked_sub(shipping)?.checked_sub(tax)?;
        Ok([(SALES.to_owned(), sales), (SHIPPING.to_owned(), shipping), (self.tax_account(), tax)])
    }
}

/// `part` × `amount` ÷ `total`, rounded down.
fn share(amount: Cents, part: Cents, total: Cents) -> Cents {
    let product = i128::from(amount.cents()) * i128::from(part.cents());
    let share = product.checked_div_euclid(i128::from(total.cents())).unwrap_or_default();
    Cents::from_cents(i64::try_from(share).unwrap_or_default())
}

pub async fn list_orders(pool: &AnyPool, from: i64, before: i64) -> Result<Vec<SoldOrder>, Error> {
    let rows = sqlx::query(
        "SELECT o.number, o.created_at, o.address, o.shipping, o.tax, o.total, CAST(0 AS BIGINT) AS refunded_before, \
         (SELECT CAST(SUM(t.amount) AS BIGINT) FROM balance_transactions t \
             WHERE t.payment_intent_id = o.payment_intent_id AND t.category = 'payment') AS charged, \
         (SELECT CAST(COALESCE(SUM(t.fee), 0) AS BIGINT) FROM balance_transactions t \
             WHERE t.payment_intent_id = o.payment_intent_id AND t.category = 'payment') AS fee \
         FROM orders o WHERE o.created_at >= $1 AND o.created_at < $2 ORDER BY o.created_at, o.id",
    )
    .bind(from)
    .bind(before)
    .fetch_all(pool)
    .await?;
    rows.iter().map(order_of).collect()
}

fn order_of(row: &AnyRow) -> Result<SoldOrder, Error> {
    Ok(SoldOrder {
        number: row.try_get("number")?,
        created_at: row.try_get("created_at")?,
        parts: parts_of(row)?,
        charged: row.try_get::<Option<i64>, _>("charged")?.map(Cents::from_cents),
        fee: Cents::from_cents(row.try_get("fee")?),
    })
}

/// All transactions except the payments of orders, which are part of their orders' entries, each with the order of its
/// payment.
pub async fn list_transactions(
    pool: &AnyPool,
    from: i64,
    before: i64,
) -> Result<Vec<(Transaction, Option<OrderParts>)>, Error> {
    let rows = sqlx::query(
        "SELECT t.*, o.id AS order_id, o.number AS order_number, o.address, o.shipping, o.tax, o.total, \
         (SELECT CAST(COALESCE(-SUM(r.amount), 0) AS BIGINT) FROM balance_transactions r \
             WHERE r.payment_intent_id = t.payment_intent_id AND r.category = 'refund' \
             AND (r.created_at < t.created_at OR (r.created_at = t.created_at AND r.id < t.id))) AS refunded_before \
         FROM balance_transactions t LEFT JOIN orders o ON o.payment_intent_id = t.payment_intent_id \
         WHERE t.created_at >= $1 AND t.created_at < $2 AND (t.category <> 'payment' OR o.id IS NULL) \
         ORDER BY t.created_at, t.id",
    )
    .bind(from)
    .bind(before)
    .fetch_all(pool)
    .await?;
    rows.iter()
        .map(|row| {
            let transaction = transaction_of(row)?;
            let parts = transaction.order_id.is_some().then(|| parts_of(row)).transpose()?;
            Ok((transaction, parts))
        })
        .collect()
}

fn parts_of(row: &AnyRow) -> Result<OrderParts, Error> {
    let cents = |column| Ok::<Cents, Error>(Cents::from_cents(row.try_get(column)?));
    let address: String = row.try_get("address")?;
    let address: Address = serde_json::from_str(&address).map_err(Error::internal)?;
    Ok(OrderParts {
        state: address.address.state,
        shipping: cents("shipping")?,
        tax: cents("tax")?,
        total: cents("total")?,
        refunded_before: cents("refunded_before")?,
    })
}
