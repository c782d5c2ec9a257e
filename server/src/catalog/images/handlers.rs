use std::sync::Arc;

use app::ui::{Bitmap, DrawingView, drawing, drawing_src};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse as _, Redirect, Response};
use wasm_core::catalog::Product;

use super::bitmaps;
use super::source::{RasterSource, raster_source};
use crate::catalog::Catalog;
use crate::catalog::products::Contents;
use crate::catalog::products::store::{self, Visible};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Path;
use crate::http::response_cache::{CachedResponse, Document};

error_responses!(ImageErrors: [NONE] NotFound);

/// Get a product image
///
/// Returns an image of an active product. An unknown or hidden product is a 404, and so is the technical drawing of a
/// product without dimensions. The PNG files redirect to the first photo, if the product has photos.
#[utoipa::path(
    get,
    path = "/images/{file}",
    tag = "Shop",
    operation_id = "get_product_image",
    params(("file" = String, Path, description = "The product's slug with the ending `.svg`, `-in-use.svg`, `-shelf.svg`, `-hand.svg` or `-dimensions.svg` for a drawing; `-preview.png` (1200 × 630 pixels) or `-1200.png` (1200 × 1200 pixels) for a bitmap.", example = "nudgelight-one.svg")),
    responses(
        (status = 200, description = "The image.", content((String = "image/svg+xml"), (Vec<u8> = "image/png"))),
        (status = 304, description = "The image has not changed."),
        (status = 307, description = "Redirect from a PNG file to the product's first photo."),
        ImageErrors
    ),
)]
pub async fn product_image(
    State(state): State<Arc<Catalog>>,
    Path(file): Path,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let contents = state.snapshot.current().await?;
    for (slug, kind) in candidates(&file) {
        if let Some(product) = contents.find(slug).filter(|product| product.active && product.slug == slug) {
            return current_image(&state, &contents, product, kind, &headers).await;
        }
    }
    // A product name, or a slug from before a rename.
    for (slug, kind) in candidates(&file) {
        if let Some(product) = store::find_product_by_name(state.db.read(), slug, Visible::Active).await? {
            return image(&state, &product, kind, &headers).await;
        }
    }
    Err(not_found())
}

/// Kind of an image file.
#[derive(Clone, Copy)]
enum Kind {
    Drawing(DrawingView),
    Bitmap(Bitmap),
}

/// Endings of file names. The shortest is first: a slug may itself end with `-shelf`.
const KINDS: [(&str, Kind); 7] = [
    (".svg", Kind::Drawing(DrawingView::Front)),
    ("-in-use.svg", Kind::Drawing(DrawingView::InUse)),
    ("-shelf.svg", Kind::Drawing(DrawingView::Shelf)),
    ("-hand.svg", Kind::Drawing(DrawingView::Hand)),
    ("-dimensions.svg", Kind::Drawing(DrawingView::Dimensions)),
    ("-preview.png", Kind::Bitmap(Bitmap::LinkPreview)),
    ("-1200.png", Kind::Bitmap(Bitmap::Square)),
];

fn candidates(file: &str) -> impl Iterator<Item = (&str, Kind)> {
    KINDS.into_iter().filter_map(|(ending, kind)| Some((file.strip_suffix(ending)?, kind)))
}

/// Drawings are kept in the response cache of the catalog.
async fn current_image(
    state: &Catalog,
    contents: &Contents,
    product: &Product,
    kind: Kind,
    headers: &HeaderMap,
) -> Result<Response, Error> {
    let Kind::Drawing(view) = kind else { return image(state, product, kind, headers).await };
    let document = async { drawing_of(product, view) };
    Ok(contents.responses.get_or_render(&drawing_src(product, view), document).await?.respond(headers))
}

async fn image(state: &Catalog, product: &Product, kind: Kind, headers: &HeaderMap) -> Result<Response, Error> {
    let document = match (kind, raster_source(product)) {
        (Kind::Drawing(view), _) => drawing_of(product, view)?,
        (Kind::Bitmap(_), RasterSource::Photo(photo)) => {
            return Ok(Redirect::temporary(&photo.preview()).into_response());
        }
        (Kind::Bitmap(bitmap), RasterSource::Drawing) => {
            document("image/png", bitmaps::png(product.form, product.lamp_color, bitmap).await?)
        }
    };
    Ok(CachedResponse::uncompressed(document, &state.common_headers).respond(headers))
}

fn drawing_of(product: &Product, view: DrawingView) -> Result<Document, Error> {
    let svg = drawing(product, view).ok_or_else(not_found)?;
    // The drawings to scale have a stylesheet.
    let csp = matches!(view, DrawingView::Hand | DrawingView::Dimensions)
        .then_some(HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"));
    Ok(Document { csp, ..document("image/svg+xml", svg.into()) })
}

fn document(content_type: &'static str, body: Bytes) -> Document {
    Document { route: "/images/{file}", content_type, cache_control: "public, max-age=3600", csp: None, body }
}

fn not_found() -> Error {
    Error::new(Code::NotFound, "Image not found.")
}
