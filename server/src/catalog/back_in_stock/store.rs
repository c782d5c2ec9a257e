//! Back-in-stock requests.

use sqlx::{AnyConnection, AnyPool, Row as _};
use wasm_core::validation::Email;

use crate::error::Error;
use crate::infra::clock::{DAY, HOUR};
use crate::infra::random;

/// Time to confirm an address. After it the request is deleted.
pub const CONFIRMATION_TIME: i64 = 48 * HOUR;
/// A confirmed request whose product does not come back is deleted after this time.
pub const WAITING_TIME: i64 = 365 * DAY;

/// A confirmed request.
pub struct Waiting {
    pub id: String,
    pub email: String,
}

/// Inserts a request. A repeated one gets a new token and keeps its place in the queue.
pub async fn upsert(
    tx: &mut AnyConnection,
    product_id: &str,
    email: &Email,
    token_hash: &str,
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO back_in_stock_requests (id, product_id, email, email_key, token_hash, requested_at, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $6) \
         ON CONFLICT (product_id, email_key) DO UPDATE SET token_hash = excluded.token_hash, requested_at = $6",
    )
    .bind(random::new_id())
    .bind(product_id)
    .bind(email.as_str())
    .bind(email.key())
    .bind(token_hash)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Confirms a request whose token has not expired, and returns the product's name and slug.
pub async fn confirm(tx: &mut AnyConnection, token_hash: &str, now: i64) -> Result<Option<(String, String)>, Error> {
    let product_id: Option<String> = sqlx::query_scalar(
        "UPDATE back_in_stock_requests SET confirmed_at = COALESCE(confirmed_at, $2) \
         WHERE token_hash = $1 AND (confirmed_at IS NOT NULL OR requested_at > $3) RETURNING product_id",
    )
    .bind(token_hash)
    .bind(now)
    .bind(now - CONFIRMATION_TIME)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(product_id) = product_id else { return Ok(None) };
    let product = sqlx::query_as("SELECT name, slug FROM products WHERE id = $1").bind(product_id);
    Ok(product.fetch_optional(tx).await?)
}

pub async fn delete(tx: &mut AnyConnection, token_hash: &str) -> Result<(), Error> {
    sqlx::query("DELETE FROM back_in_stock_requests WHERE token_hash = $1").bind(token_hash).execute(tx).await?;
    Ok(())
}

/// Deletes up to `limit` requests that were not confirmed since `unconfirmed_before`, or are older than
/// `created_before`. Returns their number.
pub async fn delete_old(
    tx: &mut AnyConnection,
    unconfirmed_before: i64,
    created_before: i64,
    limit: i64,
) -> Result<u64, Error> {
    let deleted = sqlx::query(
        "DELETE FROM back_in_stock_requests WHERE id IN (SELECT id FROM back_in_stock_requests \
         WHERE (confirmed_at IS NULL AND requested_at <= $1) OR created_at <= $2 LIMIT $3)",
    )
    .bind(unconfirmed_before)
    .bind(created_before)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(deleted.rows_affected())
}

/// Products that are available and have confirmed requests.
pub async fn list_available_products(pool: &AnyPool) -> Result<Vec<String>, Error> {
    let listed = sqlx::query_scalar(
        "SELECT id FROM products WHERE active = 1 AND stock > reserved AND id IN \
         (SELECT product_id FROM back_in_stock_requests WHERE confirmed_at IS NOT NULL)",
    );
    Ok(listed.fetch_all(pool).await?)
}

/// The first confirmed requests of a product, in order of asking.
pub async fn list_waiting(tx: &mut AnyConnection, product_id: &str, limit: i64) -> Result<Vec<Waiting>, Error> {
    let rows = sqlx::query(
        "SELECT id, email FROM back_in_stock_requests WHERE product_id = $1 AND confirmed_at IS NOT NULL \
         ORDER BY created_at, id LIMIT $2",
    )
    .bind(product_id)
    .bind(limit)
    .fetch_all(tx)
    .await?;
    rows.iter().map(|row| Ok(Waiting { id: row.try_get("id")?, email: row.try_get("email")? })).collect()
}

pub async fn delete_notified(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("DELETE FROM back_in_stock_requests WHERE id = $1").bind(id).execute(tx).await?;
    Ok(())
}

/// Emails sent about a product since it was last sold out.
pub async fn load_notified(tx: &mut AnyConnection, product_id: &str) -> Result<i64, Error> {
    let notified = sqlx::query_scalar("SELECT notified FROM back_in_stock_rounds WHERE product_id = $1");
    Ok(notified.bind(product_id).fetch_optional(tx).await?.unwrap_or_default())
}

pub async fn add_notified(tx: &mut AnyConnection, product_id: &str, notified: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO back_in_stock_rounds (product_id, notified) VALUES ($1, $2) ON CONFLICT (product_id) \
         DO UPDATE SET notified = back_in_stock_rounds.notified + excluded.notified",
    )
    .bind(product_id)
    .bind(notified)
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether the count of any sold-out product can be deleted.
pub async fn has_ended_rounds(pool: &AnyPool) -> Result<bool, Error> {
    let ended = sqlx::query(
        "SELECT 1 FROM back_in_stock_rounds JOIN products ON products.id = product_id WHERE stock = 0 LIMIT 1",
    );
    Ok(ended.fetch_optional(pool).await?.is_some())
}

/// Starts the count of every sold-out product again.
pub async fn delete_ended_rounds(tx: &mut AnyConnection) -> Result<(), Error> {
    sqlx::query("DELETE FROM back_in_stock_rounds WHERE product_id IN (SELECT id FROM products WHERE stock = 0)")
        .execute(tx)
        .await?;
    Ok(())
}
