//! Firmware download.
//!
//! The firmware is built separately (`cargo xtask firmware`). The shop reads the file at its start, and the pages
//! offer the download if it is a light's firmware.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::attachment::Attachment;
use crate::http::body_limits::BinaryBody;
use crate::http::response_cache::etag_matches;
use crate::storefront::Storefront;

use super::firmware::Firmware;

error_responses!(DownloadErrors: [NONE] NotFound);

/// Download the firmware
///
/// Returns the firmware for the Raspberry Pi Pico W as a UF2 file. `GET /api/config` tells whether the shop offers it;
/// if not, this is a 404.
#[utoipa::path(
    get,
    path = "/downloads/nudgelight-pico-w.uf2",
    tag = "Shop",
    operation_id = "download_firmware",
    responses(
        (status = 200, description = "The firmware.", body = BinaryBody, content_type = "application/octet-stream"),
        DownloadErrors,
    ),
)]
pub async fn firmware(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let not_found = || Error::new(Code::NotFound, "This shop doesn’t offer the firmware.");
    let Firmware { content, etag, .. } = state.firmware.as_ref().ok_or_else(not_found)?;
    let caching = [(header::CACHE_CONTROL, HeaderValue::from_static("no-cache")), (header::ETAG, etag.clone())];
    if etag_matches(&headers, etag) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    let file = Attachment::new("application/octet-stream", "nudgelight-pico-w.uf2", content.clone());
    Ok((caching, file).into_response())
}
