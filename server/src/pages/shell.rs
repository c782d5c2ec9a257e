//! The built shell, carried inside the binary.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use rust_embed::{Embed, EmbeddedFile};

use super::document::{self, Asked};
use super::page::Page;
use super::paths;
use crate::error::{Code, Error};
use crate::kept::{accepts, etag_of, is_known};
use crate::refusals::refusals;
use crate::shop::Shop;

#[derive(Embed)]
#[folder = "../react-shell/dist"]
struct Files;

refusals!(OrdersRefusals: [NONE]);

/// The specification's old address for one's own orders.
#[utoipa::path(
    get,
    path = "/orders",
    tag = "The shop",
    responses((status = 308, description = "To the page of one's own orders."), OrdersRefusals),
)]
pub async fn to_own_orders() -> Redirect {
    Redirect::permanent("/profile/orders")
}

/// A file of the shell, or its document for everything that is a page.
pub async fn serve(State(shop): State<Arc<Shop>>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path.starts_with("/test-stripe/") {
        return Error::new(Code::NotFound, "There is no such call.").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let mut refused = Error::new(Code::MethodNotAllowed, "Pages can only be read.").into_response();
        refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    match Files::get(path.trim_start_matches('/')) {
        Some(file) if path != "/" && path != "/index.html" => asset(path, &file, request.headers()),
        _ => show_page(&shop, path, request.headers()).await,
    }
}

/// The page at this path; the home page with 404 where there is none.
async fn show_page(shop: &Shop, path: &str, headers: &HeaderMap) -> Response {
    let status = if paths::is_known(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let contents = document::contents(shop).await;
    document::answer(shop, &Asked { path, headers }, Page::at(paths::without_slash(path)), status, contents).await
}

fn asset(path: &str, file: &EmbeddedFile, asked: &HeaderMap) -> Response {
    // Names under /assets/ carry a hash of their content.
    let caching =
        if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
    let kind = match file.metadata.mimetype() {
        kind if kind.starts_with("text/") => format!("{kind}; charset=utf-8"),
        kind => kind.to_owned(),
    };
    let tag = etag_of(&file.metadata.sha256_hash());
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching.to_owned())];
    if is_known(asked, &tag) {
        return (StatusCode::NOT_MODIFIED, headers, [(header::ETAG, tag)]).into_response();
    }
    let tagged = [(header::ETAG, tag)];
    let Some((encoding, compressed)) = compressed(path, asked) else {
        return (headers, tagged, file.data.clone()).into_response();
    };
    let encoded = [(header::CONTENT_ENCODING, encoding), (header::VARY, "accept-encoding")];
    (headers, tagged, encoded, compressed.data).into_response()
}

/// The file as the build compressed it, in the best form that the browser reads.
fn compressed(path: &str, asked: &HeaderMap) -> Option<(&'static str, EmbeddedFile)> {
    let forms = [("br", ".br"), ("gzip", ".gz")].into_iter().filter(|(encoding, _)| accepts(asked, encoding));
    let mut files = forms.filter_map(|(encoding, end)| {
        Files::get(&format!("{}{end}", path.trim_start_matches('/'))).map(|file| (encoding, file))
    });
    files.next()
}

/// The shell's own document, as it was built.
pub fn own_document() -> Option<String> {
    let file = Files::get("index.html")?;
    String::from_utf8(file.data.into_owned()).ok()
}
