//! The firmware file. It is built separately (`cargo xtask firmware`); the shop looks for it at its start.

use std::path::{Path, PathBuf};

use axum::body::Bytes;
use axum::http::HeaderValue;
use sha2::{Digest as _, Sha256};
use wasm_core::uf2::{self, Uf2Error};

use crate::http::response_cache::etag;

const FILE_NAME: &str = "nudgelight-pico-w.uf2";

/// The firmware file.
#[derive(Debug)]
pub struct Firmware {
    pub bytes: u32,
    /// Version of the package and start of the program's hash: `0.1.0+3f2a9c1d`.
    pub version: String,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    pub content: Bytes,
    pub etag: HeaderValue,
}

impl Firmware {
    pub const URL: &str = "/downloads/nudgelight-pico-w.uf2";

    /// Looks in the data folder, then in the build output.
    pub fn find(data_dir: &Path) -> Option<Self> {
        let in_data_folder = data_dir.join("downloads").join(FILE_NAME);
        [Some(in_data_folder), as_built()].into_iter().flatten().find_map(|path| {
            let content = std::fs::read(&path).ok()?;
            match checked_version(&content) {
                Ok(version) => Self::of(version.to_owned(), content),
                Err(error) => {
                    tracing::warn!(file = %path.display(), %error, "the firmware file is not offered");
                    None
                }
            }
        })
    }

    fn of(version: String, content: Vec<u8>) -> Option<Self> {
        let bytes = u32::try_from(content.len()).ok()?;
        let (sha256, etag) = (hex::encode(Sha256::digest(&content)), etag(&content));
        Some(Self { bytes, version, sha256, content: content.into(), etag })
    }
}

/// The version of a file whose program is the one that the version names.
fn checked_version(file: &[u8]) -> Result<&str, Uf2Error> {
    let version = uf2::version(file)?;
    let mut flash: Vec<u8> = uf2::payloads(file).flatten().copied().collect();
    uf2::hash_digits(&mut flash).ok_or(Uf2Error::NoVersion)?.copy_from_slice(&uf2::NO_HASH);
    let hash = hex::encode(Sha256::digest(&flash));
    let named = version.split('+').nth(1).unwrap_or_default();
    if !named.is_empty() && hash.starts_with(named) { Ok(version) } else { Err(Uf2Error::OtherVersion) }
}

/// The build output: `target/firmware`, next to the server in `target/release`.
fn as_built() -> Option<PathBuf> {
    let server = std::env::current_exe().ok()?;
    Some(server.ancestors().nth(2)?.join("firmware").join(FILE_NAME))
}
