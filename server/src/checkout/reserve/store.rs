//! Active products with the counters of their stock, and the reservations of an account.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};
use wasm_core::money::Cents;
use wasm_core::weight::Weight;

use crate::error::Error;

/// The values of a product that a quote needs.
pub struct Offer {
    pub name: String,
    pub price: Cents,
    pub weight: Weight,
    pub available: i64,
}

/// Finds an active product.
pub async fn find_offer(tx: &mut AnyConnection, product_id: &str) -> Result<Option<Offer>, Error> {
    let row = sqlx::query(
        "SELECT name, price, weight, stock - reserved AS available FROM products WHERE id = $1 AND active = 1",
    )
    .bind(product_id)
    .fetch_optional(tx)
    .await?;
    row.as_ref().map(offer_of).transpose()
}

/// Reserves `quantity` if at least `needed` is available. Returns the product, or None if less is available.
pub async fn reserve(
    tx: &mut AnyConnection,
    product_id: &str,
    quantity: i64,
    needed: i64,
) -> Result<Option<Offer>, Error> {
    let row = sqlx::query(
        "UPDATE products SET reserved = reserved + $2 \
         WHERE id = $1 AND active = 1 AND stock - reserved >= $3 \
         RETURNING name, price, weight, stock - reserved AS available",
    )
    .bind(product_id)
    .bind(quantity)
    .bind(needed)
    .fetch_optional(tx)
    .await?;
    row.as_ref().map(offer_of).transpose()
}

/// Locks the user until the transaction ends, so that the transactions of one account run one at a time.
pub async fn lock_user(tx: &mut AnyConnection, user_id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE users SET is_admin = is_admin WHERE id = $1").bind(user_id).execute(tx).await?;
    Ok(())
}

pub async fn count_open(tx: &mut AnyConnection, user_id: &str) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM checkouts WHERE user_id = $1 AND state = 'open'")
        .bind(user_id)
        .fetch_one(tx)
        .await?)
}

/// Counts the account's open checkouts that are older than this one, which may be closed.
pub async fn count_open_before(tx: &mut AnyConnection, user_id: &str, checkout_id: &str) -> Result<i64, Error> {
    Ok(sqlx::query_scalar(
        "SELECT COUNT(*) FROM checkouts WHERE user_id = $1 AND state = 'open' AND id <> $2 \
           AND created_at <= (SELECT created_at FROM checkouts WHERE id = $2)",
    )
    .bind(user_id)
    .bind(checkout_id)
    .fetch_one(tx)
    .await?)
}

/// Counts the units of a product that the account's open checkouts have reserved, without the first of them.
pub async fn count_reserved_after_first(tx: &mut AnyConnection, user_id: &str, product_id: &str) -> Result<i64, Error> {
    Ok(sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(l.quantity), 0) AS BIGINT) FROM checkout_lines l \
         JOIN checkouts c ON c.id = l.checkout_id \
         WHERE c.user_id = $1 AND c.state = 'open' AND l.product_id = $2 AND c.id <> \
             (SELECT id FROM checkouts WHERE user_id = $1 AND state = 'open' ORDER BY created_at, id LIMIT 1)",
    )
    .bind(user_id)
    .bind(product_id)
    .fetch_one(tx)
    .await?)
}

/// Since when the account had reserved a product that it released, unpaid, after `since`. None if it released none.
pub async fn find_held_since(
    tx: &mut AnyConnection,
    user_id: &str,
    product_id: &str,
    since: i64,
) -> Result<Option<i64>, Error> {
    Ok(sqlx::query_scalar(
        "SELECT MIN(c.held_since) FROM checkouts c JOIN checkout_lines l ON l.checkout_id = c.id \
         WHERE c.user_id = $1 AND c.state = 'closed' AND c.closed_at > $3 AND c.closed_reason <> 'not_prepared' \
           AND l.product_id = $2",
    )
    .bind(user_id)
    .bind(product_id)
    .bind(since)
    .fetch_one(tx)
    .await?)
}

fn offer_of(row: &AnyRow) -> Result<Offer, Error> {
    Ok(Offer {
        name: row.try_get("name")?,
        price: Cents::from_cents(row.try_get("price")?),
        weight: Weight::from_hundredths(row.try_get("weight")?),
        available: row.try_get::<i64, _>("available")?.max(0),
    })
}

/// Turns a reservation into a sale. False when an edit has reduced the stock below the reservation.
pub async fn sell_reserved(tx: &mut AnyConnection, product_id: &str, quantity: i64) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE products SET stock = stock - $2, reserved = reserved - $2 \
         WHERE id = $1 AND stock >= $2 AND reserved >= $2",
    )
    .bind(product_id)
    .bind(quantity)
    .execute(tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Sells available stock, for a payment whose reservation was already released. False when too little is available.
pub async fn sell_unreserved(tx: &mut AnyConnection, product_id: &str, quantity: i64) -> Result<bool, Error> {
    let done = sqlx::query("UPDATE products SET stock = stock - $2 WHERE id = $1 AND stock - reserved >= $2")
        .bind(product_id)
        .bind(quantity)
        .execute(tx)
        .await?;
    Ok(done.rows_affected() == 1)
}
