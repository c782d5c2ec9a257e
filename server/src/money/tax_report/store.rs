//! Taxes of orders and refunds.

use futures_util::TryStreamExt as _;
use sqlx::{AnyConnection, Row as _};
use wasm_core::money::Cents;
use wasm_core::pricing::TaxBreakdown;

use crate::db::json::from_json;
use crate::error::Error;

/// What was collected or refunded, or not refunded after all.
#[derive(Clone, Copy)]
pub enum Source {
    Orders,
    Refunds,
    /// Refunds by the time when the customer's bank returned them.
    FailedRefunds,
}

impl Source {
    fn sql(self) -> &'static str {
        match self {
            Self::Orders => {
                "SELECT tax_region, subtotal + shipping AS sales, tax, tax_breakdown FROM orders \
                 WHERE created_at >= $1 AND created_at < $2"
            }
            Self::Refunds => {
                "SELECT o.tax_region, r.subtotal + r.shipping AS sales, r.tax, r.tax_breakdown FROM refunds r \
                 JOIN orders o ON o.id = r.order_id \
                 WHERE r.state IN ('done', 'failed') AND r.created_at >= $1 AND r.created_at < $2"
            }
            Self::FailedRefunds => {
                "SELECT o.tax_region, r.subtotal + r.shipping AS sales, r.tax, r.tax_breakdown FROM refunds r \
                 JOIN orders o ON o.id = r.order_id \
                 WHERE r.state = 'failed' AND r.failed_at >= $1 AND r.failed_at < $2"
            }
        }
    }
}

/// The taxes of an order or a refund.
pub struct Taxed {
    /// ISO 3166-2 code.
    pub region: String,
    /// Items and shipping, without tax.
    pub sales: Cents,
    pub tax: Cents,
    pub breakdown: Vec<TaxBreakdown>,
}

/// Reads the orders or refunds of a period, one after the other.
pub async fn for_each(
    tx: &mut AnyConnection,
    source: Source,
    (from, before): (i64, i64),
    mut add: impl FnMut(Taxed) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut rows = sqlx::query(source.sql()).bind(from).bind(before).fetch(tx);
    while let Some(row) = rows.try_next().await? {
        add(Taxed {
            region: row.try_get("tax_region")?,
            sales: Cents::from_cents(row.try_get("sales")?),
            tax: Cents::from_cents(row.try_get("tax")?),
            breakdown: from_json(row.try_get("tax_breakdown")?)?,
        })?;
    }
    Ok(())
}
