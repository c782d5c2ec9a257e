//! Photos in memory, as responses: the most used ones, up to a total size.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::error::Error;
use crate::http::response_cache::CachedResponse;

const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Photos that fit in: they have about 128 KB on average. The cache is divided into parts by this number, each of which
/// has room for several of the largest ones.
const ESTIMATED_PHOTOS: usize = 128;

type Key = String;
type Response = Arc<CachedResponse>;

pub struct PhotoCache(Cache<Key, Response, BySize>);

#[derive(Clone)]
struct BySize;

impl Weighter<Key, Response> for BySize {
    fn weight(&self, _: &Key, response: &Response) -> u64 {
        u64::try_from(response.size()).unwrap_or(u64::MAX)
    }
}

impl Default for PhotoCache {
    fn default() -> Self {
        Self(Cache::with_weighter(ESTIMATED_PHOTOS, MAX_BYTES, BySize))
    }
}

impl PhotoCache {
    /// The response for a file, loaded if it is missing. Single flight: concurrent requests for a missing one load it once.
    pub async fn get_or_load(
        &self,
        file: &str,
        load: impl Future<Output = Result<Response, Error>>,
    ) -> Result<Response, Error> {
        self.0.get_or_insert_async(file, load).await
    }
}
