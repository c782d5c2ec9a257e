//! Firmware download.
//!
//! The firmware is built separately (`cargo xtask firmware`). The shop looks for the file at its start, and the pages
//! offer the download if it exists.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::OnceCell;

use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::response_cache::{etag, etag_matches};
use crate::storefront::Storefront;

const FILE_NAME: &str = "nudgelight-pico-w.uf2";

/// The firmware file.
#[derive(Debug)]
pub struct Firmware {
    path: PathBuf,
    pub bytes: u32,
    /// The content and its `ETag`, read once by the first download.
    content: OnceCell<(Bytes, HeaderValue)>,
}

impl Firmware {
    pub const URL: &str = "/downloads/nudgelight-pico-w.uf2";

    /// Looks in the data folder, then in the build output.
    pub fn find(data_dir: &Path) -> Option<Self> {
        let in_data_folder = data_dir.join("downloads").join(FILE_NAME);
        [Some(in_data_folder), as_built()].into_iter().flatten().find_map(|path| {
            let file = std::fs::metadata(&path).ok().filter(Metadata::is_file)?;
            Some(Self { path, bytes: u32::try_from(file.len()).ok()?, content: OnceCell::new() })
        })
    }

    async fn read(&self) -> std::io::Result<&(Bytes, HeaderValue)> {
        let file = async {
            let file = tokio::fs::read(&self.path).await?;
            let tag = etag(&file);
            Ok((file.into(), tag))
        };
        self.content.get_or_try_init(|| file).await
    }
}

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
        (status = 200, description = "The firmware.", body = Vec<u8>, content_type = "application/octet-stream"),
        DownloadErrors,
    ),
)]
pub async fn firmware(State(state): State<Arc<Storefront>>, headers: HeaderMap) -> Result<Response, Error> {
    let not_found = || Error::new(Code::NotFound, "This state doesn't offer the firmware.");
    let firmware = state.firmware.as_ref().ok_or_else(not_found)?;
    let (file, tag) = firmware.read().await.map_err(|_| not_found())?;
    let response_headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"nudgelight-pico-w.uf2\"")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag.clone()),
    ];
    if etag_matches(&headers, tag) {
        return Ok((StatusCode::NOT_MODIFIED, response_headers).into_response());
    }
    Ok((response_headers, file.clone()).into_response())
}

/// The build output: `target/firmware`, next to the server in `target/release`.
fn as_built() -> Option<PathBuf> {
    let server = std::env::current_exe().ok()?;
    Some(server.ancestors().nth(2)?.join("firmware").join(FILE_NAME))
}
