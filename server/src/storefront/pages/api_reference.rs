//! The API reference: a viewer of the OpenAPI document, without the shell.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::shell_files;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::response_cache::Document;
use crate::storefront::Storefront;

/// Swagger UI sets inline styles and has icons in data URLs. It sends requests to the shop only.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'none'; \
     script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; style-src 'self' 'unsafe-inline'",
);

error_responses!(ReferenceErrors: [NONE]);

/// Get the API reference
///
/// Returns the viewer of the OpenAPI document as HTML. It can send requests to the shop, with an access token too.
#[utoipa::path(
    get,
    path = "/docs",
    tag = "OpenAPI",
    responses(
        (status = 200, description = "The API reference.", body = String, content_type = "text/html"),
        ReferenceErrors,
    ),
)]
pub async fn get_api_reference(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let (route, content_type) = ("/docs", "text/html; charset=utf-8");
    let document = async {
        let body = shell_files::api_reference_html()
            .ok_or_else(|| Error::internal("the shell is not built: run `cargo xtask run`"))?;
        Ok(Document { route, content_type, cache_control: "no-cache", csp: Some(POLICY), body })
    };
    Ok(state.documents.get_or_render(route, document).await?.respond(&headers))
}
