//! The firmware file. It is built separately (`cargo xtask firmware`); the shop looks for it at its start.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use axum::body::Bytes;
use axum::http::HeaderValue;
use tokio::sync::OnceCell;

use crate::http::response_cache::etag;

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

    pub async fn read(&self) -> std::io::Result<&(Bytes, HeaderValue)> {
        let file = async {
            let file = tokio::fs::read(&self.path).await?;
            let tag = etag(&file);
            Ok((file.into(), tag))
        };
        self.content.get_or_try_init(|| file).await
    }
}

/// The build output: `target/firmware`, next to the server in `target/release`.
fn as_built() -> Option<PathBuf> {
    let server = std::env::current_exe().ok()?;
    Some(server.ancestors().nth(2)?.join("firmware").join(FILE_NAME))
}
