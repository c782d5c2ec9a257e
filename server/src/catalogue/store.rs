//! Products and the ledger of their stock.

use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AnyPool, Row as _};
use wasm_core::catalogue::Product;
use wasm_core::money::Cents;
use wasm_core::validation::{MAX_STOCK, ProductInput};
use wasm_core::weight::Weight;

use crate::http::error::Error;
use crate::infra::clock::DAY;
use crate::infra::random;

/// Which products a reader may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    Active,
    All,
}

/// Why a stock count changed.
#[derive(Clone, Copy, Debug)]
pub enum Cause {
    Created,
    Edited,
    Sold,
    Restocked,
}

impl Cause {
    fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Edited => "edited",
            Self::Sold => "sold",
            Self::Restocked => "restocked",
        }
    }
}

pub async fn list_products(pool: &AnyPool, visible: Visible) -> Result<Vec<Product>, Error> {
    let sql = match visible {
        Visible::Active => "SELECT * FROM products WHERE active = 1 ORDER BY created_at, id",
        Visible::All => "SELECT * FROM products ORDER BY created_at, id",
    };
    let rows = sqlx::query(sql).fetch_all(pool).await?;
    rows.iter().map(product_of).collect()
}

/// By exact name, then without regard to case, then by any slug it ever had, then by its id.
pub async fn find_product_by_name(pool: &AnyPool, name: &str, visible: Visible) -> Result<Option<Product>, Error> {
    let queries = [
        "SELECT * FROM products WHERE name = $1",
        "SELECT * FROM products WHERE name_key = $1",
        "SELECT p.* FROM products p JOIN product_slugs s ON s.product_id = p.id WHERE s.slug = $1",
        "SELECT * FROM products WHERE id = $1",
    ];
    let values = [name.to_owned(), name_key(name), wasm_core::catalogue::slug(name), name.to_owned()];
    for (sql, value) in queries.into_iter().zip(values) {
        let row = sqlx::query(sql).bind(value).fetch_optional(pool).await?;
        if let Some(row) = row {
            let product = product_of(&row)?;
            let may_see = product.active || visible == Visible::All;
            return Ok(may_see.then_some(product));
        }
    }
    Ok(None)
}

/// Takes the product, so that what this transaction reads of it stays true until it ends.
pub async fn take_product(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE products SET version = version WHERE id = $1").bind(id).execute(tx).await?;
    Ok(())
}

pub async fn find_product(tx: &mut AnyConnection, id: &str) -> Result<Option<Product>, Error> {
    let row = sqlx::query("SELECT * FROM products WHERE id = $1").bind(id).fetch_optional(tx).await?;
    row.as_ref().map(product_of).transpose()
}

/// Fails with a unique violation when the name is taken.
pub async fn insert_product(
    tx: &mut AnyConnection,
    input: &ProductInput,
    who: &str,
    now: i64,
) -> Result<String, InsertError> {
    let id = random::new_id();
    let slug = free_slug(tx, &input.name).await?;
    sqlx::query(
        "INSERT INTO products (id, name, name_key, slug, description, price, weight, stock, active, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(&id)
    .bind(&input.name)
    .bind(name_key(&input.name))
    .bind(&slug)
    .bind(&input.description)
    .bind(input.price.cents())
    .bind(input.weight_pounds.hundredths())
    .bind(input.stock)
    .bind(i64::from(input.active))
    .bind(now)
    .execute(&mut *tx)
    .await?;
    insert_slug(tx, &slug, &id).await?;
    insert_stock_change(tx, &id, input.stock, Cause::Created, None, who, now).await?;
    Ok(id)
}

/// A statement's own failure, kept apart so that the caller can tell a taken name from the rest.
pub enum InsertError {
    Database(sqlx::Error),
    Other(Error),
}

impl From<sqlx::Error> for InsertError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<Error> for InsertError {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}

/// Writes all fields but the stock and raises the version.
pub async fn update_product(tx: &mut AnyConnection, id: &str, input: &ProductInput) -> Result<(), InsertError> {
    let slug = match current_slug(tx, id).await? {
        (name, slug) if name == input.name => slug,
        _ => {
            let slug = free_slug_for(tx, &input.name, id).await?;
            insert_slug(tx, &slug, id).await?;
            slug
        }
    };
    sqlx::query(
        "UPDATE products SET name = $2, name_key = $3, slug = $4, description = $5, price = $6, weight = $7, \
         active = $8, version = version + 1 WHERE id = $1",
    )
    .bind(id)
    .bind(&input.name)
    .bind(name_key(&input.name))
    .bind(slug)
    .bind(&input.description)
    .bind(input.price.cents())
    .bind(input.weight_pounds.hundredths())
    .bind(i64::from(input.active))
    .execute(tx)
    .await?;
    Ok(())
}

/// Changes a count by `change` and writes down why; false when it would go below zero or above the limit.
pub async fn change_stock(
    tx: &mut AnyConnection,
    id: &str,
    change: i64,
    cause: Cause,
    order_id: Option<&str>,
    who: &str,
    now: i64,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE products SET stock = stock + $2, version = version + $3 \
         WHERE id = $1 AND stock + $2 >= 0 AND stock + $2 <= $4",
    )
    .bind(id)
    .bind(change)
    .bind(i64::from(matches!(cause, Cause::Edited)))
    .bind(MAX_STOCK)
    .execute(&mut *tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    insert_stock_change(tx, id, change, cause, order_id, who, now).await?;
    Ok(true)
}

/// Whether the goods of an order have been put back.
pub async fn was_restocked(tx: &mut AnyConnection, order_id: &str) -> Result<bool, Error> {
    let (rows,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM stock_ledger WHERE order_id = $1 AND reason = $2")
        .bind(order_id)
        .bind(Cause::Restocked.word())
        .fetch_one(&mut *tx)
        .await?;
    Ok(rows > 0)
}

pub async fn insert_stock_change(
    tx: &mut AnyConnection,
    product_id: &str,
    change: i64,
    cause: Cause,
    order_id: Option<&str>,
    who: &str,
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO stock_ledger (id, product_id, change, reason, order_id, actor, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(random::new_id())
    .bind(product_id)
    .bind(change)
    .bind(cause.word())
    .bind(order_id)
    .bind(who)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    match cause {
        Cause::Sold | Cause::Restocked => count_sold(tx, product_id, -change, now / DAY).await,
        Cause::Created | Cause::Edited => Ok(()),
    }
}

/// Keeps how many left the responses on a day. Whoever writes it has taken the product's own row before, so two of them
/// never wait for each other crosswise.
async fn count_sold(tx: &mut AnyConnection, product_id: &str, sold: i64, day: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO daily_product_totals (day, product_id, sold) VALUES ($1, $2, $3) \
         ON CONFLICT (day, product_id) DO UPDATE SET sold = daily_product_totals.sold + excluded.sold",
    )
    .bind(day)
    .bind(product_id)
    .bind(sold)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn count_products(pool: &AnyPool) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM products").fetch_one(pool).await?)
}

async fn current_slug(tx: &mut AnyConnection, id: &str) -> Result<(String, String), Error> {
    Ok(sqlx::query_as("SELECT name, slug FROM products WHERE id = $1").bind(id).fetch_one(tx).await?)
}

async fn free_slug(tx: &mut AnyConnection, name: &str) -> Result<String, Error> {
    free_slug_for(tx, name, "").await
}

/// The name's slug; with `-2`, `-3`, … while another product has or had it.
async fn free_slug_for(tx: &mut AnyConnection, name: &str, product_id: &str) -> Result<String, Error> {
    let base = match wasm_core::catalogue::slug(name) {
        slug if slug.is_empty() => "product".to_owned(),
        slug => slug,
    };
    let mut slug = base.clone();
    let mut number = 1_u32;
    while slug_owner(tx, &slug).await?.is_some_and(|owner| owner != product_id) {
        number += 1;
        slug = format!("{base}-{number}");
    }
    Ok(slug)
}

async fn slug_owner(tx: &mut AnyConnection, slug: &str) -> Result<Option<String>, Error> {
    Ok(sqlx::query_scalar("SELECT product_id FROM product_slugs WHERE slug = $1").bind(slug).fetch_optional(tx).await?)
}

async fn insert_slug(tx: &mut AnyConnection, slug: &str, product_id: &str) -> Result<(), Error> {
    sqlx::query("INSERT INTO product_slugs (slug, product_id) VALUES ($1, $2) ON CONFLICT (slug) DO NOTHING")
        .bind(slug)
        .bind(product_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// What two names may not have in common.
pub fn name_key(name: &str) -> String {
    name.trim().to_lowercase()
}

fn product_of(row: &AnyRow) -> Result<Product, Error> {
    let stock: i64 = row.try_get("stock")?;
    let reserved: i64 = row.try_get("reserved")?;
    let slug: String = row.try_get("slug")?;
    Ok(Product {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        image: format!("/images/{slug}.svg"),
        slug,
        description: row.try_get("description")?,
        price: Cents::from_cents(row.try_get("price")?),
        stock,
        available: (stock - reserved).max(0),
        weight_pounds: Weight::from_hundredths(row.try_get("weight")?),
        active: row.try_get::<i64, _>("active")? == 1,
        version: row.try_get("version")?,
    })
}
