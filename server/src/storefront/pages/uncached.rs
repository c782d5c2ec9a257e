//! The limit of pages that are rendered for a single response, such as search results. Each takes milliseconds of a
//! processor, so a flood of them waits for the same threads and leaves the others to everyone else.

use std::sync::Arc;
use std::thread;

use axum::http::HeaderMap;
use tokio::sync::Semaphore;

use crate::error::Error;
use crate::http::response_cache::{CachedResponse, Document};

/// Pages that wait; with more, the last one would wait for longer than a visitor does.
const MAX_WAITING: usize = 64;

pub struct UncachedPages {
    rendering: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Default for UncachedPages {
    /// One page for each two processors.
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { rendering: Arc::new(Semaphore::new(cores.div_ceil(2))), waiting: Semaphore::new(MAX_WAITING) }
    }
}

impl UncachedPages {
    /// Renders and compresses a page, after those before it.
    ///
    /// # Errors
    /// 503 when too many pages wait; the error of `render`.
    pub async fn render(
        &self,
        render: impl Future<Output = Result<Document, Error>>,
        common: HeaderMap,
    ) -> Result<Arc<CachedResponse>, Error> {
        let waiting = self.waiting.try_acquire().map_err(|_| Error::overloaded("too many pages wait"))?;
        let permit = self.rendering.clone().acquire_owned().await.map_err(Error::internal)?;
        drop(waiting);
        let document = render.await?;
        let compress = move || {
            // Held until the work ends, even if the client is gone before that.
            let _permit = permit;
            CachedResponse::for_single_use(document, &common)
        };
        tokio::task::spawn_blocking(compress).await.map(Arc::new).map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use tokio::sync::Notify;

    use super::*;

    fn document() -> Document {
        Document {
            route: "/products",
            content_type: "text/html",
            cache_control: "no-cache",
            csp: None,
            body: Bytes::from_static(b"<p>"),
        }
    }

    #[tokio::test]
    async fn pages_are_rendered_after_each_other_and_too_many_are_rejected() {
        let pages = Arc::new(UncachedPages { rendering: Arc::new(Semaphore::new(1)), waiting: Semaphore::new(2) });
        let (go, never_twice) = (Arc::new(Notify::new()), Arc::new(Semaphore::new(1)));
        let mut tasks = Vec::new();
        for _ in 0..3 {
            let (pages, go, never_twice) = (pages.clone(), go.clone(), never_twice.clone());
            tasks.push(tokio::spawn(async move {
                let render = async {
                    let _only = never_twice.try_acquire().unwrap();
                    go.notified().await;
                    Ok(document())
                };
                pages.render(render, HeaderMap::new()).await.map(drop)
            }));
            tokio::task::yield_now().await;
        }
        let rejected = pages.render(async { Ok(document()) }, HeaderMap::new()).await;
        assert!(rejected.is_err(), "two wait already");
        for task in tasks {
            go.notify_one();
            task.await.unwrap().unwrap();
        }
        assert!(pages.render(async { Ok(document()) }, HeaderMap::new()).await.is_ok());
    }
}
