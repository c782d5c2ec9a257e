//! The catalogue as it is now, in memory, with the answers that were made from it.
//!
//! A reader gets what is here as long as nothing was written by this process since it was read, and it is at most
//! half a second old. From a tenth of a second on it is read again beside the answers, so that hardly anybody waits.
//! Where it cannot be read, because the shop has too much to do or the database is away, a reader gets one that is a
//! little older rather than none.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use prometheus::IntCounter;
use tokio::sync::Mutex;
use wasm_core::catalogue::{Product, slug};

use super::store::{self, Visible};
use crate::db::Db;
use crate::http::error::Error;
use crate::http::response_cache::ResponseCache;

/// How often it is read while somebody asks.
const FRESH: Duration = Duration::from_millis(100);
/// Older than this nobody gets it: a change by another process shows within a second.
const STALE: Duration = Duration::from_millis(500);
/// Older than this nobody gets it even while the shop has too much to do to read it again.
const OLD: Duration = Duration::from_secs(30);

/// The products of one moment, and the answers about them.
pub struct Contents {
    all: Vec<Product>,
    pub for_sale: Vec<Product>,
    pub responses: ResponseCache,
}

impl Contents {
    /// By exact name, then without regard to case, then by today's slug, whether or not it is for sale. What has
    /// another slug by now is not found here.
    pub fn find(&self, name: &str) -> Option<&Product> {
        let (key, slug) = (store::name_key(name), slug(name));
        let by_name = self.all.iter().find(|product| product.name == name);
        by_name
            .or_else(|| self.all.iter().find(|product| store::name_key(&product.name) == key))
            .or_else(|| self.all.iter().find(|product| product.slug == slug))
    }
}

struct Snapshot {
    contents: Arc<Contents>,
    /// Before the database was asked.
    read_at: Instant,
    /// How much this process had written by then.
    writes: u64,
}

/// The way to the catalogue for everything that is the same for everybody.
pub struct Catalogue {
    db: Db,
    common: HeaderMap,
    reads: IntCounter,
    made: IntCounter,
    latest: RwLock<Option<Arc<Snapshot>>>,
    /// Held by whoever reads; the others wait for what is read. Inside is when a reading began that failed.
    reading: Arc<Mutex<Option<Instant>>>,
}

impl Catalogue {
    /// `common` are the headers of every answer; `reads` and `made` count how often the catalogue was read and how
    /// many answers were made from it.
    pub fn new(db: Db, common: HeaderMap, reads: IntCounter, made: IntCounter) -> Self {
        Self { db, common, reads, made, latest: RwLock::default(), reading: Arc::default() }
    }

    /// What can be had without waiting.
    pub fn at_hand(self: &Arc<Self>) -> Option<Arc<Contents>> {
        self.recent(self.db.writes())
    }

    /// The catalogue with everything in it that this process has written until now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn current(self: &Arc<Self>) -> Result<Arc<Contents>, Error> {
        let (asked_at, writes) = (Instant::now(), self.db.writes());
        if let Some(contents) = self.recent(writes) {
            return Ok(contents);
        }
        let mut turn = self.reading.lock().await;
        // Whoever had the turn before may have read what this one is waiting for,
        if let Some(contents) = self.recent(writes) {
            return Ok(contents);
        }
        // or may have found that it cannot be read: not everybody waits for that, one after the other.
        if turn.is_some_and(|failed| failed >= asked_at) {
            let error = || Error::overloaded("the catalogue could not be read just now");
            return self.old().ok_or_else(error);
        }
        match (self.read(&mut turn).await, self.old()) {
            (Err(error), Some(old)) => {
                tracing::warn!(%error, "the catalogue of a moment ago is answered: it could not be read again");
                Ok(old)
            }
            (read, _) => read,
        }
    }

    /// For whoever cannot be given the current one. It is read again beside the answer.
    pub fn last(self: &Arc<Self>) -> Option<Arc<Contents>> {
        let old = self.old()?;
        self.read_aside();
        Some(old)
    }

    fn old(&self) -> Option<Arc<Contents>> {
        self.latest().filter(|latest| latest.read_at.elapsed() < OLD).map(|latest| latest.contents.clone())
    }

    /// What was read after so many writes and is not stale.
    fn recent(self: &Arc<Self>, writes: u64) -> Option<Arc<Contents>> {
        let latest = self.latest()?;
        let age = latest.read_at.elapsed();
        if latest.writes < writes || age >= STALE {
            return None;
        }
        if age >= FRESH {
            self.read_aside();
        }
        Some(latest.contents.clone())
    }

    /// Unless somebody reads already.
    fn read_aside(self: &Arc<Self>) {
        let Ok(mut turn) = self.reading.clone().try_lock_owned() else { return };
        let catalogue = self.clone();
        tokio::spawn(async move {
            if let Err(error) = catalogue.read(&mut turn).await {
                tracing::warn!(%error, "the catalogue could not be read again");
            }
        });
    }

    /// `failed` is set to when this began, should it fail.
    async fn read(&self, failed: &mut Option<Instant>) -> Result<Arc<Contents>, Error> {
        let (read_at, writes) = (Instant::now(), self.db.writes());
        let listed = store::list_products(self.db.read(), Visible::All).await;
        *failed = listed.is_err().then_some(read_at);
        let all = listed?;
        self.reads.inc();
        let unchanged = self.latest().map(|latest| latest.contents.clone()).filter(|contents| contents.all == all);
        let contents = unchanged.unwrap_or_else(|| Arc::new(self.contents(all)));
        let snapshot = Snapshot { contents: contents.clone(), read_at, writes };
        *self.latest.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(snapshot));
        Ok(contents)
    }

    fn contents(&self, all: Vec<Product>) -> Contents {
        let for_sale = all.iter().filter(|product| product.active).cloned().collect();
        Contents { all, for_sale, responses: ResponseCache::new(self.common.clone(), self.made.clone()) }
    }

    fn latest(&self) -> Option<Arc<Snapshot>> {
        self.latest.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
