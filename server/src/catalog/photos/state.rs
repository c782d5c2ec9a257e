//! Limits of photo uploads and of their processing.

use std::sync::Arc;

use axum::body::Bytes;
use photo_processing::{PhotoError, Processed};
use tokio::sync::Semaphore;

use super::cache::PhotoCache;
use crate::error::Error;
use crate::infra::memory::return_freed_memory;

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

pub fn invalid_photo(error: &PhotoError) -> Error {
    Error::invalid_field("photo", error.to_string())
}
