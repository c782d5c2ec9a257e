//! The built packages, embedded in the binary.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use rust_embed::Embed;

use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Path;
use crate::http::response_cache::Document;
use crate::storefront::Storefront;

/// A development build reads the folder. It may be empty there.
#[derive(Embed)]
#[folder = "../packages/dist"]
#[cfg_attr(debug_assertions, allow_missing = true)]
#[include = "*.tgz"]
#[include = "*.js"]
#[include = "index.json"]
struct Files;

error_responses!(FileErrors: [NONE] NotFound);

/// Get a file of the SDK
///
/// Returns an npm package, which `npm install` takes by its URL, or an ES module, which pages and Deno import by its URL.
/// `index.json` lists the packages with their versions, checksums, and modules. A file changes only with the shop's
/// version. Pages of any origin may load them.
#[utoipa::path(
    get,
    path = "/sdk/{file}",
    tag = "Shop",
    params((
        "file" = String,
        Path,
        description = "`core.tgz`, `client.tgz`, `buy.tgz`, `core.js`, `tax.js`, `schedule.js`, `client.js`, `buy.js`, or \
                       `index.json`.",
        example = "core.tgz",
    )),
    responses(
        (status = 200, description = "The file.", content(
            (Vec<u8> = "application/gzip"),
            (String = "text/javascript"),
            (Object = "application/json"),
        )),
        (status = 304, description = "Not modified: `If-None-Match` has the current ETag."),
        FileErrors
    ),
)]
pub async fn get_sdk_file(
    State(state): State<Arc<Storefront>>,
    Path(file): Path,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let embedded = Files::get(&file).ok_or_else(|| Error::new(Code::NotFound, missing()))?;
    let document = async { Ok(document(&file, embedded.data)) };
    Ok(state.documents.get_or_render(&format!("/sdk/{file}"), document).await?.respond(&headers))
}

/// The packages are not built for the first start.
fn missing() -> &'static str {
    match Files::get("index.json") {
        Some(_) => "This file does not exist.",
        None => "This build has no packages: `cargo xtask packages` makes them.",
    }
}

fn document(file: &str, data: Cow<'static, [u8]>) -> Document {
    let (content_type, cache_control) = match file.rsplit('.').next() {
        Some("js") => ("text/javascript; charset=utf-8", "public, max-age=3600"),
        Some("json") => ("application/json", "no-cache"),
        // A cached package would not have the checksum of the list.
        _ => ("application/gzip", "no-cache"),
    };
    let body = match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    };
    Document { route: "/sdk/{file}", content_type, cache_control, csp: None, body }
}
