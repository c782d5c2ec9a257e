//! The light's program, for who makes a light or brings one up to date.
//!
//! It is built on its own (`cargo xtask firmware`), so a shop may have it or not: it is looked for when it is asked
//! for, first in the data folder and then where the build leaves it.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::error::{Code, Error};
use crate::refusals::refusals;
use crate::shop::Shop;

const FILE_NAME: &str = "nudgelight-pico-w.uf2";

refusals!(DownloadRefusals: [NONE] NotFound);

/// The light's program for a Raspberry Pi Pico W, as a UF2 file. `HEAD` tells whether the shop has it.
#[utoipa::path(
    get,
    path = "/downloads/nudgelight-pico-w.uf2",
    tag = "The shop",
    responses(
        (status = 200, description = "The file.", body = Vec<u8>, content_type = "application/octet-stream"),
        DownloadRefusals,
    ),
)]
pub async fn firmware(State(shop): State<Arc<Shop>>) -> Result<Response, Error> {
    let in_data_folder = shop.config.data_dir.join("downloads").join(FILE_NAME);
    for place in [Some(in_data_folder), as_built()].into_iter().flatten() {
        let Ok(file) = tokio::fs::read(&place).await else { continue };
        let headers = [
            (header::CONTENT_TYPE, "application/octet-stream"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"nudgelight-pico-w.uf2\""),
            (header::CACHE_CONTROL, "no-cache"),
        ];
        return Ok((headers, Bytes::from(file)).into_response());
    }
    Err(Error::new(Code::NotFound, "This shop does not offer the light's program."))
}

/// The build leaves the server in `target/release` and the light's program in `target/firmware`.
fn as_built() -> Option<PathBuf> {
    let server = std::env::current_exe().ok()?;
    Some(server.ancestors().nth(2)?.join("firmware").join(FILE_NAME))
}
