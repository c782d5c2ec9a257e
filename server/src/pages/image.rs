//! Product images: one drawing, with a lamp color derived from the product id.

use std::sync::Arc;

use app::ui::{Illustration, svg_file};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use wasm_core::catalogue::{Product, lamp_color};

use crate::catalogue::store::{self, Visible};
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::extract::Path;
use crate::http::response_cache::{CachedResponse, Document};
use crate::shop::Shop;

error_responses!(ImageErrors: [NONE] NotFound);

/// Get a product image
///
/// Returns the SVG image of an active product. An unknown or hidden product is a 404.
#[utoipa::path(
    get,
    path = "/images/{file}",
    tag = "Shop",
    operation_id = "get_product_image",
    params(("file" = String, Path, description = "The product's slug with the extension `.svg`.", example = "nudgelight-one.svg")),
    responses((status = 200, description = "The image.", body = String, content_type = "image/svg+xml"), (status = 304, description = "The image has not changed."), ImageErrors),
)]
pub async fn product_image(
    State(shop): State<Arc<Shop>>,
    Path(file): Path,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let missing = || Error::new(Code::NotFound, "Image not found.");
    let slug = file.strip_suffix(".svg").ok_or_else(missing)?;
    let contents = shop.catalogue.current().await?;
    if let Some(product) = contents.find(slug).filter(|product| product.active && product.slug == slug) {
        let drawing = async { Ok(drawing_of(product)) };
        return Ok(contents.responses.get_or_render(&format!("/images/{file}"), drawing).await?.respond(&headers));
    }
    // A product name, or a slug from before a rename.
    let product = store::find_product_by_name(shop.db.read(), slug, Visible::Active).await?.ok_or_else(missing)?;
    Ok(CachedResponse::uncompressed(drawing_of(&product), &shop.common_headers).respond(&headers))
}

fn drawing_of(product: &Product) -> Document {
    let svg = svg_file(Illustration::Front, lamp_color(&product.id));
    let caching = "public, max-age=3600";
    Document {
        route: "/images/{file}",
        content_type: "image/svg+xml",
        cache_control: caching,
        csp: None,
        body: svg.into(),
    }
}
