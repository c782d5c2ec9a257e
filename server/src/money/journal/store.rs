//! Orders and balance transactions of a period, for the journal.

use std::collections::BTreeMap;
use std::ops::Range;

use sqlx::any::AnyRow;
use sqlx::{AnyPool, Row as _};
use wasm_core::money::{Cents, Overflow};
use wasm_core::pricing::{TaxBreakdown, shares};

use super::accounts::{SALES, SALES_TAX, SHIPPING};
use crate::checkout::refunds::balance::complete_breakdown;
use crate::db::json::from_json;
use crate::error::Error;
use crate::infra::clock::DAY;
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
    pub taxes: Taxes,
    pub total: Cents,
}

/// Amounts by the kind of the tax, which sum up to the whole tax. An unknown kind is empty.
pub type Taxes = BTreeMap<String, Cents>;

fn taxes_of(tax: Cents, breakdown: Vec<TaxBreakdown>) -> Result<Taxes, Overflow> {
    let mut taxes = Taxes::new();
    for tax in complete_breakdown(tax, breakdown) {
        let amount = taxes.entry(tax.tax_rate_details.tax_type.unwrap_or_default()).or_default();
        *amount = amount.checked_add(Cents::from_cents(tax.amount))?;
    }
    Ok(taxes)
}

impl OrderParts {
    pub fn sales(&self) -> Result<Cents, Overflow> {
        let tax = self.taxes.values().try_fold(Cents::ZERO, |sum, tax| sum.checked_add(*tax))?;
        self.total.checked_sub(self.shipping)?.checked_sub(tax)
    }

    /// The account of a kind of tax, below the one of its state or province. A sales tax is the only one of its state.
    pub fn tax_account(&self, kind: &str) -> String {
        let account = format!("{SALES_TAX}:{}", self.tax_region);
        match kind {
            "" | "sales_tax" => account,
            kind => format!("{account}:{}", kind.to_uppercase().replace('_', " ")),
        }
    }
}

/// Sales, shipping and taxes that the shop recorded for a refund.
pub struct RecordedParts {
    pub sales: Cents,
    pub shipping: Cents,
    pub taxes: Taxes,
}

/// A refund of an order, or the return of a failed one.
pub struct RefundParts {
    pub order: OrderParts,
    /// If the shop has this refund.
    pub recorded: Option<RecordedParts>,
    /// Refunds of the order before this one.
    pub refunded_before: Cents,
}

impl RefundParts {
    /// Splits the refunded amount, which is negative for a failed refund, into accounts. Without a record it is split in
    /// the proportion of the order's parts, so that all refunds of the order add up to them.
    pub fn split(&self, amount: Cents) -> Result<Vec<(String, Cents)>, Overflow> {
        let Some(recorded) = &self.recorded else { return self.in_proportion(amount) };
        let parts = self.accounts(recorded.sales, recorded.shipping, &recorded.taxes);
        if amount >= Cents::ZERO {
            return Ok(parts);
        }
        parts.into_iter().map(|(account, part)| Ok((account, Cents::ZERO.checked_sub(part)?))).collect()
    }

    fn accounts(&self, sales: Cents, shipping: Cents, taxes: &Taxes) -> Vec<(String, Cents)> {
        let taxes = taxes.iter().map(|(kind, tax)| (self.order.tax_account(kind), *tax));
        [(SALES.to_owned(), sales), (SHIPPING.to_owned(), shipping)].into_iter().chain(taxes).collect()
    }

    /// The part of the refunds up to this one, less the part of those before it.
    fn in_proportion(&self, amount: Cents) -> Result<Vec<(String, Cents)>, Overflow> {
        let (before, after) = (self.refunded_before, self.refunded_before.checked_add(amount)?);
        let whole = self.accounts(self.order.sales()?, self.order.shipping, &self.order.taxes);
        let weights: Vec<i64> = whole.iter().map(|(_, part)| part.cents()).collect();
        let (before, after) = (shares(before.cents(), &weights), shares(after.cents(), &weights));
        let part = |((account, _), (after, before)): ((String, Cents), (i64, i64))| {
            Ok((account, Cents::from_cents(after).checked_sub(Cents::from_cents(before))?))
        };
        whole.into_iter().zip(after.into_iter().zip(before)).map(part).collect()
    }
}

pub async fn list_orders(pool: &AnyPool, from: i64, before: i64) -> Result<Vec<SoldOrder>, Error> {
    let rows = sqlx::query(
        "SELECT o.number, o.created_at, o.tax_region, o.shipping, o.tax, o.tax_breakdown, o.total, \
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

/// All transactions of a day, each with the order of its payment, except the payments of orders, which are part of their
/// orders' entries. A payout belongs to the day of its arrival at the bank, which has no time zone.
pub async fn list_transactions(
    pool: &AnyPool,
    day: i64,
    time: Range<i64>,
) -> Result<Vec<(Transaction, Option<RefundParts>)>, Error> {
    // The day's transactions come first: a condition on both times would read all of them.
    let rows = sqlx::query(
        "WITH listed AS MATERIALIZED (SELECT b.id FROM balance_transactions b WHERE b.created_at >= $1 AND b.created_at < $2 \
             AND (b.category <> 'payout' OR NOT EXISTS (SELECT 1 FROM payouts p WHERE p.id = b.source)) \
             UNION ALL SELECT b.id FROM payouts p JOIN balance_transactions b ON b.category = 'payout' AND b.source = p.id \
             WHERE p.arrival_at >= $3 AND p.arrival_at < $4) \
         SELECT t.*, o.id AS order_id, o.number AS order_number, o.tax_region, o.shipping, o.tax, o.tax_breakdown, \
         o.total, r.subtotal AS refund_sales, r.shipping AS refund_shipping, r.tax AS refund_tax, \
         r.tax_breakdown AS refund_taxes, p.arrival_at, \
         (SELECT CAST(COALESCE(-SUM(r.amount), 0) AS BIGINT) FROM balance_transactions r \
             WHERE r.payment_intent_id = t.payment_intent_id AND r.category = 'refund' \
             AND (r.created_at < t.created_at OR (r.created_at = t.created_at AND r.id < t.id))) AS refunded_before \
         FROM listed JOIN balance_transactions t ON t.id = listed.id LEFT JOIN orders o ON o.payment_intent_id = t.payment_intent_id \
         LEFT JOIN refunds r ON r.provider_id = t.source AND r.amount = ABS(t.amount) \
         LEFT JOIN payouts p ON p.id = t.source AND t.category = 'payout' \
         WHERE t.category <> 'payment' OR o.id IS NULL \
         ORDER BY t.created_at, t.id",
    )
    .bind(time.start)
    .bind(time.end)
    .bind(day * DAY)
    .bind((day + 1) * DAY)
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
    let recorded = match (part("refund_sales")?, part("refund_shipping")?, part("refund_tax")?) {
        (Some(sales), Some(shipping), Some(tax)) => {
            let taxes = taxes_of(tax, from_json(row.try_get("refund_taxes")?)?)?;
            Some(RecordedParts { sales, shipping, taxes })
        }
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
        taxes: taxes_of(cents("tax")?, from_json(row.try_get("tax_breakdown")?)?)?,
        total: cents("total")?,
    })
}
