//! Reads the photos of products.

use std::collections::HashMap;

use sqlx::any::AnyRow;
use sqlx::{Any, AnyPool, Executor, Row as _};
use wasm_core::catalog::Photo;

use crate::error::Error;

/// Photos in their order, by the product's id.
pub async fn list_photos(pool: &AnyPool) -> Result<HashMap<String, Vec<Photo>>, Error> {
    let rows = sqlx::query(
        "SELECT a.product_id, p.id, a.alt, p.width, p.height, p.color \
         FROM product_photos a JOIN photos p ON p.id = a.photo_id ORDER BY a.product_id, a.position",
    )
    .fetch_all(pool)
    .await?;
    let mut photos: HashMap<String, Vec<Photo>> = HashMap::new();
    for row in &rows {
        photos.entry(row.try_get("product_id")?).or_default().push(photo_of(row)?);
    }
    Ok(photos)
}

/// Photos of one product, in their order.
pub async fn list_photos_of(
    connection: impl Executor<'_, Database = Any>,
    product_id: &str,
) -> Result<Vec<Photo>, Error> {
    let rows = sqlx::query(
        "SELECT p.id, a.alt, p.width, p.height, p.color \
         FROM product_photos a JOIN photos p ON p.id = a.photo_id WHERE a.product_id = $1 ORDER BY a.position",
    )
    .bind(product_id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(photo_of).collect()
}

fn photo_of(row: &AnyRow) -> Result<Photo, Error> {
    Ok(Photo {
        id: row.try_get("id")?,
        alt: row.try_get("alt")?,
        width: row.try_get("width")?,
        height: row.try_get("height")?,
        color: row.try_get("color")?,
    })
}
