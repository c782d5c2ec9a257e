//! Limits of photo uploads and of their processing.

use std::sync::Arc;

use axum::body::Bytes;
use photo_processing::{PhotoError, Processed};
use tokio::sync::Semaphore;

use super::cache::PhotoCache;
use crate::error::Error;

/// Photos of one process that are being uploaded, each up to 15 MB in memory.
const UPLOADS: usize = 2;
/// Photos of one process that are being decoded, each with up to 225 MB more.
const PROCESSED_AT_ONCE: usize = 1;

/// Limits of uploads, and the photos that were served recently.
pub struct Photos {
    pub(super) uploads: Arc<Semaphore>,
    processing: Arc<Semaphore>,
    pub(super) cache: PhotoCache,
}

impl Default for Photos {
    fn default() -> Self {
        Self {
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            processing: Arc::new(Semaphore::new(PROCESSED_AT_ONCE)),
            cache: PhotoCache::default(),
        }
    }
}

impl Photos {
    /// Processes a file on a blocking thread, after those before it.
    pub async fn process(&self, file: Bytes) -> Result<Processed, Error> {
        let permit = self.processing.clone().acquire_owned().await.map_err(Error::internal)?;
        let task = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even if the client is gone before that.
            let _permit = permit;
            let processed = photo_processing::process(file);
            return_freed_memory();
            processed
        });
        // A decoder that panics has met a file that is invalid in a way it does not expect.
        task.await.unwrap_or(Err(PhotoError::Damaged)).map_err(|error| invalid_photo(&error))
    }
}

/// Returns freed memory to the operating system. The allocator would keep the memory of a photo for a while, and the next
/// photo would take as much again.
#[expect(unsafe_code, reason = "the allocator has no safe function for this")]
fn return_freed_memory() {
    // SAFETY: any thread may call this at any time; memory in use is left alone.
    unsafe { libmimalloc_sys::mi_collect(true) }
}

pub fn invalid_photo(error: &PhotoError) -> Error {
    Error::invalid_field("photo", error.to_string())
}
