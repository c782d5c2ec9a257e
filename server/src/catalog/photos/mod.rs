//! Product photographs: uploaded by administrators, decoded and encoded again in several sizes, stored in the database
//! and served from a bounded cache.

mod cache;
mod list;
mod processing;
mod serve;
pub mod store;
mod upload;

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::Semaphore;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::cache::PhotoCache;
use self::processing::{PhotoError, Processed};
use crate::catalog::Catalog;
use crate::error::Error;

/// Photos of one process that are being uploaded, each up to 15 MB in memory.
const UPLOADS: usize = 2;
/// Photos of one process that are being decoded, each with up to 225 MB more.
const PROCESSED_AT_ONCE: usize = 1;

/// Endpoint that takes longer than the others.
pub const UPLOAD_ROUTE: &str = "/api/products/{id}/photos";
/// The file has a minute to arrive; then it is processed, possibly after another one, and stored.
pub const UPLOAD_TIME: Duration = Duration::from_secs(100);

pub fn router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new().routes(routes!(upload::add_photo, list::update_photos))
}

/// For pages of any origin.
pub fn public_files_router() -> OpenApiRouter<Arc<Catalog>> {
    OpenApiRouter::new().routes(routes!(serve::get_photo))
}

/// Limits of uploads, and the photos that were served recently.
pub struct Photos {
    uploads: Arc<Semaphore>,
    processing: Arc<Semaphore>,
    cache: PhotoCache,
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
    async fn process(&self, file: Bytes) -> Result<Processed, Error> {
        let permit = self.processing.clone().acquire_owned().await.map_err(Error::internal)?;
        let task = tokio::task::spawn_blocking(move || {
            // Held until the work ends, also if the client is gone before that.
            let _permit = permit;
            let processed = processing::process(file);
            processing::return_freed_memory();
            processed
        });
        // A decoder that panics has met a file that is invalid in a way it does not expect.
        task.await.unwrap_or(Err(PhotoError::Damaged)).map_err(|error| invalid_photo(&error))
    }
}

fn invalid_photo(error: &PhotoError) -> Error {
    Error::invalid_field("photo", error.to_string())
}
