//! Refunds with their lines.

use std::collections::BTreeSet;

use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, Row as _};
use utoipa::ToSchema;
use wasm_core::money::Cents;
use wasm_core::orders::RefundLine;
use wasm_core::pricing::Parts;

use crate::checkout::provider;
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
    pub state: State,
    /// None while it is pending, and for one that was paid outside.
    pub provider_id: Option<String>,
    pub created_at: i64,
    /// None unless it failed.
    pub failure: Option<Failure>,
    /// None unless it was paid outside the provider.
    pub outside: Option<Outside>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RefundState)]
pub enum State {
    /// The provider may have made it or not.
    Pending,
    Done,
    /// The provider never made it.
    NotMade,
    /// The customer's bank returned it.
    Failed,
}

impl State {
    const ALL: [Self; 4] = [Self::Pending, Self::Done, Self::NotMade, Self::Failed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::NotMade => "not_made",
            Self::Failed => "failed",
        }
    }

    fn parse(word: &str) -> Result<Self, Error> {
        let state = Self::ALL.into_iter().find(|state| state.as_str() == word);
        state.ok_or_else(|| Error::internal(format!("unknown refund state {word}")))
    }
}

/// Why and when the customer's bank returned a refund.
#[derive(Clone, Debug)]
pub struct Failure {
    pub failed_at: i64,
    /// The provider's word, such as `expired_or_canceled_card`.
    pub reason: Option<String>,
    /// The refund that settles this one.
    pub replaced_by: Option<String>,
}

/// How a refund was paid outside the provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outside {
    /// In days since 1970-01-01, in the shop's time zone.
    pub paid_on: i64,
    pub note: Option<String>,
}

impl Refund {
    /// Whether it was made at the provider, not by an administrator of the shop.
    pub fn is_by_provider(&self) -> bool {
        self.actor == SHOP_ACTOR
    }

    /// Whether it counts as refunded.
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }
}

/// Lists the refunds that were made, also those that failed later, oldest first. A replacement that is still pending
/// settles nothing, and is left out.
pub async fn list_made(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<Refund>, Error> {
    let select = "SELECT * FROM refunds WHERE order_id = $1 AND state IN ('done', 'failed') ORDER BY created_at, id";
    let rows = sqlx::query(select).bind(order_id).fetch_all(&mut *tx).await?;
    let mut refunds = rows.iter().map(refund_of).collect::<Result<Vec<_>, _>>()?;
    let made: BTreeSet<String> = refunds.iter().map(|refund| refund.id.clone()).collect();
    for refund in &mut refunds {
        refund.lines = list_lines(tx, &refund.id).await?;
        if let Some(failure) = &mut refund.failure {
            failure.replaced_by = failure.replaced_by.take().filter(|id| made.contains(id));
        }
    }
    Ok(refunds)
}

/// Lists the refunds that count as refunded, oldest first.
pub async fn list_done(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<Refund>, Error> {
    let made = list_made(tx, order_id).await?;
    Ok(made.into_iter().filter(Refund::is_done).collect())
}

/// Sum of the refunds that were paid outside the provider.
pub async fn sum_outside(tx: &mut AnyConnection, order_id: &str) -> Result<Cents, Error> {
    let sum = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM refunds \
               WHERE order_id = $1 AND state = 'done' AND paid_on IS NOT NULL";
    Ok(Cents::from_cents(sqlx::query_scalar(sum).bind(order_id).fetch_one(tx).await?))
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

pub async fn find_listed(tx: &mut AnyConnection, listed: &provider::Refund) -> Result<Option<Refund>, Error> {
    let id: Option<String> = sqlx::query_scalar("SELECT id FROM refunds WHERE provider_id = $1")
        .bind(&listed.id)
        .fetch_optional(&mut *tx)
        .await?;
    match id {
        Some(id) => find_refund(tx, &id).await,
        None => Ok(None),
    }
}

/// Finds the order of a refund, and when the refund was made.
pub async fn find_order(pool: &AnyPool, id: &str) -> Result<Option<(String, i64)>, Error> {
    let select = "SELECT order_id, created_at FROM refunds WHERE id = $1";
    Ok(sqlx::query_as(select).bind(id).fetch_optional(pool).await?)
}

/// The failed refunds that this one settles: their ids at the provider.
pub async fn list_replaced(tx: &mut AnyConnection, id: &str) -> Result<Vec<String>, Error> {
    let select = "SELECT provider_id FROM refunds WHERE replaced_by = $1 AND provider_id IS NOT NULL ORDER BY id";
    Ok(sqlx::query_scalar(select).bind(id).fetch_all(tx).await?)
}

pub async fn set_replaced(tx: &mut AnyConnection, failed_id: &str, by: &str) -> Result<(), Error> {
    let update = "UPDATE refunds SET replaced_by = $2 WHERE id = $1 AND state = 'failed'";
    sqlx::query(update).bind(failed_id).bind(by).execute(tx).await?;
    Ok(())
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
pub async fn save(tx: &mut AnyConnection, refund: &Refund) -> Result<(), Error> {
    let (failure, outside) = (refund.failure.as_ref(), refund.outside.as_ref());
    sqlx::query(
        "INSERT INTO refunds (id, order_id, amount, subtotal, shipping, tax, tax_breakdown, restock, actor, state, \
         provider_id, created_at, failed_at, failure_reason, paid_on, note) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
         ON CONFLICT (id) DO UPDATE SET amount = excluded.amount, subtotal = excluded.subtotal, \
         shipping = excluded.shipping, tax = excluded.tax, tax_breakdown = excluded.tax_breakdown, \
         state = excluded.state, provider_id = excluded.provider_id, failed_at = excluded.failed_at, \
         failure_reason = excluded.failure_reason",
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
    .bind(refund.state.as_str())
    .bind(refund.provider_id.as_deref())
    .bind(refund.created_at)
    .bind(failure.map(|failure| failure.failed_at))
    .bind(failure.and_then(|failure| failure.reason.as_deref()))
    .bind(outside.map(|outside| outside.paid_on))
    .bind(outside.and_then(|outside| outside.note.as_deref()))
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

/// Marks a pending refund as not made. What it was to settle is open again.
pub async fn mark_not_made(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    let update = "UPDATE refunds SET state = 'not_made' WHERE id = $1 AND state = 'pending'";
    if sqlx::query(update).bind(id).execute(&mut *tx).await?.rows_affected() == 1 {
        sqlx::query("UPDATE refunds SET replaced_by = NULL WHERE replaced_by = $1").bind(id).execute(tx).await?;
    }
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
    let (failed_at, paid_on): (Option<i64>, Option<i64>) = (row.try_get("failed_at")?, row.try_get("paid_on")?);
    let (reason, replaced_by) = (row.try_get("failure_reason")?, row.try_get("replaced_by")?);
    let note = row.try_get("note")?;
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
        state: State::parse(row.try_get("state")?)?,
        provider_id: row.try_get("provider_id")?,
        created_at: row.try_get("created_at")?,
        failure: failed_at.map(|failed_at| Failure { failed_at, reason, replaced_by }),
        outside: paid_on.map(|paid_on| Outside { paid_on, note }),
    })
}
