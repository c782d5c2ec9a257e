//! Reservations and sales of a product. The guard of each is in its `UPDATE`.

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

/// Releases reserved units.
pub async fn release(tx: &mut AnyConnection, product_id: &str, quantity: i64) -> Result<(), Error> {
    sqlx::query("UPDATE products SET reserved = reserved - $2 WHERE id = $1")
        .bind(product_id)
        .bind(quantity)
        .execute(tx)
        .await?;
    Ok(())
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

fn offer_of(row: &AnyRow) -> Result<Offer, Error> {
    Ok(Offer {
        name: row.try_get("name")?,
        price: Cents::from_cents(row.try_get("price")?),
        weight: Weight::from_hundredths(row.try_get("weight")?),
        available: row.try_get::<i64, _>("available")?.max(0),
    })
}
