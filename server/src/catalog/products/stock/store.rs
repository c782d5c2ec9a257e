//! Reservations and sales of products. The guard of each is in its `UPDATE`.
//!
//! An `UPDATE` of several products locks them in the order of their ids, so two of them never deadlock.

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row as _};
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::weight::Weight;

use crate::db::rows::{Insert, ROWS, Values, for_update, value_rows};
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
        "SELECT id, name, price, weight, stock - reserved AS available FROM products WHERE id = $1 AND active = 1",
    )
    .bind(product_id)
    .fetch_optional(tx)
    .await?;
    row.as_ref().map(offer_of).transpose()
}

/// Releases and reserves units of products. Returns the changed products by their ids: one that is missing is not
/// active, or less than needed is available.
pub async fn reserve(tx: &mut AnyConnection, products: &[Reserve]) -> Result<HashMap<String, Offer>, Error> {
    let mut changed = HashMap::new();
    for products in products.chunks(ROWS) {
        let mut bound = Values::default();
        for Reserve { product_id, released, quantity, needed } in products {
            bound.text(product_id)?.whole(*released)?.whole(*quantity)?.whole(*needed)?;
        }
        let update = format!(
            "UPDATE products SET reserved = products.reserved - r.released + r.quantity FROM {} \
             WHERE products.id = r.product_id AND (r.quantity = 0 \
               OR (products.active = 1 AND products.stock - products.reserved + r.released >= r.needed)) \
             RETURNING id, name, price, weight, stock - reserved AS available",
            rows_of(tx, products.len(), &["released", "quantity", "needed"], "r")
        );
        for row in sqlx::query_with(AssertSqlSafe(update), bound.0).fetch_all(&mut *tx).await? {
            changed.insert(row.try_get("id")?, offer_of(&row)?);
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
    let (change, guard) = match source {
        Source::Reserved => (
            "stock = products.stock - s.quantity, reserved = products.reserved - s.quantity",
            "products.stock >= s.quantity AND products.reserved >= s.quantity",
        ),
        Source::Available => {
            ("stock = products.stock - s.quantity", "products.stock - products.reserved >= s.quantity")
        }
    };
    for items in items.chunks(ROWS) {
        let mut bound = Values::default();
        for item in items {
            bound.text(&item.product_id)?.whole(item.quantity)?;
        }
        let update = format!(
            "UPDATE products SET {change} FROM {} WHERE products.id = s.product_id AND {guard} RETURNING id",
            rows_of(tx, items.len(), &["quantity"], "s")
        );
        let sold: Vec<String> = sqlx::query_scalar_with(AssertSqlSafe(update), bound.0).fetch_all(&mut *tx).await?;
        if let Some(missing) = items.iter().find(|item| !sold.contains(&item.product_id)) {
            return Ok(Some(missing));
        }
    }
    Ok(None)
}

/// Bound rows of a product's id and numbers, as a subquery that locks the products in the order of their ids.
fn rows_of(tx: &AnyConnection, rows: usize, numbers: &[&str], alias: &str) -> String {
    let named: String = (2..).zip(numbers).map(|(at, name)| format!(", column{at} AS {name}")).collect();
    format!(
        "(SELECT p.id AS product_id{named} FROM (VALUES {}) AS bound JOIN products p ON p.id = column1 \
         ORDER BY p.id{}) AS {alias}",
        value_rows(rows, 1 + numbers.len()),
        for_update(tx, "p")
    )
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
    })
}
