//! Endpoints of the catalog.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use sqlx::AnyConnection;
use utoipa::{IntoParams, ToSchema};
use wasm_core::catalog::{Product, ProductInput, STOCK_RANGE, check_stock};
use wasm_core::validation::MAX_LINES;
use wasm_core::wire::{optional_whole_number, whole_number};

use super::patch::ProductPatch;
use super::store::{self, InsertError, StockReason, Visible};
use crate::accounts::{Admin, MaybeAdmin};
use crate::catalog::Catalog;
use crate::error::database::is_unique_violation;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::{Body, Params, Path};
use crate::http::members::Members;
use crate::http::response_cache::Document;

#[derive(Clone, Deserialize, ToSchema)]
#[schema(examples(json!({
    "stock": 25,
    "was": 24,
})))]
pub struct StockEdit {
    /// The new stock.
    #[serde(deserialize_with = "whole_number")]
    stock: i64,
    /// The stock that the administrator saw. If given, the difference is applied, so sales since then are kept.
    #[serde(default, deserialize_with = "optional_whole_number")]
    #[schema(nullable = true)]
    was: Option<i64>,
}

/// The products to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct IdsQuery {
    /// At most 50 ids, separated by commas: the products of a cart. For example:
    /// `0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b`.
    #[param(value_type = String, required = false)]
    ids: Option<String>,
}

impl IdsQuery {
    fn validated(&self) -> Result<Option<HashSet<&str>>, Error> {
        let Some(ids) = self.ids.as_deref() else { return Ok(None) };
        let ids: HashSet<&str> = ids.split(',').collect();
        if ids.len() > MAX_LINES {
            return Err(Error::invalid_field("ids", format!("Ask for at most {MAX_LINES} products.")));
        }
        Ok(Some(ids))
    }
}

error_responses!(ListErrors: [QUERY]);

/// List products
///
/// Returns every active product; administrators also get hidden ones. The response to a current `If-None-Match` is a 304.
/// With `ids`, it returns the active products with these ids; unknown ids are left out.
#[utoipa::path(
    get,
    path = "/api/products",
    tag = "Catalog",
    params(IdsQuery),
    security((), ("accessToken" = [])),
    responses(
        (status = 200, description = "The products.", body = Vec<Product>),
        (status = 304, description = "Not modified: `If-None-Match` has the current ETag."),
        ListErrors
    ),
)]
pub async fn list_products(
    State(state): State<Arc<Catalog>>,
    Params(query): Params<IdsQuery>,
    headers: HeaderMap,
    MaybeAdmin(is_admin): MaybeAdmin,
) -> Result<Response, Error> {
    if let Some(ids) = query.validated()? {
        let contents = state.snapshot.current().await?;
        let found: Vec<&Product> = contents.active.iter().filter(|product| ids.contains(&*product.id)).collect();
        return Ok(Json(found).into_response());
    }
    if is_admin {
        return Ok(Json(store::list_products(state.db.read(), Visible::All).await?).into_response());
    }
    let contents = state.snapshot.current().await?;
    let list = async { public_document("/api/products", &contents.active) };
    Ok(contents.responses.get_or_render("/api/products", list).await?.respond(&headers))
}

error_responses!(GetErrors: [NONE] NotFound);

/// Get a product
///
/// Returns a product by name, slug or id. A hidden product is a 404 for customers, an unknown one for everyone.
#[utoipa::path(
    get,
    path = "/api/products/{id}",
    tag = "Catalog",
    params(("id" = String, Path, description = "The name, the current or a former slug, or the id.", example = "nudgelight-one")),
    security((), ("accessToken" = [])),
    responses(
        (status = 200, description = "The product.", body = Product),
        (status = 304, description = "Not modified: `If-None-Match` has the current ETag."),
        GetErrors
    ),
)]
pub async fn get_product(
    State(state): State<Arc<Catalog>>,
    Path(name): Path,
    headers: HeaderMap,
    MaybeAdmin(is_admin): MaybeAdmin,
) -> Result<Response, Error> {
    let find =
        async |visible| store::find_product_by_name(state.db.read(), &name, visible).await?.ok_or_else(not_found);
    if is_admin {
        return Ok(Json(find(Visible::All).await?).into_response());
    }
    let contents = state.snapshot.current().await?;
    let Some(product) = contents.find(&name) else {
        // By a former slug or by id.
        return Ok(Json(find(Visible::Active).await?).into_response());
    };
    if !product.active {
        return Err(not_found());
    }
    // At most two cache entries for each product, however many names lead to it.
    let key = if product.slug == name { format!("/api/products/{name}") } else { product.id.clone() };
    let one = async { public_document("/api/products/{id}", product) };
    Ok(contents.responses.get_or_render(&key, one).await?.respond(&headers))
}

/// A public response that caches must revalidate.
pub(super) fn public_document(route: &'static str, body: &(impl Serialize + ?Sized)) -> Result<Document, Error> {
    let body = serde_json::to_vec(body).map_err(Error::internal)?.into();
    Ok(Document { route, content_type: "application/json", cache_control: "no-cache", csp: None, body })
}

error_responses!(CreateErrors: [BODY, ADMIN] DuplicateName);

/// Create a product
///
/// Returns the new product. Invalid members are a 400 with a message for each, and a name that exists is a
/// `DuplicateName`.
#[utoipa::path(
    post,
    path = "/api/products",
    tag = "Catalog",
    request_body = ProductInput,
    security(("accessToken" = [])),
    responses((status = 201, description = "The new product.", body = Product), CreateErrors),
)]
pub async fn create_product(
    State(state): State<Arc<Catalog>>,
    Admin(caller): Admin,
    Body(input): Body<ProductInput>,
) -> Result<(StatusCode, Json<Product>), Error> {
    let input = input.validated().map_err(Error::invalid)?;
    let args = (input, caller.email, state.clock.now_ms());
    let product = state.db.write(args, |tx, (input, actor, now)| Box::pin(insert(tx, input, actor, *now))).await?;
    Ok((StatusCode::CREATED, Json(product)))
}

pub(super) async fn insert(
    tx: &mut AnyConnection,
    input: &ProductInput,
    actor: &str,
    now: i64,
) -> Result<Product, Error> {
    let inserted = store::insert_product(tx, input, actor, now).await;
    let id = inserted.map_err(|error| insert_error(error, &input.name))?;
    load(tx, &id).await
}

pub(super) async fn load(tx: &mut AnyConnection, id: &str) -> Result<Product, Error> {
    store::find_product(tx, id).await?.ok_or_else(not_found)
}

error_responses!(UpdateErrors: [BODY, ADMIN] NotFound EditConflict DuplicateName);

/// Update a product
///
/// Changes the given members, all or none, and returns the product. Invalid members are a 400, a name that exists is a
/// `DuplicateName`. With `version`, an edit of an outdated product is an `EditConflict` (optimistic concurrency).
#[utoipa::path(
    patch,
    path = "/api/products/{id}",
    tag = "Catalog",
    params(("id" = String, Path, description = "The name, the current or a former slug, or the id.", example = "nudgelight-one")),
    request_body = ProductPatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated product.", body = Product), UpdateErrors),
)]
pub async fn update_product(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(caller): Admin,
    members: Members,
) -> Result<Json<Product>, Error> {
    let (patch, now) = (ProductPatch::parse(members)?, state.clock.now_ms());
    let update = |id: String| {
        let args = (id, patch.clone(), caller.email.clone(), now);
        state.db.write(args, |tx, (id, patch, actor, now)| Box::pin(update(tx, id, patch, actor, *now)))
    };
    Ok(Json(by_id_or_name(&state, id, update).await?))
}

/// Changes a product by its id or, if no product has that id, by its name or slug.
async fn by_id_or_name<T, F>(state: &Catalog, name: String, change: impl Fn(String) -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    match change(name.clone()).await {
        Err(error) if error.code() == Code::NotFound => {
            let product = store::find_product_by_name(state.db.read(), &name, Visible::All).await?;
            change(product.ok_or(error)?.id).await
        }
        changed => changed,
    }
}

async fn update(
    tx: &mut AnyConnection,
    id: &str,
    patch: &ProductPatch,
    actor: &str,
    now: i64,
) -> Result<Product, Error> {
    store::lock_product(tx, id).await?;
    let before = load(tx, id).await?;
    if patch.version.is_some_and(|version| version != before.version) {
        return Err(Error::edit_conflict(&before, "This product was changed by someone else."));
    }
    let input = patch.applied_to(&before.clone().into())?;
    store::update_product(tx, id, &input, now).await.map_err(|error| insert_error(error, &input.name))?;
    let change = input.stock - before.stock;
    if change != 0 {
        store::change_stock(tx, id, change, StockReason::Edited, None, actor, now).await?;
    }
    load(tx, id).await
}

error_responses!(StockErrors: [BODY, ADMIN] NotFound);

/// Set the stock of a product
///
/// Sets the stock, or with `was` applies the difference to the current stock, and returns the product. A result below
/// zero is a 400, an unknown id a 404.
#[utoipa::path(
    patch,
    path = "/api/products/{id}/stock",
    tag = "Catalog",
    operation_id = "set_product_stock",
    params(("id" = String, Path, description = "The name, the current or a former slug, or the id.", example = "nudgelight-one")),
    request_body = StockEdit,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated product.", body = Product), StockErrors),
)]
pub async fn set_stock(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(edit): Body<StockEdit>,
) -> Result<Json<Product>, Error> {
    check_stock(edit.stock).map_err(|message| Error::invalid_field("stock", message))?;
    if edit.was.is_some_and(|was| check_stock(was).is_err()) {
        return Err(Error::invalid_field("was", format!("This must be a whole number from {STOCK_RANGE}.")));
    }
    let now = state.clock.now_ms();
    let change = |id: String| {
        let args = (id, edit.clone(), caller.email.clone(), now);
        state.db.write(args, |tx, (id, edit, actor, now)| Box::pin(edit_stock(tx, id, edit, actor, *now)))
    };
    Ok(Json(by_id_or_name(&state, id, change).await?))
}

async fn edit_stock(
    tx: &mut AnyConnection,
    id: &str,
    edit: &StockEdit,
    actor: &str,
    now: i64,
) -> Result<Product, Error> {
    store::lock_product(tx, id).await?;
    let before = load(tx, id).await?;
    let change = edit.stock - edit.was.unwrap_or(before.stock);
    if change != 0 && !store::change_stock(tx, id, change, StockReason::Edited, None, actor, now).await? {
        return Err(Error::invalid_field("stock", format!("Only {} left in stock.", before.stock)));
    }
    load(tx, id).await
}

fn insert_error(error: InsertError, name: &str) -> Error {
    match error {
        InsertError::Database(error) if is_unique_violation(&error) => {
            Error::new(Code::DuplicateName, format!("A product named {name} already exists."))
        }
        InsertError::Database(error) => error.into(),
        InsertError::Other(error) => error,
    }
}

pub(super) fn not_found() -> Error {
    Error::new(Code::NotFound, "Product not found")
}
