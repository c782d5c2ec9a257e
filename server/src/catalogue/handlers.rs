use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::catalogue::Product;
use wasm_core::validation::{ProductInput, ProductPatch};
use wasm_core::wire::{optional_whole_number, whole_number};

use super::store::{self, Cause, InsertError, Visible};
use crate::auth::{Admin, MaybeAdmin};
use crate::db::is_unique_violation;
use crate::http::error::{Code, Error};
use crate::http::error_details::Details;
use crate::http::error_responses::error_responses;
use crate::http::extract::{Body, Path};
use crate::http::response_cache::Document;
use crate::shop::Shop;

#[derive(Deserialize, ToSchema)]
pub struct StockEdit {
    #[serde(deserialize_with = "whole_number")]
    stock: i64,
    /// The count the administrator saw: what was sold since then is not undone.
    #[serde(default, deserialize_with = "optional_whole_number")]
    #[schema(nullable = true)]
    was: Option<i64>,
}

error_responses!(ListErrors: [NONE]);

/// What is for sale; administrators see inactive products too.
#[utoipa::path(
    get,
    path = "/api/products",
    tag = "Catalogue",
    security((), ("accessToken" = [])),
    responses(
        (status = 200, description = "Every product the caller may see.", body = Vec<Product>),
        (status = 304, description = "As the caller knows it already, by `If-None-Match`."),
        ListErrors
    ),
)]
pub async fn list_products(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    MaybeAdmin(is_admin): MaybeAdmin,
) -> Result<Response, Error> {
    if is_admin {
        return Ok(Json(store::list_products(shop.db.read(), Visible::All).await?).into_response());
    }
    let contents = shop.catalogue.current().await?;
    let list = async { document("/api/products", &contents.for_sale) };
    Ok(contents.responses.get_or_render("/api/products", list).await?.respond(&headers))
}

error_responses!(GetErrors: [NONE] NotFound);

/// One product by name, slug or id; an inactive one is not found by customers.
#[utoipa::path(
    get,
    path = "/api/products/{id}",
    tag = "Catalogue",
    params(("id" = String, Path, description = "Its name, its slug of today or of before, or its id.")),
    security((), ("accessToken" = [])),
    responses(
        (status = 200, description = "The product.", body = Product),
        (status = 304, description = "As the caller knows it already, by `If-None-Match`."),
        GetErrors
    ),
)]
pub async fn get_product(
    State(shop): State<Arc<Shop>>,
    Path(name): Path,
    headers: HeaderMap,
    MaybeAdmin(is_admin): MaybeAdmin,
) -> Result<Response, Error> {
    let find = async |visible| store::find_product_by_name(shop.db.read(), &name, visible).await?.ok_or_else(not_found);
    if is_admin {
        return Ok(Json(find(Visible::All).await?).into_response());
    }
    let contents = shop.catalogue.current().await?;
    let Some(product) = contents.find(&name) else {
        // By a slug of before a rename, or by its id.
        return Ok(Json(find(Visible::Active).await?).into_response());
    };
    if !product.active {
        return Err(not_found());
    }
    // However many names lead to a product, its answer is kept at most twice.
    let key = if product.slug == name { format!("/api/products/{name}") } else { product.id.clone() };
    let one = async { document("/api/products/{id}", product) };
    Ok(contents.responses.get_or_render(&key, one).await?.respond(&headers))
}

/// An answer to everybody. It may be kept, and is asked for again each time.
fn document(route: &'static str, body: &(impl Serialize + ?Sized)) -> Result<Document, Error> {
    let body = serde_json::to_vec(body).map_err(Error::internal)?.into();
    Ok(Document { route, content_type: "application/json", cache_control: "no-cache", csp: None, body })
}

error_responses!(CreateErrors: [BODY, ADMIN] DuplicateName);

/// 201 and the new product.
#[utoipa::path(
    post,
    path = "/api/products",
    tag = "Catalogue",
    request_body = ProductInput,
    security(("accessToken" = [])),
    responses((status = 201, description = "The new product.", body = Product), CreateErrors),
)]
pub async fn create_product(
    State(shop): State<Arc<Shop>>,
    Admin(caller): Admin,
    Body(input): Body<ProductInput>,
) -> Result<(StatusCode, Json<Product>), Error> {
    let input = input.validated().map_err(Error::invalid)?;
    let now = shop.clock.now_ms();
    let product = shop
        .db
        .write_closure(move |tx| {
            let (input, who) = (input.clone(), caller.email.clone());
            Box::pin(async move {
                let id = store::insert_product(tx, &input, &who, now)
                    .await
                    .map_err(|error| name_taken(error, &input.name))?;
                store::find_product(tx, &id).await?.ok_or_else(not_found)
            })
        })
        .await?;
    Ok((StatusCode::CREATED, Json(product)))
}

error_responses!(UpdateErrors: [BODY, ADMIN] NotFound EditConflict DuplicateName);

/// Any of a product's fields; all of the edit or nothing of it.
#[utoipa::path(
    patch,
    path = "/api/products/{id}",
    tag = "Catalogue",
    params(("id" = String, Path, description = "Its id.")),
    request_body = ProductPatch,
    security(("accessToken" = [])),
    responses((status = 200, description = "The product as it is now.", body = Product), UpdateErrors),
)]
pub async fn update_product(
    State(shop): State<Arc<Shop>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(patch): Body<ProductPatch>,
) -> Result<Json<Product>, Error> {
    let now = shop.clock.now_ms();
    let product = shop
        .db
        .write_closure(move |tx| {
            let (id, patch, who) = (id.clone(), patch.clone(), caller.email.clone());
            Box::pin(async move {
                store::take_product(tx, &id).await?;
                let before = store::find_product(tx, &id).await?.ok_or_else(not_found)?;
                if patch.version.is_some_and(|version| version != before.version) {
                    return Err(Error::with_details(
                        Details::of_conflict(before),
                        "Somebody else has changed this product since you opened it.",
                    ));
                }
                let input = applied(&patch, &before).validated().map_err(Error::invalid)?;
                store::update_product(tx, &id, &input).await.map_err(|error| name_taken(error, &input.name))?;
                let change = input.stock - before.stock;
                if change != 0 {
                    store::change_stock(tx, &id, change, Cause::Edited, None, &who, now).await?;
                }
                store::find_product(tx, &id).await?.ok_or_else(not_found)
            })
        })
        .await?;
    Ok(Json(product))
}

error_responses!(StockErrors: [BODY, ADMIN] NotFound);

/// Sets the count, or with `was` adds the difference to whatever it is by now.
#[utoipa::path(
    patch,
    path = "/api/products/{id}/stock",
    tag = "Catalogue",
    params(("id" = String, Path, description = "Its id.")),
    request_body = StockEdit,
    security(("accessToken" = [])),
    responses((status = 200, description = "The product as it is now.", body = Product), StockErrors),
)]
pub async fn set_stock(
    State(shop): State<Arc<Shop>>,
    Path(id): Path,
    Admin(caller): Admin,
    Body(edit): Body<StockEdit>,
) -> Result<Json<Product>, Error> {
    let counted = ProductPatch { stock: Some(edit.stock), ..ProductPatch::default() };
    counted.validated().map_err(Error::invalid)?;
    let seen = ProductPatch { stock: edit.was, ..ProductPatch::default() };
    if seen.validated().is_err() {
        return Err(Error::invalid_field("was", "This must be a whole number from 0 to 1,000,000."));
    }
    let now = shop.clock.now_ms();
    let (stock, was) = (edit.stock, edit.was);
    let product = shop
        .db
        .write_closure(move |tx| {
            let (id, who) = (id.clone(), caller.email.clone());
            Box::pin(async move {
                store::take_product(tx, &id).await?;
                let before = store::find_product(tx, &id).await?.ok_or_else(not_found)?;
                let change = stock - was.unwrap_or(before.stock);
                if change != 0 && !store::change_stock(tx, &id, change, Cause::Edited, None, &who, now).await? {
                    return Err(Error::invalid_field(
                        "stock",
                        format!("There are {} in stock by now, so this change is not possible.", before.stock),
                    ));
                }
                store::find_product(tx, &id).await?.ok_or_else(not_found)
            })
        })
        .await?;
    Ok(Json(product))
}

/// The product as the patch would leave it.
fn applied(patch: &ProductPatch, before: &Product) -> ProductInput {
    let patch = patch.clone();
    ProductInput {
        name: patch.name.unwrap_or_else(|| before.name.clone()),
        description: patch.description.unwrap_or_else(|| before.description.clone()),
        price: patch.price.unwrap_or(before.price),
        stock: patch.stock.unwrap_or(before.stock),
        weight_pounds: patch.weight_pounds.unwrap_or(before.weight_pounds),
        active: patch.active.unwrap_or(before.active),
    }
}

fn name_taken(error: InsertError, name: &str) -> Error {
    match error {
        InsertError::Database(error) if is_unique_violation(&error) => {
            Error::new(Code::DuplicateName, format!("There already is a product named {name}."))
        }
        InsertError::Database(error) => error.into(),
        InsertError::Other(error) => error,
    }
}

fn not_found() -> Error {
    Error::new(Code::NotFound, "Product not found")
}
