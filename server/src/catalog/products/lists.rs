//! Endpoints of products in lists: a page of the product list, the names for the menu, related products.

use std::sync::Arc;

use app::catalog::related_products;
use axum::Json;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::IntoParams;
use wasm_core::catalog::{Product, ProductList, ProductQuery};

use super::handlers::{not_found, public_document};
use super::snapshot::ProductName;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::Path;

/// Parameters of the product list, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the rules parse the query string")]
struct ListParams {
    /// Words that the name contains, in any order and ignoring case. For example: `amber`.
    #[param(value_type = String, required = false)]
    q: String,
    /// Order of the products: `featured` (the order of the catalog), `price` (the lowest first) or `newest`.
    #[param(value_type = String, required = false, default = "featured", example = "price")]
    sort: String,
    /// Page number, starting at 1. A page beyond the end is the last one.
    #[param(value_type = String, required = false, default = "1", example = "2")]
    page: String,
}

error_responses!(ListErrors: [NONE]);

/// Get a page of the product list
///
/// Returns 24 active products with the number of all of them, by the query string of the page `/products`. As on that
/// page, an invalid value becomes its default; `query` has the values that were used.
#[utoipa::path(
    get,
    path = "/api/product-list",
    tag = "Catalog",
    params(ListParams),
    responses((status = 200, description = "The page.", body = ProductList), ListErrors),
)]
pub async fn find_product_list(
    State(state): State<Arc<Catalog>>,
    RawQuery(query): RawQuery,
) -> Result<Json<ProductList>, Error> {
    let query = ProductQuery::parse(&query.unwrap_or_default());
    Ok(Json(ProductList::select(&state.snapshot.current().await?.active, &query)))
}

error_responses!(RelatedErrors: [NONE] NotFound);

/// List related products
///
/// Returns up to three other active products: those that follow in the catalog. An unknown or hidden product is a 404.
#[utoipa::path(
    get,
    path = "/api/products/{id}/related",
    tag = "Catalog",
    params(("id" = String, Path, description = "The name, the current slug, or the id.", example = "nudgelight-one")),
    responses((status = 200, description = "The related products.", body = Vec<Product>), RelatedErrors),
)]
pub async fn list_related_products(
    State(state): State<Arc<Catalog>>,
    Path(name): Path,
) -> Result<Json<Vec<Product>>, Error> {
    let contents = state.snapshot.current().await?;
    let by_id = || contents.active.iter().find(|product| product.id == name);
    let product = contents.find(&name).filter(|product| product.active).or_else(by_id).ok_or_else(not_found)?;
    Ok(Json(related_products(&product.id, &contents.active)))
}

error_responses!(NamesErrors: [NONE]);

/// List product names
///
/// Returns the name and the slug of every active product. With a current `If-None-Match` the response is a 304.
#[utoipa::path(
    get,
    path = "/api/product-names",
    tag = "Catalog",
    responses(
        (status = 200, description = "The names.", body = Vec<ProductName>),
        (status = 304, description = "Not modified: `If-None-Match` has the current ETag."),
        NamesErrors
    ),
)]
pub async fn list_product_names(State(state): State<Arc<Catalog>>, headers: HeaderMap) -> Result<Response, Error> {
    let contents = state.snapshot.current().await?;
    let names = async { public_document("/api/product-names", &contents.names().collect::<Vec<_>>()) };
    Ok(contents.responses.get_or_render("/api/product-names", names).await?.respond(&headers))
}
