//! The description of every call, made from the code: `/openapi.json` for programs, `/docs` for people.

mod complete;
mod page;
mod shape;

use std::sync::Arc;

use axum::Extension;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use complete::completed;

use crate::refusals::refusals;
use crate::shop::Shop;

pub fn router() -> OpenApiRouter<Arc<Shop>> {
    OpenApiRouter::new().routes(routes!(get_document)).routes(routes!(show_docs))
}

/// Both forms, made once when the server starts.
pub struct Description {
    json: String,
    page: String,
    policy: HeaderValue,
}

impl Description {
    pub fn of(document: &OpenApi) -> Self {
        Self {
            json: serde_json::json!(document).to_string(),
            page: page::render(&serde_json::json!(document)),
            policy: page::policy(),
        }
    }
}

refusals!(DocumentRefusals: [NONE]);

/// This description, in the form of OpenAPI 3.1.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Description",
    responses((status = 200, description = "An OpenAPI document.", body = Object), DocumentRefusals),
)]
async fn get_document(Extension(description): Extension<Arc<Description>>) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, description.json.clone()).into_response()
}

refusals!(PageRefusals: [NONE]);

/// This description as a page.
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Description",
    responses((status = 200, description = "A page.", body = String, content_type = "text/html"), PageRefusals),
)]
async fn show_docs(Extension(description): Extension<Arc<Description>>) -> Response {
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::CONTENT_SECURITY_POLICY, description.policy.clone()),
    ];
    (headers, Html(description.page.clone())).into_response()
}
