//! Products and their stock ledger.

use sqlx::{AnyConnection, AnyPool, AssertSqlSafe};
use wasm_core::catalog::{CardPicture, MAX_STOCK, Photo, Product, ProductInput};

use super::columns::{self, name_key, product_of};
use super::photos::store as photos;
use crate::catalog::daily_totals::store as daily_totals;
use crate::error::Error;
use crate::infra::random;

/// The products that a reader may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visible {
    Active,
    All,
}

/// Reason of a stock ledger entry other than a sale. The last two have a note.
#[derive(Clone, Copy, Debug)]
pub enum StockReason<'a> {
    Created,
    Edited,
    Restocked,
    Received(Option<&'a str>),
    Corrected(&'a str),
}

impl<'a> StockReason<'a> {
    fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Edited => "edited",
            Self::Restocked => "restocked",
            Self::Received(_) => "received",
            Self::Corrected(_) => "corrected",
        }
    }

    fn note(self) -> Option<&'a str> {
        match self {
            Self::Received(note) => note,
            Self::Corrected(note) => Some(note),
            Self::Created | Self::Edited | Self::Restocked => None,
        }
    }

    /// Whether an administrator changed the stock, which is an edit of the product.
    fn is_edit(self) -> bool {
        matches!(self, Self::Edited | Self::Received(_) | Self::Corrected(_))
    }
}

pub async fn list_products(pool: &AnyPool, visible: Visible) -> Result<Vec<Product>, Error> {
    let sql = match visible {
        Visible::Active => "SELECT * FROM products WHERE active = 1 ORDER BY created_at, id",
        Visible::All => "SELECT * FROM products ORDER BY created_at, id",
    };
    let rows = sqlx::query(sql).fetch_all(pool).await?;
    let mut products = rows.iter().map(product_of).collect::<Result<Vec<_>, _>>()?;
    let mut photos = photos::list_photos(pool).await?;
    for product in &mut products {
        show_photos(product, photos.remove(&product.id).unwrap_or_default());
    }
    Ok(products)
}

/// Lists the products with these ids, in the order of the ids.
pub async fn list_products_by_id(pool: &AnyPool, ids: &[String]) -> Result<Vec<Product>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let placeholders = (1..=ids.len()).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ");
    let sql = format!("SELECT * FROM products WHERE id IN ({placeholders})");
    let rows = ids.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, id| query.bind(id)).fetch_all(pool).await?;
    let mut products = rows.iter().map(product_of).collect::<Result<Vec<_>, _>>()?;
    products.sort_by_key(|product| ids.iter().position(|id| *id == product.id));
    for product in &mut products {
        let photos = photos::list_photos_of(pool, &product.id).await?;
        show_photos(product, photos);
    }
    Ok(products)
}

/// The first photo is the product's image, unless an administrator prefers the drawing.
fn show_photos(product: &mut Product, photos: Vec<Photo>) {
    if let (CardPicture::Photo, Some(photo)) = (product.card_picture, photos.first()) {
        product.image = photo.preview();
    }
    product.photos = photos;
}

/// Finds a product by exact name, then case-insensitively, then by any current or former slug, then by id.
pub async fn find_product_by_name(pool: &AnyPool, name: &str, visible: Visible) -> Result<Option<Product>, Error> {
    let queries = [
        "SELECT * FROM products WHERE name = $1",
        "SELECT * FROM products WHERE name_key = $1",
        "SELECT p.* FROM products p JOIN product_slugs s ON s.product_id = p.id WHERE s.slug = $1",
        "SELECT * FROM products WHERE id = $1",
    ];
    let values = [name.to_owned(), name_key(name), wasm_core::catalog::slug(name), name.to_owned()];
    for (sql, value) in queries.into_iter().zip(values) {
        let row = sqlx::query(sql).bind(value).fetch_optional(pool).await?;
        if let Some(row) = row {
            let mut product = product_of(&row)?;
            if !product.active && visible == Visible::Active {
                return Ok(None);
            }
            let photos = photos::list_photos_of(pool, &product.id).await?;
            show_photos(&mut product, photos);
            return Ok(Some(product));
        }
    }
    Ok(None)
}

/// Locks the product until the transaction ends.
pub async fn lock_product(tx: &mut AnyConnection, id: &str) -> Result<(), Error> {
    sqlx::query("UPDATE products SET version = version WHERE id = $1").bind(id).execute(tx).await?;
    Ok(())
}

pub async fn find_product(tx: &mut AnyConnection, id: &str) -> Result<Option<Product>, Error> {
    let row = sqlx::query("SELECT * FROM products WHERE id = $1").bind(id).fetch_optional(&mut *tx).await?;
    let Some(row) = row else { return Ok(None) };
    let mut product = product_of(&row)?;
    let photos = photos::list_photos_of(tx, id).await?;
    show_photos(&mut product, photos);
    Ok(Some(product))
}

/// Inserts a product; a duplicate name is a unique violation.
pub async fn insert_product(
    tx: &mut AnyConnection,
    input: &ProductInput,
    actor: &str,
    now: i64,
) -> Result<String, InsertError> {
    let id = random::new_id();
    let slug = unique_slug(tx, &input.name).await?;
    let sql = format!(
        "INSERT INTO products (id, slug, stock, created_at, updated_at, {}) VALUES ($1, $2, $3, $4, $4, {})",
        columns::names(),
        columns::placeholders(5)
    );
    let insert = sqlx::query(AssertSqlSafe(sql)).bind(&id).bind(&slug).bind(input.stock).bind(now);
    columns::bind(insert, input).execute(&mut *tx).await?;
    insert_slug(tx, &slug, &id).await?;
    insert_stock_change(tx, &id, input.stock, StockReason::Created, None, actor, now).await?;
    Ok(id)
}

/// Keeps database errors separate, so that the caller can recognize a duplicate name.
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

/// Updates every field except the stock, and increments the version.
pub async fn update_product(
    tx: &mut AnyConnection,
    id: &str,
    input: &ProductInput,
    now: i64,
) -> Result<(), InsertError> {
    let slug = match current_slug(tx, id).await? {
        (name, slug) if name == input.name => slug,
        _ => {
            let slug = unique_slug_for(tx, &input.name, id).await?;
            insert_slug(tx, &slug, id).await?;
            slug
        }
    };
    let sql = format!(
        "UPDATE products SET slug = $2, updated_at = $3, {}, version = version + 1 WHERE id = $1",
        columns::assignments(4)
    );
    columns::bind(sqlx::query(AssertSqlSafe(sql)).bind(id).bind(slug).bind(now), input).execute(tx).await?;
    Ok(())
}

/// Changes the stock and writes a ledger entry. False when the stock would leave its limits.
pub async fn change_stock(
    tx: &mut AnyConnection,
    id: &str,
    change: i64,
    reason: StockReason<'_>,
    order_id: Option<&str>,
    actor: &str,
    now: i64,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "UPDATE products SET stock = stock + $2, version = version + $3, \
         updated_at = CASE WHEN $3 = 1 THEN $5 ELSE updated_at END \
         WHERE id = $1 AND stock + $2 >= 0 AND stock + $2 <= $4",
    )
    .bind(id)
    .bind(change)
    .bind(i64::from(reason.is_edit()))
    .bind(MAX_STOCK)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    insert_stock_change(tx, id, change, reason, order_id, actor, now).await?;
    Ok(true)
}

/// Restocked units of an order by product.
pub async fn list_restocked(tx: &mut AnyConnection, order_id: &str) -> Result<Vec<(String, i64)>, Error> {
    Ok(sqlx::query_as(
        "SELECT product_id, CAST(SUM(change) AS BIGINT) FROM stock_ledger WHERE order_id = $1 AND reason = $2 \
         GROUP BY product_id",
    )
    .bind(order_id)
    .bind(StockReason::Restocked.as_str())
    .fetch_all(tx)
    .await?)
}

pub async fn insert_stock_change(
    tx: &mut AnyConnection,
    product_id: &str,
    change: i64,
    reason: StockReason<'_>,
    order_id: Option<&str>,
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO stock_ledger (id, product_id, change, reason, order_id, actor, created_at, note) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(random::new_id())
    .bind(product_id)
    .bind(change)
    .bind(reason.as_str())
    .bind(order_id)
    .bind(actor)
    .bind(now)
    .bind(reason.note())
    .execute(&mut *tx)
    .await?;
    match reason {
        StockReason::Restocked => daily_totals::add(tx, product_id, -change, now).await,
        _ => Ok(()),
    }
}

pub async fn count_products(pool: &AnyPool) -> Result<i64, Error> {
    Ok(sqlx::query_scalar("SELECT COUNT(*) FROM products").fetch_one(pool).await?)
}

/// Whether a product has this name, ignoring case.
pub async fn has_name(tx: &mut AnyConnection, name: &str) -> Result<bool, Error> {
    let found: Option<i64> = sqlx::query_scalar("SELECT 1 FROM products WHERE name_key = $1")
        .bind(name_key(name))
        .fetch_optional(tx)
        .await?;
    Ok(found.is_some())
}

async fn current_slug(tx: &mut AnyConnection, id: &str) -> Result<(String, String), Error> {
    Ok(sqlx::query_as("SELECT name, slug FROM products WHERE id = $1").bind(id).fetch_one(tx).await?)
}

async fn unique_slug(tx: &mut AnyConnection, name: &str) -> Result<String, Error> {
    unique_slug_for(tx, name, "").await
}

/// The slug of a name, with a suffix `-2`, `-3`, … if another product has or had it.
async fn unique_slug_for(tx: &mut AnyConnection, name: &str, product_id: &str) -> Result<String, Error> {
    let base = match wasm_core::catalog::slug(name) {
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
