//! The stock ledger of a product: its movements, and the two that an administrator adds, received and counted units.

pub mod movements;
mod stock_movement;
mod store;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::catalog::Product;

pub use self::stock_movement::OrderReference;
use self::stock_movement::StockMovement;
use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::catalog::low_stock::store::load_threshold;
use crate::catalog::products::store::find_product;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Params, Path};
use crate::http::page::{Page, PageQuery};

/// A product's stock with one page of its ledger, latest first.
#[derive(Serialize, ToSchema)]
pub struct StockLedger {
    product: Product,
    /// `null`: 4, below which customers see the Low Stock badge.
    #[schema(required, examples(10))]
    low_stock_threshold: Option<i64>,
    movements: Vec<StockMovement>,
    /// Page number, starting at 1.
    #[schema(examples(1))]
    page: i64,
    #[schema(examples(1))]
    #[serde(rename = "totalPages")]
    total_pages: i64,
    /// Number of all movements.
    #[schema(examples(1))]
    total: i64,
}

error_responses!(GetErrors: [QUERY, ADMIN] NotFound);

/// Get the stock ledger of a product
///
/// Returns the product with one page of its stock movements, latest first, each with the stock after it. An unknown id
/// is a 404, an invalid page a 400.
#[utoipa::path(
    get,
    path = "/api/admin/products/{id}/stock",
    tag = "Administration",
    params(
        ("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b"),
        PageQuery
    ),
    security(("accessToken" = [])),
    responses((status = 200, description = "The stock and its movements.", body = StockLedger), GetErrors),
)]
pub async fn get_stock_ledger(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
) -> Result<Json<StockLedger>, Error> {
    let page = page.validated()?;
    // A snapshot: the balances start from the product's stock.
    Ok(Json(state.db.snapshot(move |tx| Box::pin(async move { load_ledger(tx, &id, page).await })).await?))
}

async fn load_ledger(tx: &mut sqlx::AnyConnection, id: &str, page: Page) -> Result<StockLedger, Error> {
    let product = find_product(tx, id).await?.ok_or_else(|| Error::not_found("Product"))?;
    let total = store::count_movements(tx, id).await?;
    Ok(StockLedger {
        low_stock_threshold: load_threshold(tx, id).await?,
        movements: store::list_movements(tx, id, product.stock, page).await?,
        product,
        page: page.number,
        total_pages: page.total_pages(total),
        total,
    })
}
