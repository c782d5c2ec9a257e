//! The built shell, carried inside the binary.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use rust_embed::{Embed, EmbeddedFile};
use tokio::sync::OnceCell;

use super::document::{self, Asked};
use super::page::Page;
use super::paths;
use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::response_cache::{etag_matches, etag_of, preferred};
use crate::shop::Shop;

/// What the build compressed is carried in its compressed forms alone.
#[derive(Embed)]
#[folder = "../react-shell/dist"]
#[exclude = "assets/*.js"]
#[exclude = "assets/*.css"]
#[exclude = "assets/*.wasm"]
#[exclude = "assets/*.txt"]
struct Files;

/// The smallest first.
const FORMS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// For the few clients that read nothing compressed: by the names that browsers ask for.
static UNPACKED: OnceCell<HashMap<String, Bytes>> = OnceCell::const_new();

error_responses!(OrdersErrors: [NONE]);

/// The specification's old address for one's own orders.
#[utoipa::path(
    get,
    path = "/orders",
    tag = "The shop",
    responses((status = 308, description = "To the page of one's own orders."), OrdersErrors),
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
    match asset(path, request.headers()).await {
        Ok(Some(asset)) => asset,
        Err(error) => error.into_response(),
        Ok(None) => show_page(&shop, path, request.headers()).await,
    }
}

/// The page at this path; the home page with 404 where there is none.
async fn show_page(shop: &Shop, path: &str, headers: &HeaderMap) -> Response {
    let status = if paths::is_known(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let contents = document::contents(shop).await;
    document::answer(shop, &Asked { path, headers }, Page::at(paths::without_slash(path)), status, contents).await
}

async fn asset(path: &str, asked: &HeaderMap) -> Result<Option<Response>, Error> {
    let name = path.trim_start_matches('/');
    if name == "index.html" {
        return Ok(None);
    }
    match Files::get(name) {
        Some(file) => {
            let kind = file.metadata.mimetype().to_owned();
            Ok(Some(answer(path, &kind, &etag_of(&file.metadata.sha256_hash()), asked, carried(file))))
        }
        None => compressed_asset(path, name, asked).await,
    }
}

/// In the best form that the client reads; one that reads none gets it as it was.
async fn compressed_asset(path: &str, name: &str, asked: &HeaderMap) -> Result<Option<Response>, Error> {
    let kind = match name.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        _ => "text/plain",
    };
    let Some(smallest) = Files::get(&format!("{name}.br")) else { return Ok(None) };
    let tag = etag_of(&smallest.metadata.sha256_hash());
    let varies = [(header::VARY, "accept-encoding")];
    let Some((encoding, end)) = preferred(asked, &FORMS) else {
        let file = unpacked(name).await?;
        return Ok(file.map(|file| (varies, answer(path, kind, &tag, asked, file)).into_response()));
    };
    let Some(file) = Files::get(&format!("{name}{end}")) else { return Ok(None) };
    let answered = answer(path, kind, &tag, asked, carried(file));
    Ok(Some((varies, [(header::CONTENT_ENCODING, *encoding)], answered).into_response()))
}

/// The binary's own memory, however many are sent it and however slowly they read.
fn carried(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

async fn unpacked(name: &str) -> Result<Option<Bytes>, Error> {
    let all = UNPACKED.get_or_try_init(|| tokio::task::spawn_blocking(unpack)).await.map_err(Error::internal)?;
    Ok(all.get(name).cloned())
}

/// What the build compressed, once and for all: milliseconds a file.
fn unpack() -> HashMap<String, Bytes> {
    let mut all = HashMap::new();
    for packed in Files::iter() {
        let (Some(name), Some(file)) = (packed.strip_suffix(".br"), Files::get(&packed)) else { continue };
        let mut plain = Vec::new();
        match brotli::BrotliDecompress(&mut &*file.data, &mut plain) {
            Ok(()) => drop(all.insert(name.to_owned(), plain.into())),
            Err(error) => tracing::error!(%error, name, "a file of the shell cannot be unpacked"),
        }
    }
    all
}

fn answer(path: &str, kind: &str, tag: &HeaderValue, asked: &HeaderMap, body: Bytes) -> Response {
    // Names under /assets/ carry a hash of their content.
    let caching =
        if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, caching.to_owned())];
    let tagged = [(header::ETAG, tag)];
    if etag_matches(asked, tag) {
        return (StatusCode::NOT_MODIFIED, headers, tagged).into_response();
    }
    (headers, tagged, body).into_response()
}

/// The shell's own document, as it was built.
pub fn own_document() -> Option<&'static str> {
    static DOCUMENT: LazyLock<Option<String>> =
        LazyLock::new(|| String::from_utf8(Files::get("index.html")?.data.into_owned()).ok());
    DOCUMENT.as_deref()
}

/// The one script in it that is no file: what runs before anything is painted.
pub fn early_script() -> Option<&'static str> {
    let (script, _) = own_document()?.split_once("<script>")?.1.split_once("</script>")?;
    Some(script)
}
