//! The OpenAPI document, generated from the handlers (`/openapi.json`).

mod document;

use std::sync::{Arc, LazyLock};

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use document::complete;

use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::response_cache::Document;
use crate::storefront::Storefront;

pub fn routes() -> OpenApiRouter<Arc<Storefront>> {
    OpenApiRouter::new().routes(routes!(get_openapi_document))
}

/// The document as JSON, serialized for the first request.
#[derive(Clone, Copy)]
pub struct DocumentJson(pub &'static LazyLock<Bytes>);

pub fn to_json(document: &OpenApi) -> Bytes {
    serde_json::json!(document).to_string().into()
}

error_responses!(DocumentErrors: [NONE]);

/// Get the OpenAPI document
///
/// Returns this document as OpenAPI 3.1, with an ETag.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "OpenAPI",
    responses((status = 200, description = "The OpenAPI document.", body = Object), DocumentErrors),
)]
async fn get_openapi_document(
    State(storefront): State<Arc<Storefront>>,
    Extension(DocumentJson(json)): Extension<DocumentJson>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (route, content_type) = ("/openapi.json", "application/json");
    let document =
        async { Ok(Document { route, content_type, cache_control: "no-cache", csp: None, body: (*json).clone() }) };
    Ok(storefront.documents.get_or_render(route, document).await?.respond(&headers))
}
