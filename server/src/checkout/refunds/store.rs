//! Refunds with their lines.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};
use wasm_core::money::Cents;
use wasm_core::pricing::Parts;

use super::request::RefundLine;
use crate::db::json::{from_json, to_json};
use crate::error::Error;
use crate::orders::store::SHOP_ACTOR;

/// A refund, made or to be made.
#[derive(Clone, Debug)]
pub struct Refund {
    pub id: String,
    pub order_id: String,
    pub parts: Parts,
    pub lines: Vec<RefundLine>,
    pub restock: bool,
    /// Who made it; [`SHOP_ACTOR`] for a refund that was made at the provider.
    pub actor: String,
    /// False while it is pending, when the provider may have made it or not, and after it failed.
    pub is_done: bool,
    pub created_at: i64,
}

impl Refund {
    /// Whether it was made at the provider, not by an administrator of the shop.
    pub fn is_by_provider(&self) -> bool {
        self.actor == SHOP_ACTOR
    }
}

/// Lists the refunds that were made, oldest first.
pub async fn list_done(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<Refund>, Error> {
    let rows = sqlx::query("SELECT * FROM refunds WHERE order_id = $1 AND state = 'done' ORDER BY created_at, id")
        .bind(order_id)
        .fetch_all(&mut *tx)
        .await?;
    let mut refunds = rows.iter().map(refund_of).collect::<Result<Vec<_>, _>>()?;
    for refund in &mut refunds {
        refund.lines = list_lines(tx, &refund.id).await?;
    }
    Ok(refunds)
}

pub async fn find_pending(tx: &mut AnyConnection, order_id: &str) -> Result<Option<Refund>, Error> {
    let id: Option<String> = sqlx::query_scalar("SELECT id FROM refunds WHERE order_id = $1 AND state = 'pending'")
        .bind(order_id)
        .fetch_optional(&mut *tx)
        .await?;
    match id {
        Some(id) => find_refund(tx, &id).await,
        None => Ok(None),
    }
}

pub async fn find_refund(tx: &mut AnyConnection, id: &str) -> Result<Option<Refund>, Error> {
    let row = sqlx::query("SELECT * FROM refunds WHERE id = $1").bind(id).fetch_optional(&mut *tx).await?;
    let Some(row) = row else { return Ok(None) };
    let lines = list_lines(tx, id).await?;
    Ok(Some(Refund { lines, ..refund_of(&row)? }))
}

pub async fn load_refund(tx: &mut AnyConnection, id: &str) -> Result<Refund, Error> {
    find_refund(tx, id).await?.ok_or_else(|| Error::not_found("Refund"))
}

/// Whether a refund with this id of the provider is recorded.
pub async fn has_provider_id(tx: &mut AnyConnection, provider_id: &str) -> Result<bool, Error> {
    let known: Option<String> = sqlx::query_scalar("SELECT id FROM refunds WHERE provider_id = $1")
        .bind(provider_id)
        .fetch_optional(tx)
        .await?;
    Ok(known.is_some())
}

async fn list_lines(tx: &mut AnyConnection, refund_id: &str) -> Result<Vec<RefundLine>, Error> {
    let rows: Vec<(String, i64)> =
        sqlx::query_as("SELECT product_id, quantity FROM refund_lines WHERE refund_id = $1 ORDER BY product_id")
            .bind(refund_id)
            .fetch_all(tx)
            .await?;
    Ok(rows.into_iter().map(|(product_id, quantity)| RefundLine { product_id, quantity }).collect())
}

/// Inserts a refund, or updates it with its final parts and state. A second pending refund of an order is a unique
/// violation. The order must be locked.
pub async fn save(tx: &mut AnyConnection, refund: &Refund, provider_id: Option<&str>) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO refunds (id, order_id, amount, subtotal, shipping, tax, tax_breakdown, restock, actor, state, \
         provider_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
         ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, subtotal = excluded.subtotal, \
         shipping = excluded.shipping, tax = excluded.tax, tax_breakdown = excluded.tax_breakdown, \
         state = excluded.state, provider_id = excluded.provider_id",
    )
    .bind(&refund.id)
    .bind(&refund.order_id)
    .bind(refund.parts.amount.cents())
    .bind(refund.parts.subtotal.cents())
    .bind(refund.parts.shipping.cents())
    .bind(refund.parts.tax.cents())
    .bind(to_json(&refund.parts.tax_breakdown)?)
    .bind(i64::from(refund.restock))
    .bind(&refund.actor)
    .bind(if refund.is_done { "done" } else { "pending" })
    .bind(provider_id)
    .bind(refund.created_at)
    .execute(&mut *tx)
    .await?;
    for line in &refund.lines {
        sqlx::query(
            "INSERT INTO refund_lines (refund_id, product_id, quantity) VALUES ($1, $2, $3) \
             ON CONFLICT (refund_id, product_id) DO NOTHING",
        )
        .bind(&refund.id)
        .bind(&line.product_id)
        .bind(line.quantity)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Marks a pending refund as failed.
pub async fn mark_failed(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE refunds SET state = 'failed' WHERE id = $1 AND state = 'pending'").bind(id).execute(tx).await?;
    Ok(())
}

/// Deletes the lines of a refund whose items were refunded otherwise: it counts as an amount.
pub async fn delete_lines(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("DELETE FROM refund_lines WHERE refund_id = $1").bind(id).execute(tx).await?;
    Ok(())
}

/// Without its lines.
fn refund_of(row: &AnyRow) -> Result<Refund, Error> {
    let cents = |column| Ok::<_, Error>(Cents::from_cents(row.try_get(column)?));
    Ok(Refund {
        id: row.try_get("id")?,
        order_id: row.try_get("order_id")?,
        parts: Parts {
            amount: cents("amount")?,
            subtotal: cents("subtotal")?,
            shipping: cents("shipping")?,
            tax: cents("tax")?,
            tax_breakdown: from_json(row.try_get("tax_breakdown")?)?,
        },
        lines: Vec::new(),
        restock: row.try_get::<i64, _>("restock")? == 1,
        actor: row.try_get("actor")?,
        is_done: row.try_get::<&str, _>("state")? == "done",
        created_at: row.try_get("created_at")?,
    })
}
