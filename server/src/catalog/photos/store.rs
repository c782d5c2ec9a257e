//! SQL of photos, their variants, and the products they belong to.

use sqlx::{AnyConnection, AnyPool};
use wasm_core::catalog::{ListedPhoto, Photo};

use crate::error::Error;
use photo_processing::{Format, Variant};

pub async fn find_variant(
    pool: &AnyPool,
    photo_id: &str,
    width: u32,
    format: Format,
) -> Result<Option<Vec<u8>>, Error> {
    let bytes =
        sqlx::query_scalar("SELECT bytes FROM photo_variants WHERE photo_id = $1 AND width = $2 AND format = $3")
            .bind(photo_id)
            .bind(i64::from(width))
            .bind(format.as_str());
    Ok(bytes.fetch_optional(pool).await?)
}

/// Inserts a photo without its variants. One that is already there is used from now on, so that it is not deleted meanwhile.
pub async fn insert_photo(tx: &mut AnyConnection, photo: &Photo, now: i64) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO photos (id, width, height, color, last_used_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (id) DO UPDATE SET last_used_at = excluded.last_used_at",
    )
    .bind(&photo.id)
    .bind(photo.width)
    .bind(photo.height)
    .bind(&photo.color)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(())
}

/// Inserts a variant, if an earlier upload of the same file did not.
pub async fn insert_variant(tx: &mut AnyConnection, photo_id: &str, variant: &Variant) -> Result<(), Error> {
    sqlx::query(
        "INSERT INTO photo_variants (photo_id, width, format, bytes) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (photo_id, width, format) DO NOTHING",
    )
    .bind(photo_id)
    .bind(i64::from(variant.width))
    .bind(variant.format.as_str())
    .bind(variant.bytes.as_slice())
    .execute(tx)
    .await?;
    Ok(())
}

/// Replaces the photos of a product, which is locked, and increments its version.
pub async fn replace_photos(
    tx: &mut AnyConnection,
    product_id: &str,
    photos: &[ListedPhoto],
    now: i64,
) -> Result<(), Error> {
    sqlx::query(
        "UPDATE photos SET last_used_at = $2 WHERE id IN (SELECT photo_id FROM product_photos WHERE product_id = $1)",
    )
    .bind(product_id)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query("DELETE FROM product_photos WHERE product_id = $1").bind(product_id).execute(&mut *tx).await?;
    for (position, photo) in (0_i64..).zip(photos) {
        sqlx::query("INSERT INTO product_photos (product_id, position, photo_id, alt) VALUES ($1, $2, $3, $4)")
            .bind(product_id)
            .bind(position)
            .bind(&photo.id)
            .bind(&photo.alt)
            .execute(&mut *tx)
            .await?;
    }
    sqlx::query("UPDATE products SET version = version + 1, updated_at = $2 WHERE id = $1")
        .bind(product_id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// Deletes photos that no product has used since `before`: removed ones, and what an interrupted upload left. Returns
/// their number.
pub async fn delete_unused(tx: &mut AnyConnection, before: i64, limit: i64) -> Result<u64, Error> {
    let deleted = sqlx::query(
        "DELETE FROM photos WHERE id IN \
         (SELECT p.id FROM photos p WHERE p.last_used_at < $1 \
          AND NOT EXISTS (SELECT 1 FROM product_photos a WHERE a.photo_id = p.id) \
          ORDER BY p.last_used_at, p.id LIMIT $2)",
    )
    .bind(before)
    .bind(limit)
    .execute(tx)
    .await?;
    Ok(deleted.rows_affected())
}
