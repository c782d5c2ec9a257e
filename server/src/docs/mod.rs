//! The OpenAPI document, generated from the handlers (`/openapi.json`), and the API reference (`/docs`).

mod complete;
mod page;
mod shape;

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use complete::completed;

use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::http::response_cache::Document;
use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(get_document)).routes(routes!(show_docs))
}

/// Both formats, built once at startup.
pub struct Description {
    json: Bytes,
    page: Bytes,
    policy: HeaderValue,
}

impl Description {
    pub fn of(document: &OpenApi) -> Self {
        Self {
            json: serde_json::json!(document).to_string().into(),
            page: page::render(&serde_json::json!(document)).into(),
            policy: page::policy(),
        }
    }
}

error_responses!(DocumentErrors: [NONE]);

/// Get the OpenAPI 3.1 document
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Description",
    responses((status = 200, description = "The OpenAPI document.", body = Object), DocumentErrors),
)]
async fn get_document(
    State(shop): State<Arc<Shop>>,
    Extension(description): Extension<Arc<Description>>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (route, kind, body) = ("/openapi.json", "application/json", description.json.clone());
    let document = async { Ok(Document { route, content_type: kind, cache_control: "no-cache", csp: None, body }) };
    Ok(shop.documents.get_or_render(route, document).await?.respond(&headers))
}

error_responses!(PageErrors: [NONE]);

/// Get the API reference
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Description",
    responses((status = 200, description = "The API reference as HTML.", body = String, content_type = "text/html"), PageErrors),
)]
async fn show_docs(
    State(shop): State<Arc<Shop>>,
    Extension(description): Extension<Arc<Description>>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (route, kind, body) = ("/docs", "text/html; charset=utf-8", description.page.clone());
    let policy = Some(description.policy.clone());
    let document = async { Ok(Document { route, content_type: kind, cache_control: "no-cache", csp: policy, body }) };
    Ok(shop.documents.get_or_render(route, document).await?.respond(&headers))
}
