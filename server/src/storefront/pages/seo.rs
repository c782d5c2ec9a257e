//! Files for search engines and home screens: robots.txt and web app manifest.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};

use super::head::ABOUT_THE_SHOP;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::response_cache::{CachedResponse, Document};
use crate::storefront::Storefront;

/// The paths that `robots.txt` disallows.
const PRIVATE: [&str; 9] =
    ["/api/", "/admin", "/cart", "/checkout", "/login", "/order/", "/profile", "/register", "/test-stripe/"];

error_responses!(RobotsErrors: [NONE]);

/// Get the robots.txt file
///
/// Returns the rules for crawlers and the address of the sitemap.
#[utoipa::path(
    get,
    path = "/robots.txt",
    tag = "Pages",
    operation_id = "get_robots_txt",
    responses((status = 200, description = "The rules for crawlers.", body = String, content_type = "text/plain"), RobotsErrors),
)]
pub async fn robots(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let document = async { Ok(robots_of(&state.public_url)) };
    Ok(state.documents.get_or_render("/robots.txt", document).await?.respond(&headers))
}

fn robots_of(public_url: &str) -> Document {
    let rules: String = PRIVATE.iter().map(|path| format!("Disallow: {path}\n")).collect();
    let text = format!("User-agent: *\n{rules}\nSitemap: {public_url}/sitemap.xml\n");
    cached_for_an_hour("/robots.txt", "text/plain; charset=utf-8", text)
}

error_responses!(ManifestErrors: [NONE]);

/// Get the web app manifest
///
/// Returns the name, icons and colors for installation on a home screen.
#[utoipa::path(
    get,
    path = "/manifest.webmanifest",
    tag = "Pages",
    operation_id = "get_web_manifest",
    responses(
        (status = 200, description = "The manifest.", body = Object, content_type = "application/manifest+json"),
        ManifestErrors
    ),
)]
pub async fn manifest(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Response {
    let document = manifest_of(&state.settings.get().shop_name);
    CachedResponse::uncompressed(document, &state.common_headers).respond(&headers)
}

fn manifest_of(shop_name: &str) -> Document {
    let icon = |size: &str, purpose: &str| json!({ "src": format!("/icon-{size}.png"), "sizes": format!("{size}x{size}"), "type": "image/png", "purpose": purpose });
    let manifest: Value = json!({
        // Identifies an installed shop, even if `start_url` changes.
        "id": "/",
        "name": shop_name,
        "short_name": shop_name,
        "description": ABOUT_THE_SHOP,
        "lang": "en",
        "dir": "ltr",
        "start_url": "/",
        "display": "browser",
        "background_color": "#fbfaf7",
        "theme_color": "#12162a",
        "icons": [icon("192", "any"), icon("512", "any"), icon("512", "maskable")],
    });
    cached_for_an_hour("/manifest.webmanifest", "application/manifest+json", manifest.to_string())
}

pub(super) fn cached_for_an_hour(route: &'static str, kind: &'static str, text: impl Into<Bytes>) -> Document {
    Document { route, content_type: kind, cache_control: "public, max-age=3600", csp: None, body: text.into() }
}
