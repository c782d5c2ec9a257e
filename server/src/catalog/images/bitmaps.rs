//! Bitmaps in memory: each is rendered on its first request and kept by the hash of its source.
//!
//! There is one source for each form, color and size: 96 in total, about 20 MB if a shop used all of them.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use app::ui::{Bitmap, bitmap_source};
use axum::body::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;
use wasm_core::catalog::{DeviceForm, LampColor};

use super::render::png_of;
use crate::error::Error;

type Hash = [u8; 32];

/// The files, by the hash of their source.
static RENDERED: RwLock<BTreeMap<Hash, Bytes>> = RwLock::new(BTreeMap::new());
/// One at a time: rendering takes a whole core. Also single flight, because the next one looks again.
static RENDERING: Mutex<()> = Mutex::const_new(());

/// The front view of a form as a PNG.
pub async fn png(form: DeviceForm, color: LampColor, bitmap: Bitmap) -> Result<Bytes, Error> {
    let svg = bitmap_source(form, color, bitmap);
    let hash = Sha256::digest(&svg).into();
    if let Some(png) = find(&hash) {
        return Ok(png);
    }
    let turn = RENDERING.lock().await;
    if let Some(png) = find(&hash) {
        return Ok(png);
    }
    let task = tokio::task::spawn_blocking(move || {
        // Held until the work ends, even if the client is gone before that.
        let _turn = turn;
        let png = Bytes::from(png_of(&svg, bitmap)?);
        RENDERED.write().unwrap_or_else(PoisonError::into_inner).insert(hash, png.clone());
        Ok(png)
    });
    task.await.map_err(Error::internal)?
}

fn find(hash: &Hash) -> Option<Bytes> {
    RENDERED.read().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
}
