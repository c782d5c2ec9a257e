//! Static assets of the shell, and the pages at every other path.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use tokio::sync::OnceCell;

use super::document::{self, PageRequest};
use super::page::{PRODUCTS, Page};
use super::paths;
use super::shell_files::{Files, into_bytes};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::response_cache::{etag_matches, etag_of, preferred};
use crate::storefront::Storefront;

/// Content encodings and file extensions, smallest first.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Decompressed files by path, for the few clients that support no compression.
static DECOMPRESSED: OnceCell<HashMap<String, Bytes>> = OnceCell::const_new();

error_responses!(OrdersErrors: [NONE]);

/// Redirect to the order list
///
/// Returns a 308 to `/profile/orders`.
#[utoipa::path(
    get,
    path = "/orders",
    tag = "Pages",
    responses((status = 308, description = "Redirect to `/profile/orders`."), OrdersErrors),
)]
pub async fn redirect_to_orders() -> Redirect {
    Redirect::permanent("/profile/orders")
}

/// Serves an asset, or the HTML document for every other path.
pub async fn serve(State(state): State<Arc<Storefront>>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || path.starts_with("/test-stripe/") {
        return Error::new(Code::NotFound, "This endpoint does not exist.").into_response();
    }
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let mut rejected = Error::new(Code::MethodNotAllowed, "Only GET and HEAD are allowed.").into_response();
        rejected.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return rejected;
    }
    match asset(path, request.headers()).await {
        Ok(Some(asset)) => asset,
        Err(error) => error.into_response(),
        Ok(None) => show_page(&state, request.uri(), request.headers()).await,
    }
}

/// The page at this path, or the home page with status 404.
async fn show_page(state: &Storefront, uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path();
    let status = if paths::is_page(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let contents = document::contents(state).await;
    let page = match (paths::without_slash(path), &contents) {
        (PRODUCTS, Some(contents)) => Page::of_list(uri.query().unwrap_or_default(), &contents.active),
        (path, _) => Page::at(path),
    };
    document::respond(state, &PageRequest { path, headers }, page, status, contents).await
}

async fn asset(path: &str, headers: &HeaderMap) -> Result<Option<Response>, Error> {
    let name = path.trim_start_matches('/');
    // Pages are served with a content security policy, at paths of their own.
    if name.ends_with(".html") {
        return Ok(None);
    }
    match Files::get(name) {
        Some(file) => {
            let kind = file.metadata.mimetype().to_owned();
            Ok(Some(respond(path, &kind, &etag_of(&file.metadata.sha256_hash()), headers, into_bytes(file))))
        }
        None => compressed_asset(path, name, headers).await,
    }
}

/// Serves the smallest encoding that the client supports.
async fn compressed_asset(path: &str, name: &str, headers: &HeaderMap) -> Result<Option<Response>, Error> {
    let kind = match name.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        _ => "text/plain",
    };
    let Some(smallest) = Files::get(&format!("{name}.br")) else { return Ok(None) };
    let tag = etag_of(&smallest.metadata.sha256_hash());
    let vary = [(header::VARY, "accept-encoding")];
    let Some((encoding, extension)) = preferred(headers, &ENCODINGS) else {
        let file = decompressed(name).await?;
        return Ok(file.map(|file| (vary, respond(path, kind, &tag, headers, file)).into_response()));
    };
    let Some(file) = Files::get(&format!("{name}{extension}")) else { return Ok(None) };
    let response = respond(path, kind, &tag, headers, into_bytes(file));
    Ok(Some((vary, [(header::CONTENT_ENCODING, *encoding)], response).into_response()))
}

async fn decompressed(name: &str) -> Result<Option<Bytes>, Error> {
    let all =
        DECOMPRESSED.get_or_try_init(|| tokio::task::spawn_blocking(decompress_all)).await.map_err(Error::internal)?;
    Ok(all.get(name).cloned())
}

/// Decompresses all files, which takes milliseconds per file.
fn decompress_all() -> HashMap<String, Bytes> {
    let mut all = HashMap::new();
    for packed in Files::iter() {
        let (Some(name), Some(file)) = (packed.strip_suffix(".br"), Files::get(&packed)) else { continue };
        let mut plain = Vec::new();
        match brotli::BrotliDecompress(&mut &*file.data, &mut plain) {
            Ok(()) => drop(all.insert(name.to_owned(), plain.into())),
            Err(error) => tracing::error!(%error, name, "cannot decompress an embedded asset"),
        }
    }
    all
}

fn respond(path: &str, kind: &str, tag: &HeaderValue, request_headers: &HeaderMap, body: Bytes) -> Response {
    // Names under /assets/ contain a hash of the content.
    let cache_control =
        if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache_control.to_owned())];
    let etag = [(header::ETAG, tag)];
    if etag_matches(request_headers, tag) {
        return (StatusCode::NOT_MODIFIED, headers, etag).into_response();
    }
    (headers, etag, body).into_response()
}
