//! Server-side rendering of complete HTML documents: the shell's document with the page's head and body.

use std::sync::Arc;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::data::{PageData, embedded};
use super::page::Page;
use super::{head, policy, render, shell_files};
use crate::catalog::products::Contents;
use crate::error::Error;
use crate::http::response_cache::{CachedResponse, Document};
use crate::storefront::Storefront;

/// Placeholders in the shell's document.
const HEAD: &str = "<!--page-head-->";
const BODY: &str = "<div id=\"root\"></div>";

/// The parts of a request that a page depends on.
pub struct PageRequest<'a> {
    pub path: &'a str,
    pub headers: &'a HeaderMap,
}

/// The catalog, or `None` when the database is unavailable. The shell then shows the error.
pub async fn contents(state: &Storefront) -> Option<Arc<Contents>> {
    match state.catalog.snapshot.current().await {
        Ok(contents) => Some(contents),
        Err(error) => {
            tracing::warn!(%error, "rendering a page without the catalog");
            None
        }
    }
}

/// Responds with the page, which is rendered once per catalog version and cached, with an `ETag`.
pub async fn respond(
    state: &Storefront,
    request: &PageRequest<'_>,
    page: Page,
    status: StatusCode,
    contents: Option<Arc<Contents>>,
) -> Response {
    let cached = match cached_response(state, page, contents).await {
        Ok(cached) => cached,
        Err(error) => return error.into_response(),
    };
    let mut response = match status {
        StatusCode::OK => cached.respond(request.headers),
        _ => cached.respond_full(status, request.headers),
    };
    // The content security policy depends on the path, and some paths share one cached document.
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy::of(&state.config, request.path));
    response
}

async fn cached_response(
    state: &Storefront,
    page: Page,
    contents: Option<Arc<Contents>>,
) -> Result<Arc<CachedResponse>, Error> {
    let (Some(contents), Some(key)) = (&contents, page.cache_key()) else {
        let document = render_document(state, page, contents.as_deref());
        return state.uncached_pages.render(document, state.common_headers.clone()).await;
    };
    contents.responses.get_or_render(&key, render_document(state, page, Some(contents))).await
}

async fn render_document(state: &Storefront, page: Page, contents: Option<&Contents>) -> Result<Document, Error> {
    let document =
        shell_files::html().ok_or_else(|| Error::internal("the shell is not built: run `cargo xtask run`"))?;
    let (start, rest) =
        document.split_once(HEAD).ok_or_else(|| Error::internal("the shell's document has no head placeholder"))?;
    let (middle, end) =
        rest.split_once(BODY).ok_or_else(|| Error::internal("the shell's document has no body placeholder"))?;
    let data = Arc::new(PageData::of(state, &page, contents));
    let json = embedded(state, &page, &data, contents).map_err(Error::internal)?;
    let head = head::head_html(&page, &data);
    let (route, policy) = (page.metrics_route(), page.canonical_path().map(|path| policy::of(&state.config, &path)));
    let body = render::body_html(page, data).await?;
    let html =
        format!("{start}{head}{middle}{body}<script type=\"application/json\" id=\"first-paint\">{json}</script>{end}");
    Ok(Document {
        route,
        content_type: "text/html; charset=utf-8",
        cache_control: "no-cache",
        csp: policy,
        body: html.into(),
    })
}
