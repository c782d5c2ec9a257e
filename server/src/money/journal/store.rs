//! Orders and balance transactions of a period, for the journal.

use sqlx::any::AnyRow;
use sqlx::{AnyPool, Row as _};
use wasm_core::money::{Cents, Overflow};
use wasm_core::pricing::shares;

use super::accounts::{SALES, SALES_TAX, SHIPPING};
use crate::error::Error;
use crate::money::payouts::store::{Transaction, transaction_of};

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
    /// State or province of the tax, such as `US-CA`.
    pub tax_region: String,
    pub shipping: Cents,
    pub tax: Cents,
    pub total: Cents,
}

impl OrderParts {
    pub fn sales(&self) -> Result<Cents, Overflow> {
        self.total.checked_sub(self.shipping)?.checked_sub(self.tax)
    }

    pub fn tax_account(&self) -> String {
        format!("{SALES_TAX}:{}", self.tax_region)
    }
}

/// A refund of an order, or the return of a failed one.
pub struct RefundParts {
    pub order: OrderParts,
    /// Sales, shipping and tax that the shop recorded, if it has this refund.
    pub recorded: Option<[Cents; 3]>,
    /// Refunds of the order before this one.
    pub refunded_before: Cents,
}

impl RefundParts {
    /// Splits the refunded amount, which is negative for a failed refund, into accounts. Without a record it is split in
    /// the proportion of the order's parts, so that all refunds of the order add up to them.
    pub fn split(&self, amount: Cents) -> Result<[(String, Cents); 3], Overflow> {
        let [sales, shipping, tax] = match self.recorded {
            Some(parts) if amount >= Cents::ZERO => parts,
            Some([sales, shipping, tax]) => {
                [Cents::ZERO.checked_sub(sales)?, Cents::ZERO.checked_sub(shipping)?, Cents::ZERO.checked_sub(tax)?]
            }
            None => self.in_proportion(amount)?,
        };
        Ok([(SALES.to_owned(), sales), (SHIPPING.to_owned(), shipping), (self.order.tax_account(), tax)])
    }

    /// The part of the refunds up to this one, less the part of those before it.
    fn in_proportion(&self, amount: Cents) -> Result<[Cents; 3], Overflow> {
        let (before, after) = (self.refunded_before, self.refunded_before.checked_add(amount)?);
        let weights = [self.order.sales()?, self.order.shipping, self.order.tax].map(Cents::cents);
        let (before, after) = (shares(before.cents(), &weights), shares(after.cents(), &weights));
        let mut parts = after
            .into_iter()
            .zip(before)
            .map(|(after, before)| Cents::from_cents(after).checked_sub(Cents::from_cents(before)));
        let mut next = || parts.next().unwrap_or(Ok(Cents::ZERO));
        Ok([next()?, next()?, next()?])
    }
}

pub async fn list_orders(pool: &AnyPool, from: i64, before: i64) -> Result<Vec<SoldOrder>, Error> {
    let rows = sqlx::query(
        "SELECT o.number, o.created_at, o.tax_region, o.shipping, o.tax, o.total, \
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
) -> Result<Vec<(Transaction, Option<RefundParts>)>, Error> {
    let rows = sqlx::query(
        "SELECT t.*, o.id AS order_id, o.number AS order_number, o.tax_region, o.shipping, o.tax, o.total, \
         r.subtotal AS refund_sales, r.shipping AS refund_shipping, r.tax AS refund_tax, \
         (SELECT CAST(COALESCE(-SUM(r.amount), 0) AS BIGINT) FROM balance_transactions r \
             WHERE r.payment_intent_id = t.payment_intent_id AND r.category = 'refund' \
             AND (r.created_at < t.created_at OR (r.created_at = t.created_at AND r.id < t.id))) AS refunded_before \
         FROM balance_transactions t LEFT JOIN orders o ON o.payment_intent_id = t.payment_intent_id \
         LEFT JOIN refunds r ON r.provider_id = t.source AND r.amount = ABS(t.amount) \
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
            let parts = transaction.order_id.is_some().then(|| refund_of(row)).transpose()?;
            Ok((transaction, parts))
        })
        .collect()
}

fn refund_of(row: &AnyRow) -> Result<RefundParts, Error> {
    let part = |column| Ok::<_, Error>(row.try_get::<Option<i64>, _>(column)?.map(Cents::from_cents));
    let parts = (part("refund_sales")?, part("refund_shipping")?, part("refund_tax")?);
    let recorded = match parts {
        (Some(sales), Some(shipping), Some(tax)) => Some([sales, shipping, tax]),
        _ => None,
    };
    let refunded_before = Cents::from_cents(row.try_get("refunded_before")?);
    Ok(RefundParts { order: parts_of(row)?, recorded, refunded_before })
}

fn parts_of(row: &AnyRow) -> Result<OrderParts, Error> {
    let cents = |column| Ok::<Cents, Error>(Cents::from_cents(row.try_get(column)?));
    Ok(OrderParts {
        tax_region: row.try_get("tax_region")?,
        shipping: cents("shipping")?,
        tax: cents("tax")?,
        total: cents("total")?,
    })
}
