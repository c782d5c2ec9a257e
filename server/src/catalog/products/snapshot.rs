//! In-memory snapshot of the catalog, with a response cache for it.
//!
//! A snapshot is served while this process has written nothing since it was read, for at most half a second. After a
//! tenth of a second it is refreshed in the background (stale-while-revalidate), so readers rarely wait. While the
//! database is overloaded or unavailable, readers get an older snapshot for up to five minutes: at once, after the
//! first read has failed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use prometheus::{IntCounter, Registry};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;
use wasm_core::catalog::{Product, slug};

use super::columns::name_key;
use super::store::{self, Visible};
use crate::db::Db;
use crate::error::Error;
use crate::http::response_cache::{PageVersion, ResponseCache, ResponseCaches};

/// Age after which a snapshot is refreshed in the background.
const FRESH: Duration = Duration::from_millis(100);
/// Maximum age of a snapshot, so that a change by another process is visible within a second.
const STALE: Duration = Duration::from_millis(500);
/// Maximum age of a snapshot while the catalog cannot be read: longer than a failover takes.
const EXPIRED: Duration = Duration::from_mins(5);

/// Name of a product, as the menu lists it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(examples(json!({ "name": "Nudgelight One", "slug": "nudgelight-one" })))]
pub struct ProductName {
    pub name: String,
    /// The name in URLs.
    pub slug: String,
}

/// The products of a snapshot, and the cached responses about them.
pub struct Contents {
    pub all: Vec<Product>,
    pub active: Vec<Product>,
    pub responses: ResponseCache,
}

impl Contents {
    /// Finds a product, active or not, by exact name, then case-insensitively, then by its current slug. Former slugs are
    /// not found here.
    pub fn find(&self, name: &str) -> Option<&Product> {
        let (key, slug) = (name_key(name), slug(name));
        let by_name = self.all.iter().find(|product| product.name == name);
        by_name
            .or_else(|| self.all.iter().find(|product| name_key(&product.name) == key))
            .or_else(|| self.all.iter().find(|product| product.slug == slug))
    }

    /// Names and slugs of the active products.
    pub fn names(&self) -> impl Iterator<Item = ProductName> + use<'_> {
        self.active.iter().map(|Product { name, slug, .. }| ProductName { name: name.clone(), slug: slug.clone() })
    }
}

struct Snapshot {
    contents: Arc<Contents>,
    /// Time before the query.
    read_at: Instant,
    /// Number of writes of this process before the query.
    writes: u64,
    /// Version of the pages in its response cache.
    pages: u64,
}

/// The catalog for public responses.
pub struct CatalogSnapshot {
    db: Db,
    caches: ResponseCaches,
    reads: IntCounter,
    pages: PageVersion,
    latest: RwLock<Option<Arc<Snapshot>>>,
    /// Single flight: one task reads, the others wait. Holds the start of the last read if it failed.
    reading: Arc<Mutex<Option<Instant>>>,
    /// Number of successful writes of this process when the last read failed, or [`NOT_FAILING`].
    failing_since: AtomicU64,
}

const NOT_FAILING: u64 = u64::MAX;

impl CatalogSnapshot {
    /// # Errors
    /// If the registry already has the metric.
    pub fn new(db: Db, caches: ResponseCaches, pages: PageVersion, registry: &Registry) -> prometheus::Result<Self> {
        let reads = IntCounter::new("shop_catalog_reads_total", "Reads of the catalog for public responses.")?;
        registry.register(Box::new(reads.clone()))?;
        Ok(Self {
            db,
            caches,
            reads,
            pages,
            latest: RwLock::default(),
            reading: Arc::default(),
            failing_since: AtomicU64::new(NOT_FAILING),
        })
    }

    /// The current snapshot, if it needs no query.
    pub fn current_if_cached(self: &Arc<Self>) -> Option<Arc<Contents>> {
        self.recent(self.db.writes())
    }

    /// A snapshot with every write of this process so far.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn current(self: &Arc<Self>) -> Result<Arc<Contents>, Error> {
        let (requested_at, writes) = (Instant::now(), self.db.writes());
        if let Some(contents) = self.recent(writes) {
            return Ok(contents);
        }
        // While reads fail, the older snapshot is served at once. A write since then shows that the database is back.
        if self.failing_since.load(Ordering::Relaxed) == self.db.commits()
            && let Some(older) = self.latest_available()
        {
            return Ok(older);
        }
        let mut failed_read = self.reading.lock().await;
        // The task before may have read a current snapshot,
        if let Some(contents) = self.recent(writes) {
            return Ok(contents);
        }
        // or may have failed: waiting tasks do not retry one after the other.
        if failed_read.is_some_and(|started_at| started_at >= requested_at) {
            let error = || Error::overloaded("the catalog could not be read");
            return self.older().ok_or_else(error);
        }
        match (self.read(&mut failed_read).await, self.older()) {
            (Err(error), Some(older)) => {
                tracing::warn!(%error, "reading the catalog failed; an older snapshot is served");
                Ok(older)
            }
            (read, _) => read,
        }
    }

    /// An older snapshot for an overloaded shop; refreshed in the background.
    pub fn latest_available(self: &Arc<Self>) -> Option<Arc<Contents>> {
        let latest = self.latest()?;
        let age = latest.read_at.elapsed();
        if age >= FRESH {
            self.refresh_in_background();
        }
        (age < EXPIRED).then(|| latest.contents.clone())
    }

    fn older(&self) -> Option<Arc<Contents>> {
        self.latest().filter(|latest| latest.read_at.elapsed() < EXPIRED).map(|latest| latest.contents.clone())
    }

    /// The latest snapshot, if it includes these writes and is not stale.
    fn recent(self: &Arc<Self>, writes: u64) -> Option<Arc<Contents>> {
        let latest = self.latest()?;
        let age = latest.read_at.elapsed();
        if latest.writes < writes || age >= STALE {
            return None;
        }
        if age >= FRESH {
            self.refresh_in_background();
        }
        Some(latest.contents.clone())
    }

    /// Does nothing while a read is in progress.
    fn refresh_in_background(self: &Arc<Self>) {
        let Ok(mut failed_read) = self.reading.clone().try_lock_owned() else { return };
        let catalog = self.clone();
        tokio::spawn(async move {
            let was_failing = failed_read.is_some();
            if let Err(error) = catalog.read(&mut failed_read).await
                && !was_failing
            {
                tracing::warn!(%error, "refreshing the catalog failed");
            }
        });
    }

    /// Sets `failed_read` to the start of this read if it fails.
    async fn read(&self, failed_read: &mut Option<Instant>) -> Result<Arc<Contents>, Error> {
        let (read_at, writes, pages) = (Instant::now(), self.db.writes(), self.pages.current());
        let listed = store::list_products(self.db.read(), Visible::All).await;
        *failed_read = listed.is_err().then_some(read_at);
        let failing_since = if listed.is_err() { self.db.commits() } else { NOT_FAILING };
        self.failing_since.store(failing_since, Ordering::Relaxed);
        let all = listed?;
        self.reads.inc();
        let unchanged = self.latest().map(|latest| latest.contents.clone()).filter(|contents| contents.all == all);
        let contents = unchanged.unwrap_or_else(|| Arc::new(self.contents(all)));
        let snapshot = Snapshot { contents: contents.clone(), read_at, writes, pages };
        *self.latest.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
        Ok(contents)
    }

    fn contents(&self, all: Vec<Product>) -> Contents {
        let active = all.iter().filter(|product| product.active).cloned().collect();
        Contents { all, active, responses: self.caches.create() }
    }

    /// The latest snapshot. Its response cache is empty after a change of what every page shows; a response that is being
    /// rendered meanwhile ends up in the old cache.
    fn latest(&self) -> Option<Arc<Snapshot>> {
        let latest = self.latest.read().unwrap_or_else(PoisonError::into_inner).clone()?;
        let pages = self.pages.current();
        if latest.pages == pages {
            return Some(latest);
        }
        let mut stored = self.latest.write().unwrap_or_else(PoisonError::into_inner);
        let Snapshot { contents, read_at, writes, .. } = stored.as_deref()?;
        let contents = Arc::new(self.contents(contents.all.clone()));
        let renewed = Arc::new(Snapshot { contents, read_at: *read_at, writes: *writes, pages });
        *stored = Some(renewed.clone());
        Some(renewed)
    }
}
