//! Movements of the stock ledger with their balances.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};

use super::stock_movement::{MovementReason, OrderReference, StockMovement};
use crate::error::Error;
use crate::http::page::Page;
use crate::infra::clock::rfc3339;
use crate::time_zone::{self, ShopZone};

pub async fn count_movements(tx: &mut AnyConnection, product_id: &str) -> Result<i64, Error> {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM stock_ledger WHERE product_id = $1");
    Ok(count.bind(product_id).fetch_one(tx).await?)
}

/// Lists a page of movements, latest first. The balances start from the current stock, so the page's cost does not depend
/// on the length of the ledger before it.
pub async fn list_movements(
    tx: &mut AnyConnection,
    product_id: &str,
    stock: i64,
    page: Page,
) -> Result<Vec<StockMovement>, Error> {
    let mut balance = stock - sum_newest(tx, product_id, page.offset()).await?;
    let rows = sqlx::query(
        "SELECT l.id, l.created_at, l.reason, l.change, l.actor, l.note, l.order_id, o.number FROM \
         (SELECT id, created_at, reason, change, actor, note, order_id FROM stock_ledger WHERE product_id = $1 \
          ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3) l LEFT JOIN orders o ON o.id = l.order_id \
         ORDER BY l.created_at DESC, l.id DESC",
    )
    .bind(product_id)
    .bind(page.limit)
    .bind(page.offset())
    .fetch_all(&mut *tx)
    .await?;
    let zone = time_zone::store::load(tx).await?;
    let mut movements = Vec::with_capacity(rows.len());
    for row in &rows {
        let movement = movement_of(row, balance, zone)?;
        balance -= movement.change;
        movements.push(movement);
    }
    Ok(movements)
}

/// The sum of the latest movements, as many as `count`.
async fn sum_newest(tx: &mut AnyConnection, product_id: &str, count: i64) -> Result<i64, Error> {
    let sum = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(change), 0) AS BIGINT) FROM (SELECT change FROM stock_ledger WHERE product_id = $1 \
         ORDER BY created_at DESC, id DESC LIMIT $2) newest",
    );
    Ok(sum.bind(product_id).bind(count).fetch_one(tx).await?)
}

fn movement_of(row: &AnyRow, balance: i64, zone: ShopZone) -> Result<StockMovement, Error> {
    let created_at = row.try_get("created_at")?;
    let (order_id, number): (Option<String>, Option<i64>) = (row.try_get("order_id")?, row.try_get("number")?);
    Ok(StockMovement {
        id: row.try_get("id")?,
        created_at: rfc3339(created_at),
        created_at_local: zone.local(created_at),
        reason: reason_of(row.try_get("reason")?)?,
        change: row.try_get("change")?,
        balance,
        actor: row.try_get("actor")?,
        note: row.try_get("note")?,
        order: order_id.zip(number).map(|(id, number)| OrderReference { id, number }),
    })
}

fn reason_of(word: &str) -> Result<MovementReason, Error> {
    match word {
        "created" => Ok(MovementReason::Created),
        "edited" => Ok(MovementReason::Edited),
        "sold" => Ok(MovementReason::Sold),
        "restocked" => Ok(MovementReason::Restocked),
        "received" => Ok(MovementReason::Received),
        "corrected" => Ok(MovementReason::Corrected),
        _ => Err(Error::internal(format!("unknown reason of a stock movement {word}"))),
    }
}
