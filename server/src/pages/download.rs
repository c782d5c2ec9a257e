//! The light's program, for who makes a light or brings one up to date.
//!
//! It is built on its own (`cargo xtask firmware`), so a shop may have it or not: it is looked for when the shop
//! starts, and the pages offer it if it was there.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::OnceCell;

use crate::http::error::{Code, Error};
use crate::http::error_responses::error_responses;
use crate::http::response_cache::{etag, etag_matches};
use crate::shop::Shop;

const FILE_NAME: &str = "nudgelight-pico-w.uf2";

/// The file that this shop offers.
#[derive(Debug)]
pub struct Firmware {
    place: PathBuf,
    pub bytes: u32,
    /// Read when it is first asked for, with its tag: however many download it, it is in memory once.
    read: OnceCell<(Bytes, HeaderValue)>,
}

impl Firmware {
    pub const URL: &str = "/downloads/nudgelight-pico-w.uf2";

    /// In the data folder, or else where the build leaves it.
    pub fn find(data_dir: &Path) -> Option<Self> {
        let in_data_folder = data_dir.join("downloads").join(FILE_NAME);
        [Some(in_data_folder), as_built()].into_iter().flatten().find_map(|place| {
            let file = std::fs::metadata(&place).ok().filter(Metadata::is_file)?;
            Some(Self { place, bytes: u32::try_from(file.len()).ok()?, read: OnceCell::new() })
        })
    }

    async fn read(&self) -> std::io::Result<&(Bytes, HeaderValue)> {
        let file = async {
            let file = tokio::fs::read(&self.place).await?;
            let tag = etag(&file);
            Ok((file.into(), tag))
        };
        self.read.get_or_try_init(|| file).await
    }
}

error_responses!(DownloadErrors: [NONE] NotFound);

/// The light's program for a Raspberry Pi Pico W, as a UF2 file. `GET /api/config` says whether the shop has it.
#[utoipa::path(
    get,
    path = "/downloads/nudgelight-pico-w.uf2",
    tag = "The shop",
    responses(
        (status = 200, description = "The file.", body = Vec<u8>, content_type = "application/octet-stream"),
        DownloadErrors,
    ),
)]
pub async fn firmware(State(shop): State<Arc<Shop>>, asked: HeaderMap) -> Result<Response, Error> {
    let not_here = || Error::new(Code::NotFound, "This shop does not offer the light's program.");
    let firmware = shop.firmware.as_ref().ok_or_else(not_here)?;
    let (file, tag) = firmware.read().await.map_err(|_| not_here())?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"nudgelight-pico-w.uf2\"")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag.clone()),
    ];
    if etag_matches(&asked, tag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((headers, file.clone()).into_response())
}

/// The build leaves the server in `target/release` and the light's program in `target/firmware`.
fn as_built() -> Option<PathBuf> {
    let server = std::env::current_exe().ok()?;
    Some(server.ancestors().nth(2)?.join("firmware").join(FILE_NAME))
}
