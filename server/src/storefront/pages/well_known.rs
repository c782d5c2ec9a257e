//! Well-known URIs (RFC 8615): security contact and password change.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{Redirect, Response};

use super::seo::cached_for_an_hour;
use crate::error::responses::error_responses;
use crate::http::response_cache::CachedResponse;
use crate::infra::clock::{DAY, rfc3339, start_of_day, utc_day};
use crate::storefront::Storefront;

/// RFC 9116 recommends less than a year.
const SECURITY_TXT_LIFETIME: i64 = 180 * DAY;

error_responses!(SecurityTxtErrors: [NONE]);

/// Get the security contact
///
/// Returns the contact for reports of vulnerabilities, with its expiry date (RFC 9116).
#[utoipa::path(
    get,
    path = "/.well-known/security.txt",
    tag = "Pages",
    operation_id = "get_security_txt",
    responses((status = 200, description = "The security contact.", body = String, content_type = "text/plain"), SecurityTxtErrors),
)]
pub async fn security_txt(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Response {
    // Whole days, so that the response is cacheable until tomorrow.
    let today = start_of_day(&utc_day(state.clock.now_ms())).unwrap_or_default();
    let text = format!(
        "Contact: mailto:{}\nExpires: {}\nPreferred-Languages: en\nCanonical: {}/.well-known/security.txt\n",
        state.settings.get().support_email,
        rfc3339(today + SECURITY_TXT_LIFETIME),
        state.public_url,
    );
    let document = cached_for_an_hour("/.well-known/security.txt", "text/plain; charset=utf-8", text);
    CachedResponse::uncompressed(document, &state.common_headers).respond(&headers)
}

error_responses!(ChangePasswordErrors: [NONE]);

/// Redirect to the password settings
///
/// Returns a 303 to `/profile/settings`. Password managers open this well-known URL (W3C).
#[utoipa::path(
    get,
    path = "/.well-known/change-password",
    tag = "Pages",
    responses((status = 303, description = "Redirect to `/profile/settings`."), ChangePasswordErrors),
)]
pub async fn redirect_to_password_settings() -> Redirect {
    Redirect::to("/profile/settings")
}
