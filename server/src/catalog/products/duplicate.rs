//! Copies of products.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use sqlx::AnyConnection;
use wasm_core::catalog::{MAX_NAME, Product, ProductInput};

use super::handlers::{insert, load};
use super::store;
use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Path;

error_responses!(DuplicateErrors: [ADMIN] NotFound DuplicateName);

/// Duplicate a product
///
/// Creates a hidden product named `Copy of …` and returns it. The copy has everything but the stock, the photos, the
/// SKU and the GTIN.
#[utoipa::path(
    post,
    path = "/api/products/{id}/duplicate",
    tag = "Catalog",
    params(("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b")),
    security(("accessToken" = [])),
    responses((status = 201, description = "The copy.", body = Product), DuplicateErrors),
)]
pub async fn duplicate_product(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(caller): Admin,
) -> Result<(StatusCode, Json<Product>), Error> {
    let args = (id, caller.email, state.clock.now_ms());
    let product = state.db.write(args, |tx, (id, actor, now)| Box::pin(duplicate(tx, id, actor, *now))).await?;
    Ok((StatusCode::CREATED, Json(product)))
}

/// The lock makes two copies at once get two names.
async fn duplicate(tx: &mut AnyConnection, id: &str, actor: &str, now: i64) -> Result<Product, Error> {
    store::lock_product(tx, id).await?;
    let original = load(tx, id).await?;
    let name = free_name(tx, &original.name).await?;
    let copy = ProductInput { name, active: false, stock: 0, sku: None, gtin: None, ..original.into() };
    insert(tx, &copy, actor, now).await
}

/// `Copy of …`, with a number if the name is taken.
async fn free_name(tx: &mut AnyConnection, original: &str) -> Result<String, Error> {
    let mut name = copy_name(original, "");
    let mut number = 1_u32;
    while store::has_name(tx, &name).await? {
        number += 1;
        name = copy_name(original, &format!(" ({number})"));
    }
    Ok(name)
}

/// A long name is cut, so that its copy has a valid one.
fn copy_name(original: &str, suffix: &str) -> String {
    let start: String = format!("Copy of {original}").chars().take(MAX_NAME - suffix.len()).collect();
    format!("{}{suffix}", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_copy_is_never_too_long() {
        assert_eq!(copy_name("Nudgelight One", " (2)"), "Copy of Nudgelight One (2)");
        let longest = "é".repeat(MAX_NAME);
        assert_eq!(copy_name(&longest, " (12)").chars().count(), MAX_NAME);
        assert!(copy_name(&longest, " (12)").ends_with("é (12)"));
    }
}
