//! The data of the buy button: what it displays, ready to display, so that it needs no rules of its own.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::cart::quantity_limit;
use wasm_core::catalog::{Product, StockBadge, stock_badge};

use crate::catalog::images::{Picture, main_picture};
use crate::catalog::products::store::{self, Visible};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Path;
use crate::http::response_cache::{CachedResponse, Document};
use crate::storefront::Storefront;

/// A product as the buy button displays it. URLs are absolute.
#[derive(Serialize, ToSchema)]
#[schema(examples(json!({
    "id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b",
    "name": "Nudgelight One",
    "url": "https://shop.example/products/nudgelight-one",
    "picture": {
        "src": "https://shop.example/images/nudgelight-one.svg",
        "alt": "Drawing of Nudgelight One",
        "width": 480,
        "height": 360,
    },
    "price": "$24.99",
    "stock": { "code": "in_stock", "label": "In Stock" },
    "quantity_limit": 99,
})))]
pub struct BuyButton {
    id: String,
    name: String,
    /// The product's page.
    url: String,
    picture: BuyButtonPicture,
    /// The price of one unit, formatted.
    price: String,
    stock: BuyButtonStock,
    /// The largest quantity that can be ordered; 0 if the product is sold out.
    quantity_limit: i64,
}

/// The product's first photograph, or else its drawing.
#[derive(Serialize, ToSchema)]
struct BuyButtonPicture {
    src: String,
    alt: String,
    width: i64,
    height: i64,
}

#[derive(Serialize, ToSchema)]
struct BuyButtonStock {
    code: StockBadge,
    /// The code in words.
    label: &'static str,
}

impl BuyButton {
    fn of(product: &Product, public_url: &str) -> Self {
        let Picture { path, alt, width, height } = main_picture(product);
        let badge = stock_badge(product.available);
        Self {
            id: product.id.clone(),
            name: product.name.clone(),
            url: format!("{public_url}/products/{}", product.slug),
            picture: BuyButtonPicture { src: format!("{public_url}{path}"), alt, width, height },
            price: product.price.to_string(),
            stock: BuyButtonStock { code: badge, label: badge.label() },
            quantity_limit: quantity_limit(product.available),
        }
    }
}

error_responses!(ButtonErrors: [NONE] NotFound);

/// Get the buy button of a product
///
/// Returns what the buy button displays, formatted by the shop's rules. An unknown or hidden product is a 404. The button
/// leads to `/cart?add={id}:{quantity}`, where the customer confirms.
#[utoipa::path(
    get,
    path = "/api/products/{id}/buy-button",
    tag = "Catalog",
    params(("id" = String, Path, description = "The name, the current or a former slug, or the id.", example = "nudgelight-one")),
    responses(
        (status = 200, description = "The buy button.", body = BuyButton),
        (status = 304, description = "Not modified: `If-None-Match` has the current ETag."),
        ButtonErrors
    ),
)]
pub async fn get_buy_button(
    State(state): State<Arc<Storefront>>,
    Path(name): Path,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let contents = state.catalog.snapshot.current().await?;
    let by_id = || contents.active.iter().find(|product| product.id == name);
    let Some(product) = contents.find(&name).filter(|product| product.active).or_else(by_id) else {
        // By a former slug.
        let found =
            store::find_product_by_name(state.db.read(), &name, Visible::Active).await?.ok_or_else(not_found)?;
        return Ok(CachedResponse::uncompressed(document(&found, &state)?, &state.common_headers).respond(&headers));
    };
    let key = format!("/api/products/{}/buy-button", product.slug);
    let button = async { document(product, &state) };
    Ok(contents.responses.get_or_render(&key, button).await?.respond(&headers))
}

fn document(product: &Product, state: &Storefront) -> Result<Document, Error> {
    let body = serde_json::to_vec(&BuyButton::of(product, &state.public_url)).map_err(Error::internal)?.into();
    let (route, content_type) = ("/api/products/{id}/buy-button", "application/json");
    Ok(Document { route, content_type, cache_control: "no-cache", csp: None, body })
}

fn not_found() -> Error {
    Error::new(Code::NotFound, "Product not found")
}
