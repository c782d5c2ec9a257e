//! Reservations and sales of products. The guard of each is in its `UPDATE`.
//!
//! Several products are changed in the order of their ids, so two transactions never deadlock. One statement for all of
//! them would lock them in the order of its plan.

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::weight::Weight;

use crate::db::rows::{Insert, Values};
use crate::error::Error;
use crate::infra::random;

const SOLD: Insert =
    Insert("stock_ledger", &["id", "product_id", "change", "reason", "order_id", "actor", "created_at"]);

/// The values of a product that a quote needs.
pub struct Offer {
    pub name: String,
    pub price: Cents,
    pub weight: Weight,
    pub available: i64,
    pub warranty_months: Option<i64>,
}

/// A change of the reserved units of a product.
#[derive(Clone, Debug)]
pub struct Reserve {
    pub product_id: String,
    /// Units to release.
    pub released: i64,
    /// Units to reserve after that.
    pub quantity: i64,
    /// Units that must be available before they are reserved.
    pub needed: i64,
}

/// What a sale takes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Reserved,
    /// For a payment whose reservation was already released.
    Available,
}

/// Finds an active product.
pub async fn find_offer(tx: &mut AnyConnection, product_id: &str) -> Result<Option<Offer>, Error> {
    let row = sqlx::query(
        "SELECT name, price, weight, stock - reserved AS available, warranty_months FROM products WHERE id = $1 AND active = 1",
    )
    .bind(product_id)
    .fetch_optional(tx)
    .await?;
    row.as_ref().map(offer_of).transpose()
}

/// Releases and reserves units of products, which are ordered by id. Returns the changed products by their ids: one that
/// is missing is not active, or less than needed is available.
pub async fn reserve(tx: &mut AnyConnection, products: &[Reserve]) -> Result<HashMap<String, Offer>, Error> {
    let mut changed = HashMap::new();
    for Reserve { product_id, released, quantity, needed } in products {
        let row = sqlx::query(
            "UPDATE products SET reserved = reserved - $2 + $3 WHERE id = $1 \
               AND ($3 = 0 OR (active = 1 AND stock - reserved + $2 >= $4)) \
             RETURNING name, price, weight, stock - reserved AS available, warranty_months",
        )
        .bind(product_id)
        .bind(released)
        .bind(quantity)
        .bind(needed)
        .fetch_optional(&mut *tx)
        .await?;
        if let Some(row) = row {
            changed.insert(product_id.clone(), offer_of(&row)?);
        }
    }
    Ok(changed)
}

/// Sells items, which are ordered by product id. Returns the first of which too little is left: an edit has reduced the
/// stock below the reservation, or the reservation was released. Then the transaction must be rolled back.
pub async fn sell<'a>(
    tx: &mut AnyConnection,
    items: &'a [OrderItem],
    source: Source,
) -> Result<Option<&'a OrderItem>, Error> {
    let update = match source {
        Source::Reserved => {
            "UPDATE products SET stock = stock - $2, reserved = reserved - $2 \
             WHERE id = $1 AND stock >= $2 AND reserved >= $2"
        }
        Source::Available => "UPDATE products SET stock = stock - $2 WHERE id = $1 AND stock - reserved >= $2",
    };
    for item in items {
        let done = sqlx::query(update).bind(&item.product_id).bind(item.quantity).execute(&mut *tx).await?;
        if done.rows_affected() == 0 {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// Inserts the entries of a sale into the stock ledger.
pub async fn insert_sold(
    tx: &mut AnyConnection,
    order_id: &str,
    items: &[OrderItem],
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    let entry = |values: &mut Values, item: &OrderItem| {
        values.text(random::new_id())?.text(&item.product_id)?.whole(-item.quantity)?;
        values.text("sold")?.text(order_id)?.text(actor)?.whole(now).map(drop)
    };
    SOLD.run(tx, items, entry).await
}

fn offer_of(row: &AnyRow) -> Result<Offer, Error> {
    Ok(Offer {
        name: row.try_get("name")?,
        price: Cents::from_cents(row.try_get("price")?),
        weight: Weight::from_hundredths(row.try_get("weight")?),
        available: row.try_get::<i64, _>("available")?.max(0),
        warranty_months: row.try_get("warranty_months")?,
    })
}
