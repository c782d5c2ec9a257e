//! The products table: search, filter, order and pages of all products, active or hidden.

mod query;
mod store;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::catalog::Product;

use self::query::TableQuery;
use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::catalog::products::store::list_products_by_id;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Params;
use crate::http::page::PageQuery;

/// Page of the products table.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({
    "products": [],
    "page": 1,
    "totalPages": 1,
    "total": 0,
})))]
pub struct ProductPage {
    products: Vec<Product>,
    /// Page number, starting at 1.
    page: i64,
    total_pages: i64,
    /// Number of matching products.
    total: i64,
}

error_responses!(ListErrors: [QUERY, ADMIN]);

/// List all products in pages
///
/// Returns one page of all products, active and hidden, with the total number of matches. An invalid parameter is
/// a 400. A page past the end is empty.
#[utoipa::path(
    get,
    path = "/api/admin/products",
    tag = "Administration",
    operation_id = "list_all_products",
    params(PageQuery, TableQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of products.", body = ProductPage), ListErrors),
)]
pub async fn list_products(
    State(state): State<Arc<Catalog>>,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
    Params(query): Params<TableQuery>,
) -> Result<Json<ProductPage>, Error> {
    let (filter, page) = query.validated_with(&page)?;
    let total = store::count(&state.db, &filter).await?;
    let ids = store::list_ids(&state.db, &filter, page).await?;
    let products = list_products_by_id(state.db.read(), &ids).await?;
    Ok(Json(ProductPage { products, page: page.number, total_pages: page.total_pages(total), total }))
}
