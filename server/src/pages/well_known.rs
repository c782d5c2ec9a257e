//! Well-known URIs (RFC 8615) for people's tools: security contact and password managers.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{Redirect, Response};

use super::seo::kept_an_hour;
use crate::http::error_responses::error_responses;
use crate::http::response_cache::CachedResponse;
use crate::infra::clock::{DAY, rfc3339, start_of_day, utc_day};
use crate::shop::Shop;

/// RFC 9116 wants less than a year, so that an abandoned site does not name a contact forever.
const SECURITY_TXT_LIFETIME: i64 = 180 * DAY;

error_responses!(SecurityTxtErrors: [NONE]);

/// Security contact of the shop (RFC 9116).
#[utoipa::path(
    get,
    path = "/.well-known/security.txt",
    tag = "The shop",
    responses((status = 200, description = "Contact and expiry date.", body = String, content_type = "text/plain"), SecurityTxtErrors),
)]
pub async fn security_txt(State(shop): State<Arc<Shop>>, headers: HeaderMap) -> Response {
    // Whole days: the response stays the same, and cacheable, until tomorrow.
    let today = start_of_day(&utc_day(shop.clock.now_ms())).unwrap_or_default();
    let text = format!(
        "Contact: mailto:{}\nExpires: {}\nPreferred-Languages: en\nCanonical: {}/.well-known/security.txt\n",
        shop.config.support_email,
        rfc3339(today + SECURITY_TXT_LIFETIME),
        shop.public_url,
    );
    let document = kept_an_hour("/.well-known/security.txt", "text/plain; charset=utf-8", text);
    CachedResponse::uncompressed(document, &shop.common_headers).respond(&headers)
}

error_responses!(ChangePasswordErrors: [NONE]);

/// Redirect for password managers to the page that changes a password.
#[utoipa::path(
    get,
    path = "/.well-known/change-password",
    tag = "The shop",
    responses((status = 303, description = "To the settings of one's own account."), ChangePasswordErrors),
)]
pub async fn to_password_settings() -> Redirect {
    Redirect::to("/profile/settings")
}
